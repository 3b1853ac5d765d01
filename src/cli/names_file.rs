//! The private file with children's names, under the user's configuration directory.
//!
//! Only its owner may read it, and it must not be where git could commit it. It is replaced as a
//! whole, under a lock file next to it, so that no two commands lose each other's names.

use std::borrow::Cow;
use std::fs;
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use etcetera::BaseStrategy;

use super::error::CommandError;
use super::write;
use dibber_lint::Privacy;
#[cfg(feature = "remote")]
use dibber_skill::names::Name;
use dibber_skill::names::{LIST_BYTES_MAX, List, ListProblem, Roster};
use dibber_text::file::{self, ReadError};
use dibber_text::file_lock::lock_within;
use dibber_text::private::{create_private_directory, open_private};
use dibber_text::{Mask, Message, message, quote_display, quote_in_full, quote_path};

/// The environment variable with the path of the file.
const PATH_VARIABLE: &str = "DIBBER_NAMES";
/// The path without that variable, in the user's configuration directory.
const PATH_IN_CONFIGURATION: &str = "dibber/names";
/// How long another process is waited for that changes the list.
const LOCK_WAIT_MAX: Duration = Duration::from_secs(30);
const LINK_HELP: &str = "bring back the list that it leads to, or delete the link";
/// The bits of a file's mode that give access to others than its owner.
#[cfg(unix)]
const OTHERS: u32 = 0o077;

/// Reports that another process has locked the list, for which this one waits.
fn show_wait() {
    // A closed stream changes nothing.
    let line = "waiting for another dibber process that has locked the list of names";
    let _ = writeln!(io::stderr(), "{line}");
}

/// The names that could be read, and why a command must not rely on them, if so. They are masked
/// in all output either way.
#[derive(Clone, Default)]
pub(super) struct Names {
    /// The list alone, without the children of a family.
    #[cfg(feature = "remote")]
    list: Arc<List>,
    roster: Arc<Roster>,
    rejection: Option<CommandError>,
}

impl Names {
    /// Returns the names, for a command that fails without them.
    pub(super) fn get(&self) -> Result<Arc<Roster>, CommandError> {
        match &self.rejection {
            Some(error) => Err(error.clone()),
            None => Ok(Arc::clone(&self.roster)),
        }
    }

    /// Adds the names of a family's children.
    #[cfg(feature = "remote")]
    pub(super) fn add_children(&mut self, children: &[Name]) {
        self.roster = Arc::new(Roster::with_children(self.list.names(), children));
    }

    /// Adds the names of a family's children, which are masked, but not found by checks.
    #[cfg(feature = "remote")]
    pub(super) fn mask_children(&mut self, children: &[Name]) {
        self.roster = Arc::new(Roster::with_masked(self.list.names(), children));
    }

    /// Returns the names that are masked in all output.
    pub(super) fn roster(&self) -> &Roster {
        &self.roster
    }
}

/// Masks the names and all secrets.
impl Mask for Names {
    fn mask<'t>(&self, text: &'t str) -> Cow<'t, str> {
        Privacy { roster: &self.roster }.mask(text)
    }

    fn is_final(&self) -> bool {
        true
    }
}

/// Reads the names; none if there is no such file.
pub(super) fn load() -> Names {
    // Without a home directory there is no list.
    let Ok(file) = NamesFile::locate() else {
        return Names::default();
    };
    match file.read() {
        Ok(contents) => {
            let problem = file.problem_errors(&contents.problems, 1).into_iter().next();
            let roster = Arc::new(contents.list.roster());
            Names {
                #[cfg(feature = "remote")]
                list: Arc::new(contents.list),
                rejection: contents.rejection.or(problem),
                roster,
            }
        }
        Err(error) => Names { rejection: Some(error), ..Names::default() },
    }
}

/// The file, which may not exist yet.
pub(super) struct NamesFile {
    path: PathBuf,
}

/// The contents of the file.
#[derive(Default)]
pub(super) struct Contents {
    pub(super) list: List,
    /// The lines that are not names.
    pub(super) problems: Vec<ListProblem>,
    /// Why the list must not be used: others can read it, or git can commit it.
    pub(super) rejection: Option<CommandError>,
}

impl NamesFile {
    /// Returns the file at its configured path, whether it exists or not.
    pub(super) fn locate() -> Result<Self, CommandError> {
        if let Some(path) = std::env::var_os(PATH_VARIABLE).filter(|path| !path.is_empty()) {
            return Ok(Self { path: PathBuf::from(path) });
        }
        let strategy = etcetera::choose_base_strategy().map_err(|_| {
            CommandError::new("cannot determine the configuration directory").help(message![
                "set ",
                PATH_VARIABLE,
                " to the path of the list of names"
            ])
        })?;
        Ok(Self { path: strategy.config_dir().join(PATH_IN_CONFIGURATION) })
    }

