//! Opening by path, for systems without descriptors of directories.

use std::fs::{self, File, FileType, Metadata};
use std::path::{Path, PathBuf};

use super::entry::{EntryKind, FolderEntry};
use super::error::FileError;
use crate::is_skill_part;

/// A directory.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Opens the directory at a path without symbolic links, such as a canonical one.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        check_directory(path)?;
        Ok(Self(path.to_owned()))
    }

    /// Returns what the system knows about the directory.
    pub fn metadata(&self) -> Result<Metadata, FileError> {
        fs::symlink_metadata(&self.0).map_err(to_error)
    }

    /// Opens a regular file at a valid path.
    pub fn open_file(&self, path: &str) -> Result<File, FileError> {
        let full = self.checked(path)?;
        let kind = fs::symlink_metadata(&full)?.file_type();
        if kind.is_symlink() {
            return Err(FileError::Link);
        }
        if kind.is_dir() {
            return Err(FileError::Directory);
        }
        if !kind.is_file() {
            return Err(FileError::Special);
        }
        let file = File::open(&full)?;
        let opened = file.metadata().map_err(FileError::Io)?;
        // The path may lead elsewhere by now: then the two differ.
        let is_inside =
            |real: PathBuf| fs::canonicalize(&self.0).is_ok_and(|root| real.starts_with(root));
        if !opened.is_file() || !fs::canonicalize(&full).is_ok_and(is_inside) {
            return Err(FileError::Link);
        }
        Ok(file)
    }

    /// Returns what is in the directory at a valid path, or in this one if it is empty; none if that
    /// is more than `entries_max`.
    pub fn entries(
        &self,
        path: &str,
        entries_max: usize,
    ) -> Result<Option<Vec<FolderEntry>>, FileError> {
        let full = if path.is_empty() { self.0.clone() } else { self.checked(path)? };
        check_directory(&full)?;
        let mut entries = Vec::new();
        for entry in fs::read_dir(&full)? {
            let entry = entry.map_err(FileError::Io)?;
            let name = entry.file_name();
            if !is_skill_part(&name) {
                continue;
            }
            if entries.len() == entries_max {
                return Ok(None);
            }
            let kind = entry.file_type().map_or(EntryKind::Special, entry_kind);
            entries.push(FolderEntry { name, kind });
        }
        Ok(Some(entries))
    }

    /// Returns the path of a file, no directory before which is a symbolic link.
    fn checked(&self, path: &str) -> Result<PathBuf, FileError> {
        check_directory(&self.0)?;
        let mut full = self.0.clone();
        let names: Vec<_> = path.split('/').collect();
        if !names.iter().all(is_skill_part) {
            return Err(FileError::NotFound);
        }
        for (at, name) in names.iter().enumerate() {
            full.push(name);
            if at + 1 < names.len() {
                check_directory(&full)?;
            }
        }
        Ok(full)
    }
}

fn entry_kind(file_type: FileType) -> EntryKind {
    match file_type {
        kind if kind.is_file() => EntryKind::File,
        kind if kind.is_dir() => EntryKind::Directory,
        kind if kind.is_symlink() => EntryKind::Link,
        _ => EntryKind::Special,
    }
}

fn check_directory(path: &Path) -> Result<(), FileError> {
    match fs::symlink_metadata(path)?.file_type() {
        kind if kind.is_symlink() => Err(FileError::Link),
        kind if kind.is_dir() => Ok(()),
        _ => Err(FileError::NotADirectory),
    }
}
