//! What a source has: the same for every kind of source.

use dibber_text::Message;

use crate::contents::{ContentsLimits, SkillContents};
use crate::description::describe;
use crate::folder::FolderProblem;
use crate::skill_file::parse_skill_file;

/// A skill of a source, which is not read yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedSkill {
    /// Its directory in the source; empty at the top.
    pub path: String,
    /// The name in its frontmatter.
    pub name: String,
    /// What it says of itself.
    pub description: String,
}

/// A source that was opened: what it has, and the files of one skill after the other.
pub trait OpenSource {
    /// Returns the source as it is recorded and can be opened again.
    fn address(&self) -> String;

    /// Returns which version of the source this is, if it has versions.
    fn revision(&self) -> Option<String>;

    /// Returns the skills, sorted by path.
    fn skills(&self) -> &[OfferedSkill];

    /// Reads the files of a skill, with what cannot be part of it.
    fn read(
        &self,
        path: &str,
        limits: ContentsLimits,
    ) -> Result<(SkillContents, Vec<FolderProblem>), SourceError>;
}

/// Why a source cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SourceError {
    /// What is wrong.
    pub message: Message,
    /// Whose fault it is.
    pub kind: SourceErrorKind,
}

/// Whose fault it is that a source cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SourceErrorKind {
    /// What was asked for is not there.
    NotFound,
    /// What is there cannot be accepted.
    Refused,
    /// The source cannot be reached, or a program that is needed for it fails.
    Failed,
}

impl SourceError {
    /// Returns an error with this message.
    pub fn new(kind: SourceErrorKind, message: impl Into<Message>) -> Self {
        Self { message: message.into(), kind }
    }
}

impl OfferedSkill {
    /// Returns the skill in a directory with this `SKILL.md`. Without a name in it, it has that of the
    /// directory.
    pub(crate) fn new(path: &str, skill_file: Vec<u8>) -> Self {
        let described = describe(&parse_skill_file("SKILL.md", skill_file)).description;
        let directory = path.rsplit('/').next().unwrap_or(path).to_owned();
        match described {
            Some(it) => Self { path: path.to_owned(), name: it.name, description: it.description },
            None => Self { path: path.to_owned(), name: directory, description: String::new() },
        }
    }
}
