//! The text that an agent reads, in the editor of the user. It is kept in a file until it is in the
//! skill, so that an editor that fails, or a mistake in the text, loses nothing.

use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus};

use crate::cli::error::CommandError;
use crate::cli::state_directory::data_directory;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use crate::cli::write;
use dibber_skill::discover::FoundSkill;
use dibber_skill::names::Roster;
use dibber_skill::skill::{SKILL_BYTES_MAX, Skill};
use dibber_text::private::create_private_directory;
use dibber_text::{
    Message, file, hex, message, quote_display, quote_in_full, quote_path, shell_word,
};
use sha2::{Digest as _, Sha256};

/// The directory of unsaved bodies, which is beside the database.
const DIRECTORY: &str = "edited";
/// The most bytes of a skill file.
const BYTES_MAX: u64 = SKILL_BYTES_MAX as u64;
/// The variables that name an editor, the first one that is set before the others.
const VARIABLES: [&str; 2] = ["VISUAL", "EDITOR"];
/// The editors that are tried if no variable names one.
const EDITORS: &[&str] = if cfg!(windows) { &["notepad"] } else { &["nano", "vi"] };

/// What came of the editor.
pub(super) enum EditedBody {
    /// This is the new body; `None` if it is the one of the skill.
    Ended(Option<String>),
    /// Unsaved changes are neither opened nor discarded.
    Postponed,
}

/// What the editor is opened with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// The body of the skill.
    Body,
    /// The text that is kept.
    Kept,
}

/// The file in which the text is edited. Its owner alone can read it.
pub(super) struct BodyFile {
    path: PathBuf,
    /// The body of the skill when the editor was opened.
    base: PathBuf,
    /// The command that opens it again.
    command: String,
}

impl BodyFile {
    pub(super) fn locate(found: &FoundSkill) -> Result<Self, CommandError> {
        let directory = found.directory.canonicalize().unwrap_or_else(|_| found.directory.clone());
        let name = hex(Sha256::digest(directory.as_os_str().as_encoded_bytes()));
        let path = data_directory(None)?.join(DIRECTORY).join(name).with_extension("md");
        let shown = if found.shown.is_empty() { "." } else { &found.shown };
        let base = path.with_extension("base");
        Ok(Self { path, base, command: format!("dibber edit {} --body", shell_word(shown)) })
    }

    /// Returns the message that the text is kept, with the command that opens it again.
    pub(super) fn kept_message(&self) -> Message {
        let command = quote_in_full(&self.command);
        message!["the text is kept; `", command, "` opens it again"]
    }

    /// Opens the body in the editor, or the text that is kept: that without a question if this is
    /// not the first time.
    pub(super) fn edit(
        &self,
        skill: &Skill,
        is_again: bool,
        interrupt: &Interrupt,
        ui: &mut Ui,
        roster: &Roster,
    ) -> Result<EditedBody, CommandError> {
        let body = skill.body_text();
        let text = body.trim_start_matches(['\r', '\n']);
        let start = if is_again && self.path.is_file() {
            Start::Kept
        } else {
            match self.start(text, ui, roster)? {
                Some(start) => start,
                None => return Ok(EditedBody::Postponed),
            }
        };
        if start == Start::Body {
            self.write(text)?;
        }
        let held = interrupt.hold();
        let status = run_editor(&self.path);
        drop(held);
        match status {
            Ok(status) if status.success() => {}
            Ok(status) => {
                let message = message!["the editor failed: ", quote_display(status)];
                // The shell that cannot start an editor fails like this, too.
                if self.read().is_ok_and(|edited| edited == text) {
                    self.remove()?;
                    return Err(CommandError::new(message));
                }
                return Err(CommandError::new(message).help(self.kept_message()));
            }
            Err(error) => {
                if start == Start::Body {
                    self.remove()?;
                }
                let error = CommandError::io("cannot start an editor", error);
                return Err(error.help("set EDITOR to the command of one: `export EDITOR=nano`"));
            }
        }
        let edited = with_line_endings_of(body, self.read()?);
        if edited == text {
            self.remove()?;
            return Ok(EditedBody::Ended(None));
        }
        let leading = &body[..body.len() - text.len()];
        Ok(EditedBody::Ended(Some(format!("{leading}{edited}"))))
    }

