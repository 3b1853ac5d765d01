//! `dibber.lock` on disk: reading, writing and locking it.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, fs, io};

use super::lock::{LOCK_BYTES_MAX, Lock};
use super::lock_error::LockError;
use super::lock_paths::LockPaths;
use dibber_skill::discover::shown_path;
use dibber_text::atomic_file::{self, Access};
use dibber_text::escape_line;
use dibber_text::file::{ReadError, read_inside};
use dibber_text::file_lock::lock_within;

/// How long a directory that another process has locked is waited for. That process may be asking a
/// question, which a person takes minutes to answer.
const LOCK_WAIT_MAX: Duration = Duration::from_mins(10);

/// Why a lock file cannot be read or written.
#[derive(Debug)]
pub struct LockFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub kind: LockFileErrorKind,
}

/// What is wrong with a lock file.
#[derive(Debug)]
pub enum LockFileErrorKind {
    /// It cannot be read.
    Read(ReadError),
    /// It is not UTF-8.
    NotUtf8,
    /// It is not a lock file.
    Invalid(LockError),
    /// It cannot be written.
    Write(io::Error),
    /// Another process keeps its directory locked.
    Locked(io::Error),
}

impl fmt::Display for LockFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = shown_path(&self.path);
        let path = escape_line(&path);
        match &self.kind {
            LockFileErrorKind::Read(ReadError::Io(cause)) => {
                write!(f, "cannot read {path}: {cause}")
            }
            LockFileErrorKind::Read(error) => write!(f, "{path} {error}"),
            LockFileErrorKind::NotUtf8 => write!(f, "{path} is not UTF-8"),
            LockFileErrorKind::Invalid(error) => write!(f, "{path}: {error}"),
            LockFileErrorKind::Write(cause) => write!(f, "cannot write {path}: {cause}"),
            LockFileErrorKind::Locked(cause) => write!(f, "cannot lock {path}: {cause}"),
        }
    }
}

impl std::error::Error for LockFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            LockFileErrorKind::Read(error) => Some(error),
            LockFileErrorKind::NotUtf8 => None,
            LockFileErrorKind::Invalid(error) => Some(error),
            LockFileErrorKind::Write(error) | LockFileErrorKind::Locked(error) => Some(error),
        }
    }
}

/// Locks a directory. Returns `false` if its file system cannot.
pub(super) fn lock_directory(
    directory: &Path,
    opened: &File,
    waiting: impl FnOnce(),
) -> Result<bool, LockFileError> {
    match lock_within(opened, LOCK_WAIT_MAX, waiting) {
        Err(cause) if cause.kind() == io::ErrorKind::TimedOut => {
            Err(error(directory, LockFileErrorKind::Locked(cause)))
        }
        locked => Ok(locked.is_ok()),
    }
}

/// Writes a file, which is on the disk when this returns.
pub(super) fn replace_lock(file: &Path, lock: &Lock) -> Result<(), LockFileError> {
    let error = |cause| error(file, LockFileErrorKind::Write(cause));
    atomic_file::replace(file, lock.write().as_bytes(), Access::Inherit).map_err(error)?;
    // The journal forgets a write once it is recorded, so the record has to be on the disk first.
    // Where directories cannot be synced, it is in the hands of the system.
    let directory = file.parent().unwrap_or(Path::new(""));
    let _ = File::open(directory).and_then(|directory| directory.sync_all());
    Ok(())
}

/// Removes a file that records nothing.
pub(super) fn remove_lock(file: &Path) -> Result<(), LockFileError> {
    fs::remove_file(file).map_err(|cause| error(file, LockFileErrorKind::Write(cause)))
}

/// Reads the file of a project; one that does not exist records nothing.
pub fn read_lock(file: &Path) -> Result<Lock, LockFileError> {
    read_lock_with(file, LockPaths::Relative)
}

/// Reads a file with these paths.
pub(super) fn read_lock_with(file: &Path, paths: LockPaths) -> Result<Lock, LockFileError> {
    // The file is read and written at the root of the project.
    let root = file.parent().unwrap_or(Path::new(""));
    let bytes = match read_inside(file, root, LOCK_BYTES_MAX) {
        Ok(bytes) => bytes,
        // A new file would replace the link.
        Err(cause) if cause.is_not_found() && file.is_symlink() => {
            let cause = io::Error::other("it is a symbolic link to a file that does not exist");
            return Err(error(file, LockFileErrorKind::Read(cause.into())));
        }
        Err(cause) if cause.is_not_found() => return Ok(Lock::default()),
        Err(cause) => return Err(error(file, LockFileErrorKind::Read(cause))),
    };
    let text = String::from_utf8(bytes).map_err(|_| error(file, LockFileErrorKind::NotUtf8))?;
    Lock::parse_with(&text, paths).map_err(|cause| error(file, LockFileErrorKind::Invalid(cause)))
}

fn error(file: &Path, kind: LockFileErrorKind) -> LockFileError {
    LockFileError { path: file.to_owned(), kind }
}
