//! A skill that is offered, and reading its files.

use std::path::PathBuf;

use serde_json::{Map, Value};

use dibber_text::folder::{FileError, Folder, read_whole};

use crate::contents::{ContentsLimits, ListedFile, SkillContents};
use crate::digest::Digest;
use crate::media_type::media_type;
use crate::path::SkillPath;
use crate::skill_uri::escape_path;

/// A skill that is offered.
#[derive(Debug)]
pub struct OfferedSkill {
    /// The URI of its `SKILL.md`.
    pub uri: String,
    /// Its name: the last directory of the URI.
    pub name: String,
    /// What it says that it is for.
    pub description: String,
    /// All of its frontmatter, as the author wrote it.
    pub frontmatter: Map<String, Value>,
    /// Its files, sorted by path, with those of skills in directories below.
    pub files: Vec<OfferedFile>,
    pub(super) source: OfferedSource,
}

/// A file of a skill that is offered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OfferedFile {
    /// Its URI.
    pub uri: String,
    /// Its path from the directory of the skill, as it is on disk.
    pub path: SkillPath,
    /// The number of bytes.
    pub size: u64,
    /// The digest of the bytes.
    pub digest: Digest,
}

impl OfferedFile {
    /// Returns the file with its URI below the directory of its skill.
    pub(super) fn new(directory: &str, file: &ListedFile, name: &str) -> Self {
        let uri = format!("{directory}{}", escape_path(name));
        Self { uri, path: file.path.clone(), size: file.size, digest: file.digest }
    }

    /// Returns the media type, by the name.
    pub fn media_type(&self) -> &'static str {
        media_type(self.path.file_name())
    }
}

/// Where the files of a skill are.
#[derive(Debug)]
pub(super) enum OfferedSource {
    Folder(PathBuf),
    Memory(SkillContents),
}

/// Why a file that is offered cannot be read.
#[derive(Debug)]
pub enum ReadOfferedError {
    /// It is not what was listed any more.
    Changed,
    /// The system cannot read it.
    File(FileError),
}

impl OfferedSkill {
    /// Reads a file. What is returned has the digest that is listed.
    pub fn read(&self, file: &OfferedFile) -> Result<Vec<u8>, ReadOfferedError> {
        let path = file.path.as_str();
        let bytes = match &self.source {
            OfferedSource::Memory(contents) => {
                contents.file(path).map(|file| file.bytes.clone()).unwrap_or_default()
            }
            OfferedSource::Folder(directory) => {
                let real = directory.canonicalize().map_err(FileError::from);
                let file = real.and_then(|real| Folder::open(&real)?.open_file(path));
                let bytes = file.and_then(|file| read_whole(file, ContentsLimits::MCP.bytes_max));
                bytes.map_err(|error| match error {
                    FileError::Io(_) => ReadOfferedError::File(error),
                    // It was removed, or replaced by something else.
                    _ => ReadOfferedError::Changed,
                })?
            }
        };
        let is_listed = bytes.len() as u64 == file.size && Digest::of(&bytes) == file.digest;
        if is_listed { Ok(bytes) } else { Err(ReadOfferedError::Changed) }
    }
}
