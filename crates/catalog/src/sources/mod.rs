//! Where skills come from, and what is there.

mod archive_source;
mod folder;
mod foreign_lock;
mod git;
mod offered;
mod source;

pub use archive_source::ArchiveSource;
pub use folder::FolderSource;
pub use foreign_lock::{FOREIGN_LOCK_FILE, ForeignSkill, parse_foreign_lock};
pub use git::GitSource;
pub use offered::{OfferedSkill, OpenSource, SourceError, SourceErrorKind};
pub use source::{GitAddress, InvalidSource, SkillSource, is_same_origin, pinned_revision};
