//! The locks, the removals and the synchronization of the directory of the journal.

use std::fs::{self, File};
use std::io;
use std::path::Path;
use std::time::Duration;

use jiff::Timestamp;

use dibber_text::file_lock::lock_within;
use dibber_text::private::open_private;

/// What the names of files begin with that are being written.
pub(super) const TEMPORARY: &str = ".begun-";
/// The file that is locked.
const LOCK: &str = ".lock";

/// How long the lock is waited for. It is held for as long as a few files are written.
const LOCK_WAIT_MAX: Duration = Duration::from_secs(30);

/// Called with the directory when another process has held its lock for a second.
pub(super) type OnWait = fn(&Path);

/// Locks the directory against every other process until the file is dropped.
pub(super) fn lock(directory: &Path, on_wait: OnWait) -> io::Result<File> {
    let file = open_private(&directory.join(LOCK)).map_err(|cause| {
        io::Error::new(cause.kind(), format!("cannot open the lock file `{LOCK}`: {cause}"))
    })?;
    lock_within(&file, LOCK_WAIT_MAX, || on_wait(directory))?;
    Ok(file)
}

/// Removes a file that may have gone already.
pub(super) fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => sync(directory_of(path)),
    }
}

/// Returns when a file was last modified.
pub(super) fn modified(path: &Path) -> io::Result<Timestamp> {
    Timestamp::try_from(fs::metadata(path)?.modified()?).map_err(io::Error::other)
}

/// Returns the directory that an entry is in.
pub(super) fn directory_of(path: &Path) -> &Path {
    path.parent().unwrap_or(Path::new(""))
}

/// Removes the files that a crash has left half written. The directory has to be locked: then no
/// process is writing one.
pub(super) fn remove_temporary(directory: &Path) {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for found in entries.filter(|found| found.file_type().is_ok_and(|kind| kind.is_file())) {
        if found.file_name().to_string_lossy().starts_with(TEMPORARY) {
            // A temporary file that cannot be removed does not prevent a write.
            drop(fs::remove_file(found.path()));
        }
    }
}

/// Waits until the names in a directory are on the disk.
#[cfg(unix)]
pub(super) fn sync(directory: &Path) -> io::Result<()> {
    File::open(directory)?.sync_all()
}

#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "directories can be synced on Unix only")]
pub(super) fn sync(_directory: &Path) -> io::Result<()> {
    Ok(())
}
