//! What keeps a path from being checked.

use std::fmt;
use std::io;

use crate::skill::PROTOCOL_FILE_NAME;
use dibber_text::file::ReadError;
use dibber_text::isolation::InternalError;
use dibber_text::{Message, message, quote_in_full};

/// Something that keeps a path from being looked at.
#[derive(Debug)]
pub struct DiscoverError {
    /// The path, as it is shown.
    pub path: String,
    /// What is wrong.
    pub kind: DiscoverErrorKind,
}

/// The kinds of [`DiscoverError`].
#[derive(Debug)]
pub enum DiscoverErrorKind {
    /// There is nothing at that path.
    NotFound,
    /// No skill is in the directory or below it.
    NoSkill,
    /// The directory has a `skill.toml`, and no skill file.
    NoSkillFile,
    /// The file is not part of a skill.
    NotInSkill,
    /// The skill's file is a directory.
    IsDirectory,
    /// The skill's file is a pipe, a socket or a device.
    NotAFile,
    /// The skill's file is a symbolic link that leads out of the project.
    LinkOutside,
    /// The skill's file is a broken symbolic link.
    BrokenLink,
    /// A file with rules for what git ignores, or one that leads to it, cannot be used.
    IgnoreFile(ReadError),
    /// The system refuses.
    Io(io::Error),
    /// Something panicked while the skill was read or checked.
    Internal(InternalError),
}

impl fmt::Display for DiscoverError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().shown(&()).fmt(f)
    }
}

impl std::error::Error for DiscoverError {}

impl DiscoverError {
    /// Returns what is wrong, with the path.
    pub fn message(&self) -> Message {
        let path = quote_in_full(&self.path);
        match &self.kind {
            DiscoverErrorKind::NotFound => message![path, ": no such file or directory"],
            DiscoverErrorKind::NoSkill => {
                message![path, ": contains no skill: no directory in it has a SKILL.md"]
            }
            DiscoverErrorKind::NoSkillFile => {
                message![path, ": has a `", PROTOCOL_FILE_NAME, "`, but no SKILL.md"]
            }
            DiscoverErrorKind::NotInSkill => {
                message![path, ": not part of a skill: no directory above it has a SKILL.md"]
            }
            DiscoverErrorKind::IsDirectory => {
                message![path, ": is a directory; expected a SKILL.md file"]
            }
            DiscoverErrorKind::NotAFile => {
                message![path, ": is a pipe, a socket or a device; expected a SKILL.md file"]
            }
            DiscoverErrorKind::LinkOutside => {
                message![path, ": is a symbolic link to a file outside the project"]
            }
            DiscoverErrorKind::BrokenLink => message![path, ": is a broken symbolic link"],
            DiscoverErrorKind::IgnoreFile(ReadError::Io(error)) => {
                let error = error.to_string();
                let error = quote_in_full(&error);
                message![path, ": cannot be read: ", error, "; its rules are not used"]
            }
            DiscoverErrorKind::IgnoreFile(error) => {
                message![path, ": ", quote_in_full(&error.to_string()), "; its rules are not used"]
            }
            DiscoverErrorKind::Io(error) => {
                message![path, ": cannot be read: ", quote_in_full(&error.to_string())]
            }
            DiscoverErrorKind::Internal(error) => {
                message![path, ": ", quote_in_full(&error.to_string())]
            }
        }
    }

    /// Returns `true` if the path exists and nothing is wrong with it, but it is not part of a skill
    /// and contains none.
    pub const fn is_without_skill(&self) -> bool {
        matches!(self.kind, DiscoverErrorKind::NoSkill | DiscoverErrorKind::NotInSkill)
    }

    pub(super) fn new(path: impl Into<String>, kind: DiscoverErrorKind) -> Self {
        Self { path: path.into(), kind }
    }

    pub(super) fn io(path: impl Into<String>, error: io::Error) -> Self {
        let kind = match error.kind() {
            io::ErrorKind::NotFound => DiscoverErrorKind::NotFound,
            _ => DiscoverErrorKind::Io(error),
        };
        Self::new(path, kind)
    }
}
