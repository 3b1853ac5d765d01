//! A file of a skill, with and without its content.

use crate::digest::Digest;
use crate::path::SkillPath;

/// A file in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileContents {
    /// The content.
    pub bytes: Vec<u8>,
    /// It can be executed, on systems that record it.
    pub is_executable: bool,
}

/// A file of a skill without its content.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListedFile {
    /// The path from the directory of the skill.
    pub path: SkillPath,
    /// The number of bytes.
    pub size: u64,
    /// The digest of the bytes.
    pub digest: Digest,
    /// It can be executed, on systems that record it.
    pub is_executable: bool,
}
