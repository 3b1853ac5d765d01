//! What a directory contains.

use std::ffi::{OsStr, OsString};

/// Directories that are not part of a skill: what they contain may be private.
const SKIPPED: [&str; 4] = [".git", ".hg", ".jj", "__pycache__"];

/// Returns `true` if no directory with this name is part of a skill.
pub(super) fn is_skipped(name: &OsStr) -> bool {
    SKIPPED.iter().any(|skipped| name.eq_ignore_ascii_case(skipped))
}

/// Something in a directory.
#[derive(Debug)]
pub(crate) struct FolderEntry {
    pub(crate) name: OsString,
    pub(crate) is_directory: bool,
}
