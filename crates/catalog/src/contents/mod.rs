//! The files of a skill in memory, their list, and the digest of the whole.

mod builder;
mod bundle_digest;
mod error;
mod files;
mod skill_contents;

pub use builder::{ContentsBuilder, ContentsLimits};
pub use bundle_digest::bundle_digest;
pub use error::ContentsError;
pub use files::{FileContents, ListedFile};
pub use skill_contents::SkillContents;
