//! The directories of the URIs of skills.

use std::collections::BTreeMap;

/// Something in a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DirectoryEntry<'a> {
    /// A file, by its URI.
    File(&'a str),
    /// A directory, by its URI, without `/` at its end.
    Directory(&'a str),
}

impl<'a> DirectoryEntry<'a> {
    /// Returns the URI.
    pub const fn uri(self) -> &'a str {
        match self {
            Self::File(uri) | Self::Directory(uri) => uri,
        }
    }
}

/// Returns what is directly in a directory, sorted by URI; nothing if there is no such directory. `uri` has
/// no `/` at its end.
pub(super) fn entries<'a, T>(files: &'a BTreeMap<String, T>, uri: &str) -> Vec<DirectoryEntry<'a>> {
    let directory = format!("{uri}/");
    let mut entries = Vec::new();
    let mut from = directory.clone();
    while let Some((file, _)) = files.range(from..).next() {
        let Some(below) = file.strip_prefix(&directory) else { break };
        match below.find('/') {
            None => {
                entries.push(DirectoryEntry::File(file));
                // The next string after this one.
                from = format!("{file}\0");
            }
            Some(end) => {
                let child = &file[..directory.len() + end];
                entries.push(DirectoryEntry::Directory(child));
                // `0` comes right after `/`.
                from = format!("{child}0");
            }
        }
    }
    entries.sort_by_key(|entry| entry.uri());
    entries
}
