//! Files whose content is not the one on disk: the unsaved buffers of an editor, or what is about to
//! be written.

use std::collections::BTreeMap;
use std::path::Path;

use super::found::FoundSkill;
use super::paths::shown_path;

/// The content of files that are not saved yet. It replaces the content of a file that was found.
#[derive(Clone, Debug, Default)]
pub struct Overlays {
    /// By the path of the file, as it is shown.
    contents: BTreeMap<String, Vec<u8>>,
}

impl Overlays {
    /// Sets the content of the file at a path, which has to begin like the path under which the
    /// file is found: both absolute, or both from the current directory.
    pub fn insert(&mut self, path: &Path, bytes: Vec<u8>) {
        self.contents.insert(shown_path(path), bytes);
    }

    /// Sets the content of a file of a skill, which does not have to be on disk.
    pub fn insert_file(&mut self, skill: &mut FoundSkill, file: &str, bytes: Vec<u8>) {
        skill.add_file(file);
        self.contents.insert(skill.shown_file(file), bytes);
    }

    /// Removes the content of a file, so that the one on disk is read again.
    pub fn remove(&mut self, path: &Path) {
        self.contents.remove(&shown_path(path));
    }

    /// Returns the content of the file that is shown as `path`.
    pub(super) fn get(&self, path: &str) -> Option<&[u8]> {
        self.contents.get(path).map(Vec::as_slice)
    }
}
