//! What is wrong with a `skill.toml`.

use super::model::PROTOCOL_BYTES_MAX;
use crate::skill::{FileKind, PROTOCOL_FILE_NAME};
use dibber_text::{Problem, Span, message};

/// What to do about a manifest that is too large.
pub(super) const TOO_LARGE_HELP: &str =
    "keep only what the manifest needs; instructions belong in `SKILL.md`";

/// Something that is wrong with a `skill.toml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProtocolProblem {
    /// Its kind.
    pub kind: ProtocolProblemKind,
    /// What is wrong, and where.
    pub problem: Problem,
}

/// The kinds of [`ProtocolProblem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProtocolProblemKind {
    /// It is not TOML, a value is not valid, or something that is needed is missing.
    Invalid,
    /// A key that has no meaning here.
    UnknownKey,
    /// The name is not a dotted one.
    InvalidName,
    /// The version is not a semantic one.
    InvalidVersion,
    /// The file that is to be run is not named, or is not there.
    MissingEntrypoint,
    /// The file that is run does not define the function that is called, or without a parameter.
    MissingExport,
    /// The name is not that of the directory.
    NameNotDirectory,
    /// The code reads a secret that the manifest does not ask for.
    UndeclaredSecret,
    /// The skill asks for something that no run has, a network or packages, or has files that are not
    /// copied for one.
    Unrunnable,
}

impl ProtocolProblem {
    /// Returns `true` if the skill can be used in spite of it: a key that is unknown here may have a meaning
    /// for others.
    pub fn is_harmless(&self) -> bool {
        self.kind == ProtocolProblemKind::UnknownKey
    }

    /// Creates the problem of a manifest that has no text, because of the kind of the file.
    pub(super) fn unreadable(kind: &FileKind) -> Self {
        let (is, help) = match kind {
            FileKind::LinkInside | FileKind::LinkOutside(_) | FileKind::LinkBroken(_) => {
                ("is a symbolic link, which is not followed", "replace it by the file itself")
            }
            FileKind::Special => {
                ("is a pipe, a socket or a device", "replace it by a regular text file")
            }
            FileKind::Directory => ("is a directory", "replace it by a regular text file"),
            FileKind::Regular(bytes) if *bytes > PROTOCOL_BYTES_MAX as u64 => {
                ("is larger than 64 KiB, and was not read", TOO_LARGE_HELP)
            }
            FileKind::Regular(_) => ("cannot be read as text", "write it as a UTF-8 text file"),
        };
        let message = message!["`", PROTOCOL_FILE_NAME, "` ", is];
        let problem = Problem::new(Span::default(), message).with_help(help);
        Self { kind: ProtocolProblemKind::Invalid, problem }
    }
}
