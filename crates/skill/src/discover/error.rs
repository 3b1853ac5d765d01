//! What keeps a path from being checked.

use std::fmt;
use std::io;

use dibber_text::file::ReadError;
use dibber_text::isolation::InternalError;

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
    /// The file is not part of a skill.
    NotInSkill,
    /// The skill's file is a directory.
    IsDirectory,
    /// The skill's file is a pipe, a socket or a device.
    NotAFile,
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
        f.write_str(&self.message_at(&self.path))
    }
}

impl std::error::Error for DiscoverError {}

impl DiscoverError {
    /// Returns the message, with the path shown in another way.
    pub fn message_at(&self, path: &str) -> String {
        let path = dibber_text::escape_line(path);
        match &self.kind {
            DiscoverErrorKind::NotFound => format!("{path}: there is no such file or directory"),
            DiscoverErrorKind::NoSkill => {
                format!("{path}: contains no skill: no directory in it has a SKILL.md")
            }
            DiscoverErrorKind::NotInSkill => {
                format!("{path}: not part of a skill: no directory above it has a SKILL.md")
            }
            DiscoverErrorKind::IsDirectory => {
                format!("{path}: is a directory; expected a SKILL.md file")
            }
            DiscoverErrorKind::NotAFile => {
                format!("{path}: is a pipe, a socket or a device; expected a SKILL.md file")
            }
            DiscoverErrorKind::BrokenLink => format!("{path}: is a broken symbolic link"),
            DiscoverErrorKind::IgnoreFile(ReadError::Io(error)) => {
                format!("{path}: cannot be read: {error}; its rules are not used")
            }
            DiscoverErrorKind::IgnoreFile(error) => {
                format!("{path}: {error}; its rules are not used")
            }
            DiscoverErrorKind::Io(error) => format!("{path}: cannot be read: {error}"),
            DiscoverErrorKind::Internal(error) => format!("{path}: {error}"),
        }
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
