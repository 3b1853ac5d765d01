//! The files of a skill in memory.

use std::collections::BTreeMap;

use dibber_skill::skill::{SKILL_FILE_NAMES, Skill};

use super::bundle_digest::bundle_digest;
use super::files::{FileContents, ListedFile};
use crate::description::{Description, describe};
use crate::digest::Digest;
use crate::path::SkillPath;
use crate::skill_file::parse_skill_file;

/// The files of a skill, by their paths. No two of them are the same file on any system, and one of them
/// is `SKILL.md`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillContents {
    pub(super) files: BTreeMap<SkillPath, FileContents>,
}

impl SkillContents {
    /// Returns the files, sorted by path.
    pub fn files(&self) -> impl ExactSizeIterator<Item = (&SkillPath, &FileContents)> {
        self.files.iter()
    }

    /// Returns the file at that path.
    pub fn file(&self, path: &str) -> Option<&FileContents> {
        self.files.get(path)
    }

    /// Returns the number of bytes of all files.
    pub fn size(&self) -> u64 {
        self.files.values().map(|file| file.bytes.len() as u64).sum()
    }

    /// Returns the path and the content of the skill's own file.
    pub fn skill_file(&self) -> (&SkillPath, &FileContents) {
        let own = SKILL_FILE_NAMES.iter().find_map(|name| self.files.get_key_value(*name));
        own.unwrap_or_else(|| unreachable!("contents are built with a skill file"))
    }

    /// Returns the list of the files, sorted by path.
    pub fn list(&self) -> Vec<ListedFile> {
        let list = |(path, file): (&SkillPath, &FileContents)| ListedFile {
            path: path.clone(),
            size: file.bytes.len() as u64,
            digest: Digest::of(&file.bytes),
            is_executable: file.is_executable,
        };
        self.files.iter().map(list).collect()
    }

    /// Returns the digest of the skill as a whole: see [`bundle_digest`].
    pub fn digest(&self) -> Digest {
        bundle_digest(&self.list(), &self.skill_file().1.bytes)
    }

    /// Parses the skill's own file.
    pub fn parse(&self) -> Skill {
        let (path, file) = self.skill_file();
        parse_skill_file(path.as_str(), file.bytes.clone())
    }

    /// Returns what the skill says of itself.
    pub fn describe(&self) -> Description {
        describe(&self.parse())
    }
}
