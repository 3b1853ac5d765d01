//! What a directory contains.

use std::ffi::OsString;

/// Something in a directory.
#[derive(Debug)]
pub(crate) struct FolderEntry {
    pub(crate) name: OsString,
    pub(crate) is_directory: bool,
}
