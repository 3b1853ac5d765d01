//! What a directory contains.

use std::ffi::OsString;

/// Something in a directory.
#[derive(Debug)]
pub struct FolderEntry {
    /// Its name.
    pub name: OsString,
    /// What it is; a symbolic link is not followed.
    pub kind: EntryKind,
}

impl FolderEntry {
    /// Returns `true` if it is a directory.
    pub fn is_directory(&self) -> bool {
        self.kind == EntryKind::Directory
    }
}

/// What kind of entry a directory has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, wherever it leads.
    Link,
    /// A pipe, a socket or a device.
    Special,
}
