//! Why some files are not those of a skill.

use dibber_text::{Message, message, quote_display};

use crate::path::{PathError, SkillPath};

/// Why a file cannot be one of a skill, or all of them are not a skill.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContentsError {
    /// The path of a file.
    Path(PathError),
    /// It is in a directory that tools keep beside a skill, such as `.git`.
    NotPart(SkillPath),
    /// Two files are the same one on some systems, or a file is where another one has a directory.
    Collision(SkillPath, SkillPath),
    /// There are more than this many files.
    TooManyFiles(usize),
    /// The files have more than this many bytes.
    TooLarge(u64),
    /// There is no `SKILL.md`.
    NoSkillFile,
}

impl ContentsError {
    /// Returns what is wrong.
    pub fn message(&self) -> Message {
        match self {
            Self::Path(error) => error.message.clone(),
            Self::NotPart(path) => {
                message!["`", quote_display(path), "` is of a tool, and cannot be part of a skill"]
            }
            Self::Collision(first, second) => message![
                "`",
                quote_display(first),
                "` and `",
                quote_display(second),
                "` are the same file on some systems"
            ],
            Self::TooManyFiles(max) => message!["it has more than ", *max, " files"],
            Self::TooLarge(max) => message!["it has more than ", *max >> 20, " MiB"],
            Self::NoSkillFile => "it has no `SKILL.md`".into(),
        }
    }
}
