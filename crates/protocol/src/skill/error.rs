//! Why a directory is not served as a skill.

use std::fmt;
use std::path::PathBuf;

use dibber_skill::protocol::ProtocolProblem;
use dibber_skill::skill::{PROTOCOL_FILE_NAME, SKILL_FILE_NAME};
use dibber_text::{Message, Source, message, quote_display};

use dibber_text::folder::FileError;

/// Why a directory is not a skill that can be used.
#[derive(Debug)]
pub struct LoadError {
    /// The directory.
    pub directory: PathBuf,
    /// What is wrong.
    pub kind: LoadErrorKind,
}

/// What is wrong with a directory.
#[derive(Debug)]
pub enum LoadErrorKind {
    /// The directory cannot be opened.
    Directory(FileError),
    /// It has neither a `skill.toml` nor a `SKILL.md`.
    NoSkill,
    /// A file of it cannot be read: its name, and why.
    File(&'static str, FileError),
    /// The `skill.toml` has problems.
    Manifest {
        /// Its text.
        source: Box<Source>,
        /// The problems; none of them is only an unknown key.
        problems: Vec<ProtocolProblem>,
    },
    /// There is no `skill.toml`, and `SKILL.md` has no valid `name`: what it has instead, if anything.
    Name(Option<String>),
    /// There is no `skill.toml`, and `SKILL.md` has no `description`.
    Description,
}

impl LoadError {
    /// Returns what is wrong.
    pub fn message(&self) -> Message {
        match &self.kind {
            LoadErrorKind::Directory(error) => message!["the directory ", file_error(error)],
            LoadErrorKind::NoSkill => message![
                "there is neither a `",
                PROTOCOL_FILE_NAME,
                "` nor a `",
                SKILL_FILE_NAME,
                "`"
            ],
            LoadErrorKind::File(name, error) => message!["`", *name, "` ", file_error(error)],
            LoadErrorKind::Manifest { source, problems } => {
                let Some(first) = problems.first() else { return Message::default() };
                let line = source.line_column(first.problem.place.start).line;
                let message = first.problem.message.clone();
                let message = message![PROTOCOL_FILE_NAME, ":", line, ": ", message];
                match problems.len() - 1 {
                    0 => message,
                    others => message![message, " (and ", others, " more)"],
                }
            }
            LoadErrorKind::Name(None) => message!["`", SKILL_FILE_NAME, "` has no `name`"],
            LoadErrorKind::Name(Some(name)) => message![
                "`",
                dibber_text::quote(name),
                "` is not a valid name of a skill without `",
                PROTOCOL_FILE_NAME,
                "`"
            ],
            LoadErrorKind::Description => message!["`", SKILL_FILE_NAME, "` has no `description`"],
        }
    }

    /// Returns what to do about it.
    pub fn help(&self) -> Message {
        match &self.kind {
            LoadErrorKind::Directory(FileError::Io(_))
            | LoadErrorKind::File(_, FileError::Io(_)) => {
                "check the permissions, and that the disk is readable".into()
            }
            LoadErrorKind::Directory(_) => "name the directory of a skill".into(),
            LoadErrorKind::NoSkill => {
                "name the directory of a skill, or create one with `dibber new`".into()
            }
            LoadErrorKind::File(_, FileError::TooLarge(_)) => {
                "keep only what the manifest needs; instructions belong in `SKILL.md`".into()
            }
            LoadErrorKind::File(..) => "replace it by a regular text file".into(),
            LoadErrorKind::Manifest { problems, .. } => {
                let help = problems.first().and_then(|first| first.problem.help.clone());
                help.unwrap_or_else(|| "correct it there; `dibber lint` shows the place".into())
            }
            LoadErrorKind::Name(_) => {
                "write lowercase letters, digits and single hyphens: `name: bedtime-story`".into()
            }
            LoadErrorKind::Description => {
                "say what the skill does and when to use it: `description: Counts …`".into()
            }
        }
    }
}

fn file_error(error: &FileError) -> Message {
    quote_display(error)
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().shown(&()).fmt(f)
    }
}

impl std::error::Error for LoadError {}
