//! What is recorded of a skill that was added.

use std::collections::BTreeMap;

use crate::contents::{ListedFile, SkillContents};
use crate::digest::Digest;
use crate::path::SkillPath;

/// A skill that was added: where it comes from, where it is, and what it was.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AddedSkill {
    /// The name of its directories.
    pub name: String,
    /// Where it comes from, as it can be added again.
    pub source: String,
    /// Which version of the source it is: a commit, or the digest of an archive.
    pub revision: Option<String>,
    /// Its directory in the source; empty at the top.
    pub path: String,
    /// The directories that are copies, from the root, sorted.
    pub directories: Vec<String>,
    /// The symbolic links to the first of the directories, from the root, sorted.
    pub links: Vec<String>,
    /// The digest of the whole.
    pub digest: Digest,
    /// Its files.
    pub files: BTreeMap<SkillPath, AddedFile>,
}

/// What is recorded of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddedFile {
    /// The digest of its bytes.
    pub digest: Digest,
    /// It can be executed.
    pub is_executable: bool,
}

impl AddedSkill {
    /// Returns the files of contents as they are recorded.
    pub fn files_of(contents: &SkillContents) -> BTreeMap<SkillPath, AddedFile> {
        contents
            .list()
            .into_iter()
            .map(|file| (file.path.clone(), AddedFile::from(&file)))
            .collect()
    }

    /// Returns `true` if these are exactly the files that are recorded.
    pub fn is(&self, contents: &SkillContents) -> bool {
        self.digest == contents.digest() && self.files == Self::files_of(contents)
    }

    /// Returns every place where it is, copies first.
    pub fn places(&self) -> impl Iterator<Item = &str> {
        self.directories.iter().chain(&self.links).map(String::as_str)
    }
}

impl From<&ListedFile> for AddedFile {
    fn from(file: &ListedFile) -> Self {
        Self { digest: file.digest, is_executable: file.is_executable }
    }
}
