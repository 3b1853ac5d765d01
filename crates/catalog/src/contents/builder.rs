//! Collecting the files of a skill, which may come from anyone.

use std::collections::{BTreeMap, HashMap};

use dibber_skill::skill::SKILL_FILE_NAMES;
use dibber_text::is_skill_part;

use super::error::ContentsError;
use super::files::FileContents;
use super::skill_contents::SkillContents;
use crate::path::SkillPath;

/// How much a skill may contain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ContentsLimits {
    /// The most files.
    pub files_max: usize,
    /// The most bytes of all files.
    pub bytes_max: u64,
}

impl ContentsLimits {
    /// What is accepted of others and from folders: 10,000 files of 64 MiB.
    pub const ACCEPTED: Self = Self { files_max: 10_000, bytes_max: 64 << 20 };

    /// What every host of the extension of MCP accepts (SEP-2640, section "Limits"): 512 files of 16 MiB.
    pub const MCP: Self = Self { files_max: 512, bytes_max: 16 << 20 };
}

/// The files of a skill so far.
#[derive(Debug)]
pub struct ContentsBuilder {
    limits: ContentsLimits,
    files: BTreeMap<SkillPath, FileContents>,
    bytes: u64,
    taken: HashMap<String, Taken>,
}

/// What has a path, ignoring case and accents.
#[derive(Debug)]
enum Taken {
    File(SkillPath),
    /// A directory as it is spelt, with a file in it.
    Directory(String, SkillPath),
}

impl ContentsBuilder {
    /// Creates a builder without files.
    pub fn new(limits: ContentsLimits) -> Self {
        Self { limits, files: BTreeMap::new(), bytes: 0, taken: HashMap::new() }
    }

    /// Returns how many more bytes there may be.
    pub fn bytes_left(&self) -> u64 {
        self.limits.bytes_max - self.bytes
    }

    /// Adds a file.
    pub fn insert(&mut self, path: SkillPath, file: FileContents) -> Result<(), ContentsError> {
        if !path.as_str().split('/').all(is_skill_part) {
            return Err(ContentsError::NotPart(path));
        }
        if self.files.len() == self.limits.files_max {
            return Err(ContentsError::TooManyFiles(self.limits.files_max));
        }
        let bytes = file.bytes.len() as u64;
        if bytes > self.bytes_left() {
            return Err(ContentsError::TooLarge(self.limits.bytes_max));
        }
        self.take(&path)?;
        self.bytes += bytes;
        self.files.insert(path, file);
        Ok(())
    }

    /// Notes a path and its directories, none of which may be another one on any system.
    fn take(&mut self, path: &SkillPath) -> Result<(), ContentsError> {
        let folded = path.folded();
        if let Some(Taken::File(other) | Taken::Directory(_, other)) = self.taken.get(&folded) {
            return Err(ContentsError::Collision(other.clone(), path.clone()));
        }
        let mut folded_directory = folded.as_str();
        for directory in path.directories() {
            folded_directory = folded_directory.rsplit_once('/').map_or("", |(above, _)| above);
            match self.taken.get(folded_directory) {
                Some(Taken::File(other)) => {
                    return Err(ContentsError::Collision(other.clone(), path.clone()));
                }
                Some(Taken::Directory(spelt, other)) if spelt != directory => {
                    return Err(ContentsError::Collision(other.clone(), path.clone()));
                }
                // The directories above it are noted as well.
                Some(Taken::Directory(..)) => break,
                None => {
                    let taken = Taken::Directory(directory.to_owned(), path.clone());
                    self.taken.insert(folded_directory.to_owned(), taken);
                }
            }
        }
        self.taken.insert(folded, Taken::File(path.clone()));
        Ok(())
    }

    /// Returns `true` if a file has that path, ignoring case and accents.
    pub(crate) fn is_file(&self, path: &SkillPath) -> bool {
        matches!(self.taken.get(&path.folded()), Some(Taken::File(_)))
    }

    /// Returns the files, whether or not one of them is a skill file.
    pub(crate) fn into_files(self) -> BTreeMap<SkillPath, FileContents> {
        self.files
    }

    /// Returns the contents, which have a skill file.
    pub fn finish(self) -> Result<SkillContents, ContentsError> {
        if SKILL_FILE_NAMES.iter().any(|name| self.files.contains_key(*name)) {
            return Ok(SkillContents { files: self.files });
        }
        Err(ContentsError::NoSkillFile)
    }
}
