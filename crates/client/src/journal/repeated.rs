//! Creations that were sent a second time, after the answer to the first call was lost: the first one
//! may still arrive, after the entry of the write was removed.
//!
//! For a day, a copy of the entry that was sent first remains beside the entries. It is not an entry:
//! nothing resumes it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use jiff::{SignedDuration, Timestamp};

use super::disk;
use super::entry::{self, Entry};

/// The extension of a copy.
const EXTENSION: &str = "repeated";
/// How long a call is expected to arrive after it was sent again.
const AGE_MAX: SignedDuration = SignedDuration::from_hours(24);

/// Keeps a copy of an entry that is sent again.
pub(super) fn keep(path: &Path, now: Timestamp) -> io::Result<()> {
    let Some(mut entry) = entry::read_unchanged(path) else { return Ok(()) };
    entry.sent = Some(now);
    entry::write(&path.with_extension(EXTENSION), &entry)
}

/// Returns the copies in a directory of the journal that can be read and are not too old.
pub(super) fn find(directory: &Path, now: Timestamp) -> Vec<Entry> {
    let copies = copies(directory).into_iter().filter_map(|path| entry::read_unchanged(&path));
    copies.filter(|entry| is_recent(entry, now)).collect()
}

/// Removes the copies that are too old.
pub(super) fn remove_old(directory: &Path, now: Timestamp) {
    for path in copies(directory) {
        let entry = entry::read_unchanged(&path);
        if !entry.is_some_and(|entry| is_recent(&entry, now)) {
            // A copy that cannot be removed does not prevent a write.
            drop(disk::remove(&path));
        }
    }
}

fn copies(directory: &Path) -> Vec<PathBuf> {
    let found = fs::read_dir(directory).into_iter().flatten().flatten().map(|found| found.path());
    found.filter(|path| path.extension().is_some_and(|found| found == EXTENSION)).collect()
}

/// A clock that was set back leaves a copy from the future.
fn is_recent(entry: &Entry, now: Timestamp) -> bool {
    entry.sent.is_some_and(|sent| sent.duration_until(now).abs() <= AGE_MAX)
}