    /// Removes the text, and then what belongs to it.
    pub(super) fn remove(&self) -> Result<(), CommandError> {
        for path in [&self.path, &self.base] {
            match fs::remove_file(path) {
                Err(error) if error.kind() != io::ErrorKind::NotFound => {
                    return Err(CommandError::io(
                        message!["cannot remove ", quote_path(path)],
                        error,
                    ));
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Returns what to open; `None` if unsaved changes are to stay as they are.
    fn start(
        &self,
        text: &str,
        ui: &mut Ui,
        roster: &Roster,
    ) -> Result<Option<Start>, CommandError> {
        if !self.path.is_file() {
            return Ok(Some(Start::Body));
        }
        let base = file::read_regular(&self.base, BYTES_MAX);
        let is_same_base = base.is_ok_and(|base| base == text.as_bytes());
        if ui.can_ask() {
            let question = if is_same_base {
                "Unsaved changes were found. Continue with them?"
            } else {
                "Unsaved changes were found, but SKILL.md has changed since. Continue with them?"
            };
            let mut asker = Asker::new(ui, roster);
            if asker.confirm(question, is_same_base)? {
                return Ok(Some(Start::Kept));
            }
            let is_discarded = asker.confirm("Discard the unsaved changes?", false)?;
            return Ok(is_discarded.then_some(Start::Body));
        }
        if is_same_base {
            ui.eprintln("Unsaved changes were found, and are opened.");
            return Ok(Some(Start::Kept));
        }
        let path = quote_path(&self.path);
        let message = message!["SKILL.md has changed since the unsaved changes in ", path];
        let help = "run `dibber edit --body` at a terminal to choose, or remove that file";
        Err(CommandError::new(message).help(help))
    }

    fn write(&self, text: &str) -> Result<(), CommandError> {
        if let Some(parent) = self.path.parent() {
            create_private_directory(parent).map_err(|error| {
                CommandError::io(message!["cannot create ", quote_path(parent)], error)
            })?;
        }
        // The base means nothing alone: the text is removed first, and written last.
        self.remove()?;
        write::replace_private(&self.base, text.as_bytes())?;
        write::replace_private(&self.path, text.as_bytes())
    }

    fn read(&self) -> Result<String, CommandError> {
        let bytes = file::read_regular(&self.path, BYTES_MAX)
            .map_err(|error| CommandError::read(&self.path, error).help(self.kept_message()))?;
        String::from_utf8(bytes).map_err(|_| {
            CommandError::new("the text of the editor is not UTF-8").help(self.kept_message())
        })
    }
}

/// Returns what an editor has saved with the line endings of the body, which some editors change as
/// a whole. A body with both kinds is taken as it was saved.
fn with_line_endings_of(body: &str, edited: String) -> String {
    let (all, windows) = (body.matches('\n').count(), body.matches("\r\n").count());
    if windows == 0 {
        edited.replace("\r\n", "\n")
    } else if windows == all {
        edited.replace("\r\n", "\n").replace('\n', "\r\n")
    } else {
        edited
    }
}

/// Runs the editor of the user on a file.
fn run_editor(path: &Path) -> io::Result<ExitStatus> {
    let named = VARIABLES.iter().filter_map(std::env::var_os).find(|editor| !editor.is_empty());
    if let Some(editor) = named {
        return command(&editor).arg(path).status();
    }
    let mut result = Err(io::ErrorKind::NotFound.into());
    for editor in EDITORS {
        result = Command::new(editor).arg(path).status();
        if !matches!(&result, Err(error) if error.kind() == io::ErrorKind::NotFound) {
            break;
        }
    }
    result
}

/// Returns the command of a variable, which may have arguments: the shell reads it, as for git.
#[cfg(unix)]
fn command(editor: &OsString) -> Command {
    let mut script = editor.clone();
    script.push(" \"$@\"");
    let mut command = Command::new("sh");
    command.arg("-c").arg(script).arg(editor);
    command
}

/// Returns the command of a variable: a program, or one with arguments after spaces.
#[cfg(not(unix))]
fn command(editor: &OsString) -> Command {
    let text = editor.to_string_lossy();
    let mut words = text.split_whitespace();
    match words.next() {
        Some(program) if !Path::new(editor).is_file() => {
            let mut command = Command::new(program);
            command.args(words);
            command
        }
        _ => Command::new(editor),
    }
}
