//! Where skills come from, and what is there.

mod folder;
mod git;
mod offered;
mod source;

pub use folder::FolderSource;
pub use git::GitSource;
pub use offered::{OfferedSkill, OpenSource, SourceError, SourceErrorKind};
pub use source::{GitAddress, InvalidSource, SkillSource};
