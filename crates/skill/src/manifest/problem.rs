//! What is wrong with a manifest.

use super::model::{MANIFEST_BYTES_MAX, MANIFEST_FILE_NAME};
use crate::skill::FileKind;
use dibber_text::{Problem, Span, message, quote};

/// What to do about a manifest that is too large.
pub(super) const TOO_LARGE_HELP: &str =
    "keep only how the skill is published in it; the agent's instructions belong in `SKILL.md`";

/// Something that is wrong with a manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ManifestProblem {
    /// Its kind.
    pub kind: ManifestProblemKind,
    /// What is wrong, and where.
    pub problem: Problem,
    /// The parser's message, when these lines are not YAML.
    pub syntax: Option<SyntaxError>,
}

/// The kinds of [`ManifestProblem`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ManifestProblemKind {
    /// A key that has no meaning here.
    UnknownKey,
    /// It is not YAML, a value has the wrong type, or something that is needed is missing.
    Invalid,
}

/// Lines that are not YAML, to search for the cause in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SyntaxError {
    /// The parser's message.
    pub message: String,
    /// The lines that belong to the same key, with their line breaks.
    pub entry: Span,
}

impl ManifestProblem {
    /// Creates a problem of the kind [`ManifestProblemKind::Invalid`].
    pub(crate) const fn invalid(problem: Problem) -> Self {
        Self { kind: ManifestProblemKind::Invalid, problem, syntax: None }
    }

    /// Creates the problem of a manifest that has another file name.
    pub fn misnamed(name: &str) -> Self {
        let message = message![
            "`",
            quote(name),
            "` is not read: the file name is `",
            MANIFEST_FILE_NAME,
            "`"
        ];
        let help = message!["rename it to `", MANIFEST_FILE_NAME, "`"];
        Self::invalid(Problem::new(Span::default(), message).with_help(help))
    }

    /// Creates the problem of a manifest that has no text, because of the kind of the file.
    pub fn unreadable(kind: &FileKind) -> Self {
        let (is, help) = match kind {
            FileKind::LinkInside | FileKind::LinkOutside(_) | FileKind::LinkBroken(_) => {
                ("is a symbolic link, which is not followed", "replace it by the file itself")
            }
            FileKind::Special => {
                ("is a pipe, a socket or a device", "replace it by a regular text file")
            }
            FileKind::Directory => ("is a directory", "replace it by a regular text file"),
            FileKind::Regular(bytes) if *bytes > MANIFEST_BYTES_MAX as u64 => {
                ("is larger than 64 KiB, and was not read", TOO_LARGE_HELP)
            }
            FileKind::Regular(_) => ("cannot be read", "check its permissions"),
        };
        let message = message!["`", MANIFEST_FILE_NAME, "` ", is];
        Self::invalid(Problem::new(Span::default(), message).with_help(help))
    }
}
