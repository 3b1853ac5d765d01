//! What a walk finds of a skill: its directory and the names of its files.

use std::path::PathBuf;

use super::paths::{NO_PATH, shown_path};
use crate::skill::{NestedFiles, SKILL_FILE_NAME};

/// A skill that was found, not read yet.
#[derive(Debug)]
pub struct FoundSkill {
    /// The directory, as it is opened.
    pub directory: PathBuf,
    /// The directory, as it is shown.
    pub shown: String,
    /// The name of its skill file, as it is written on disk.
    pub skill_file: String,
    /// The paths of its files from the directory, sorted; at most `FILES_MAX`, and `sprout.yaml`
    /// wherever it comes in their order. Of a skill further down, only the skill's file.
    pub(super) files: Vec<FoundFile>,
    /// How many more files there are.
    pub(super) files_left_out: usize,
    /// The files of the skills further down.
    pub(super) nested: NestedFiles,
    /// The content of its file, if that is not read from a disk.
    pub(super) text: Option<Vec<u8>>,
}

impl FoundSkill {
    /// Returns a skill that consists of this `SKILL.md` alone, such as one from standard input.
    pub fn of_text(text: Vec<u8>) -> Self {
        Self {
            directory: PathBuf::new(),
            shown: NO_PATH.to_owned(),
            skill_file: SKILL_FILE_NAME.to_owned(),
            files: Vec::new(),
            files_left_out: 0,
            nested: NestedFiles::default(),
            text: Some(text),
        }
    }

    /// Returns a skill in a directory whose files are not known yet.
    pub(super) fn without_files(directory: PathBuf, skill_file: &str) -> Self {
        Self {
            shown: shown_path(&directory),
            directory,
            skill_file: skill_file.to_owned(),
            text: None,
            ..Self::of_text(Vec::new())
        }
    }

    /// The path of the skill's own file, as it is shown.
    pub fn shown_skill_file(&self) -> String {
        self.shown_file(&self.skill_file)
    }

    /// Returns the paths of its files, as they are opened.
    pub fn files(&self) -> impl Iterator<Item = PathBuf> {
        self.files.iter().map(|file| self.directory.join(&file.path))
    }

    /// Returns the paths of its files from the directory, sorted, with their types. Of a skill further
    /// down, only the skill's file is among them.
    pub fn listed_files(&self) -> impl Iterator<Item = (&str, FoundKind)> {
        self.files.iter().map(|file| (file.path.as_str(), file.kind))
    }

    /// Adds a regular file, unless there is a file at the path.
    pub(super) fn add_file(&mut self, path: &str) {
        let place = self.files.partition_point(|file| file.path.as_str() < path);
        if self.files.iter().all(|file| file.path != path) {
            let file = FoundFile { path: path.to_owned(), kind: FoundKind::Regular };
            self.files.insert(place, file);
        }
    }

    pub(super) fn shown_file(&self, file: &str) -> String {
        if self.shown.is_empty() { file.to_owned() } else { format!("{}/{file}", self.shown) }
    }
}

/// A file in a skill's directory.
#[derive(Debug)]
pub(super) struct FoundFile {
    /// The path from the directory, with `/` between its parts.
    pub(super) path: String,
    /// Its type in the directory's listing.
    pub(super) kind: FoundKind,
}

/// The type of a file in a directory's listing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FoundKind {
    /// A regular file.
    Regular,
    /// A symbolic link.
    Link,
    /// A pipe, a socket or a device.
    Special,
    /// A directory that has the name of a file.
    Directory,
}
