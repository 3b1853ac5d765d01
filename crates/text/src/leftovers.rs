//! Temporary files that a process has left because it was killed.
//!
//! A process that writes a temporary file holds a lock on it, which ends with the process. So a file
//! that can be locked belongs to no process, however old it is.

use std::fs::{self, DirEntry};
use std::path::Path;

use tempfile::NamedTempFile;

use crate::file::open_regular;

/// What the names of temporary files begin with.
pub(crate) const PREFIX: &str = ".dibber-";
/// What they end with.
pub(crate) const SUFFIX: &str = ".tmp";
/// The most entries of a directory that are looked at.
const ENTRIES_MAX: usize = 10_000;

/// Locks a new temporary file for as long as it is open. Returns `false` if another process has
/// removed it before it was locked.
pub(crate) fn lock(temporary: &NamedTempFile) -> bool {
    // Where files cannot be locked, none is removed either.
    let _ = temporary.as_file().lock();
    temporary.path().exists()
}

/// Removes the temporary files of a directory that no process is writing.
pub(crate) fn remove(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.take(ENTRIES_MAX).filter(is_temporary) {
        let path = entry.path();
        let Ok(file) = open_regular(&path) else { continue };
        if file.try_lock().is_ok() {
            // Another process may have removed it.
            let _ = fs::remove_file(&path);
        }
    }
}

fn is_temporary(entry: &DirEntry) -> bool {
    let name = entry.file_name();
    let random = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    random.is_some_and(|random| random.bytes().all(|byte| byte.is_ascii_alphanumeric()))
        && entry.file_type().is_ok_and(|kind| kind.is_file())
}
