//! The files of a run: what its program reads, and where it may write its result.
//!
//! A server holds a lock on them, which ends with it however it ends. So a directory whose lock is free
//! belongs to no server, and the next one that starts removes it: a run contains what a family wrote.

use std::fs::{self, DirEntry, File};
use std::io;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::command_error::CommandError;
use super::job::Job;
use dibber_text::file::{self, ReadError};

/// What the names of the directories begin with.
const PREFIX: &str = "dibber-run-";
/// The file with the run.
const RUN_FILE: &str = "run.json";
/// The file of the result.
const RESULT_FILE: &str = "result.json";
/// The file that is locked.
const LOCK_FILE: &str = "lock";
/// The most entries of the directory for temporary files that are looked at.
const ENTRIES_MAX: usize = 10_000;

/// The files of one attempt, in a directory for their owner alone that is removed after it.
pub(super) struct RunFiles {
    directory: TempDir,
    /// It is unlocked when it is closed.
    _lock: File,
}

impl RunFiles {
    /// Writes the files of a run.
    pub(super) fn create(job: &Job) -> io::Result<Self> {
        let mut directory = tempfile::Builder::new();
        directory.prefix(PREFIX);
        #[cfg(unix)]
        directory.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let directory = directory.tempdir()?;
        let lock = File::create_new(directory.path().join(LOCK_FILE))?;
        // Where files cannot be locked, none is removed either. A server that starts just now may have
        // removed the directory before it was locked; writing fails then.
        let _ = lock.lock();
        let files = Self { directory, _lock: lock };
        fs::write(files.run(), serde_json::to_vec_pretty(job).map_err(io::Error::other)?)?;
        Ok(files)
    }

    /// Returns the path of the file with the run.
    pub(super) fn run(&self) -> PathBuf {
        self.directory.path().join(RUN_FILE)
    }

    /// Returns the path of the result.
    pub(super) fn result(&self) -> PathBuf {
        self.directory.path().join(RESULT_FILE)
    }

    /// Returns the result file, if there is one.
    pub(super) fn read_result(&self, bytes_max: u64) -> Result<Option<Vec<u8>>, CommandError> {
        match file::read_regular(&self.result(), bytes_max) {
            Ok(bytes) if bytes.iter().all(u8::is_ascii_whitespace) => Ok(None),
            Ok(bytes) => Ok(Some(bytes)),
            Err(error) if error.is_not_found() => Ok(None),
            Err(ReadError::TooLarge(max)) => Err(CommandError::TooLong(max)),
            Err(error) => {
                Err(CommandError::Invalid(format!("the result file cannot be read: {error}")))
            }
        }
    }
}

/// Removes the directories of this user that no server has locked. One without a file to lock may just
/// be made, and stays.
pub(super) fn remove_abandoned() {
    let entries = fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten();
    for entry in entries.take(ENTRIES_MAX).filter(is_own_directory) {
        let directory = entry.path();
        let Ok(lock) = open_lock(&directory) else { continue };
        if lock.try_lock().is_ok() && fs::remove_dir_all(&directory).is_ok() {
            tracing::info!("the files of a run whose server was killed are removed");
        }
    }
}

/// Returns `true` for a directory of a run that this user owns. No other user can replace it by a link
/// then: in a directory for temporary files, only owners rename and remove their entries.
fn is_own_directory(entry: &DirEntry) -> bool {
    let is_named_so = entry.file_name().to_str().is_some_and(|name| name.starts_with(PREFIX));
    // A link is not followed.
    is_named_so && entry.metadata().is_ok_and(|found| found.is_dir() && is_own(&found))
}

#[cfg(unix)]
fn is_own(metadata: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    metadata.uid() == rustix::process::geteuid().as_raw()
}

/// Each user of Windows has a directory for temporary files.
#[cfg(not(unix))]
const fn is_own(_: &fs::Metadata) -> bool {
    true
}

/// Opens the file to lock, unless the program of the run has put something else in its place.
fn open_lock(directory: &Path) -> Result<File, ReadError> {
    let path = directory.join(LOCK_FILE);
    if !fs::symlink_metadata(&path)?.is_file() {
        return Err(ReadError::NotRegular);
    }
    file::open_listed(&path)
}