    /// Reads the file; the contents are empty if it does not exist.
    pub(super) fn read(&self) -> Result<Contents, CommandError> {
        let cannot_read = |error| CommandError::io(message!["cannot read ", self.shown()], error);
        let file = match file::open_regular(&self.path) {
            Ok(file) => file,
            Err(error) if error.is_not_found() => {
                // A broken link means that the list is elsewhere: without it, no name would be found.
                return match fs::symlink_metadata(&self.path) {
                    Ok(_) => Err(self.error("is a broken link").help(LINK_HELP)),
                    Err(_) => Ok(Contents::default()),
                };
            }
            Err(ReadError::Io(error)) => return Err(cannot_read(error)),
            Err(_) => {
                return Err(self.error("is not a regular file"));
            }
        };
        let metadata = file.metadata().map_err(cannot_read)?;
        let rejection = self.check_alone(&metadata).or(self.check_outside_git());
        let mut bytes = Vec::new();
        file.take(LIST_BYTES_MAX as u64 + 1).read_to_end(&mut bytes).map_err(cannot_read)?;
        if bytes.len() > LIST_BYTES_MAX {
            return Err(self.error(message!["is larger than ", LIST_BYTES_MAX, " bytes"]));
        }
        let text = String::from_utf8(bytes)
            .map_err(|_| self.error("is not UTF-8").help("save it as UTF-8 in your editor"))?;
        let (list, problems) = List::parse(&text);
        Ok(Contents { list, problems, rejection })
    }

    /// Changes the list under a lock, for which it waits. If `change` fails, the file stays as it is.
    pub(super) fn update<T>(
        &self,
        change: impl FnOnce(&mut List) -> Result<T, CommandError>,
    ) -> Result<T, CommandError> {
        let cannot_write = |error| CommandError::io(message!["cannot write ", self.shown()], error);
        if let Some(parent) = self.path.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            create_private_directory(parent).map_err(cannot_write)?;
        }
        let lock_path = self.lock_path();
        let cannot_lock =
            |error| CommandError::io(message!["cannot lock ", quote_path(&lock_path)], error);
        let lock = open_private(&lock_path).map_err(cannot_lock)?;
        lock_within(&lock, LOCK_WAIT_MAX, show_wait).map_err(cannot_lock)?;
        let mut contents = self.read()?;
        if let Some(problem) = self.problem_errors(&contents.problems, 1).into_iter().next() {
            return Err(problem);
        }
        let before = contents.list.render();
        let done = change(&mut contents.list)?;
        let after = contents.list.render();
        // A list that others could read is rewritten, for its owner alone.
        if after != before || contents.rejection.is_some() {
            write::replace_private(&self.path, after.as_bytes())?;
        }
        Ok(done)
    }

    /// Returns an error for each of the first problems.
    pub(super) fn problem_errors(&self, problems: &[ListProblem], max: usize) -> Vec<CommandError> {
        let shown = problems.iter().take(max).enumerate().map(|(index, problem)| {
            let left = problems.len() - index - 1;
            let more = match left {
                1 if index + 1 == max => ", and one more line is wrong".to_owned(),
                2.. if index + 1 == max => format!(", and {left} more lines are wrong"),
                _ => String::new(),
            };
            CommandError::new(message![
                self.shown(),
                ": ",
                quote_display(problem),
                quote_in_full(&more)
            ])
            .help("correct the line in an editor; `dibber names list` names every wrong one")
        });
        shown.collect()
    }

    /// Returns an error if the list is in a git work tree.
    pub(super) fn check_outside_git(&self) -> Option<CommandError> {
        let absolute = std::path::absolute(&self.path).unwrap_or_else(|_| self.path.clone());
        // The file and its parent directories may not exist yet.
        let real = absolute.ancestors().find_map(|path| fs::canonicalize(path).ok())?;
        let is_work_tree = |directory: &Path| directory.join(".git").symlink_metadata().is_ok();
        real.ancestors().any(is_work_tree).then(|| {
            let error = self.error("is in a git work tree, where it could be committed");
            let way = "move it to a folder outside, and set ";
            error.help(message![way, PATH_VARIABLE, " to its path there"])
        })
    }

    /// Returns an error if others than its owner may read or change the list.
    #[cfg(unix)]
    fn check_alone(&self, metadata: &fs::Metadata) -> Option<CommandError> {
        use std::os::unix::fs::PermissionsExt;
        (metadata.permissions().mode() & OTHERS != 0).then(|| {
            let error = self.error("can be read or changed by other users of this computer");
            error.help(message!["run `chmod 600 ", self.shown(), "`"])
        })
    }

    #[cfg(not(unix))]
    #[expect(clippy::unused_self, reason = "modes exist on Unix only")]
    fn check_alone(&self, _metadata: &fs::Metadata) -> Option<CommandError> {
        None
    }

    /// Returns its path.
    #[cfg(feature = "remote")]
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    fn lock_path(&self) -> PathBuf {
        let mut path = self.path.clone().into_os_string();
        path.push(".lock");
        PathBuf::from(path)
    }

    fn error(&self, what: impl Into<Message>) -> CommandError {
        CommandError::new(message![self.shown(), " ", what.into()])
    }

    fn shown(&self) -> Message {
        quote_path(&self.path)
    }
}
