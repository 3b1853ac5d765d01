//! The lock file on disk.

use std::fs::{self, File};
use std::path::PathBuf;
use std::time::Duration;
use std::{fmt, io};

use dibber_text::atomic_file::{self, Access};
use dibber_text::file::{ReadError, read_inside};
use dibber_text::file_lock::lock_within;
use dibber_text::{Message, message, quote_display, quote_path};

use super::lock::{AddedLock, AddedLockError};
use super::root::InstallRoot;

/// The most bytes of the file that are read.
const LOCK_BYTES_MAX: u64 = 64 << 20;

/// How long another process may keep the directory of the file locked.
const LOCK_WAIT_MAX: Duration = Duration::from_mins(1);

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
    Invalid(AddedLockError),
    /// It cannot be written.
    Write(io::Error),
    /// Another process keeps its directory locked.
    Locked(io::Error),
}

impl LockFileError {
    /// Returns what is wrong.
    pub fn message(&self) -> Message {
        let path = quote_path(&self.path);
        match &self.kind {
            LockFileErrorKind::Read(ReadError::Io(cause)) => {
                message!["cannot read ", path, ": ", quote_display(cause)]
            }
            LockFileErrorKind::Read(error) => message![path, " ", quote_display(error)],
            LockFileErrorKind::NotUtf8 => message![path, " is not UTF-8"],
            LockFileErrorKind::Invalid(error) => message![path, ": ", quote_display(error)],
            LockFileErrorKind::Write(cause) => {
                message!["cannot write ", path, ": ", quote_display(cause)]
            }
            LockFileErrorKind::Locked(cause) => {
                message!["cannot lock ", path, ": ", quote_display(cause)]
            }
        }
    }
}

impl fmt::Display for LockFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().shown(&()).fmt(f)
    }
}

impl std::error::Error for LockFileError {}

/// Reads what was added below a root; a file that does not exist records nothing.
pub fn read_added(root: &InstallRoot) -> Result<AddedLock, LockFileError> {
    read_text(root).and_then(|text| parse(root, &text))
}

/// A lock file that no other process changes meanwhile.
#[derive(Debug)]
pub(crate) struct OpenLock<'a> {
    root: &'a InstallRoot,
    text: String,
    /// What is recorded.
    pub(crate) lock: AddedLock,
    /// Dropped at the end, which unlocks it. None if the file system locks no directories.
    _guard: Option<File>,
}

impl<'a> OpenLock<'a> {
    /// Like [`Self::open`], for one that is to be written: otherwise what it would record is not done.
    pub(crate) fn open_to_write(
        root: &'a InstallRoot,
        on_wait: impl FnMut(),
    ) -> Result<Self, LockFileError> {
        let opened = Self::open(root, on_wait)?;
        let directory = root.lock_file.parent().unwrap_or(&root.root);
        let written = atomic_file::locked_temporary(directory).and_then(|temporary| {
            let is_there = root.lock_file.exists();
            let writable = File::options().append(true).open(&root.lock_file);
            if is_there { writable.map(drop) } else { Ok(()) }.and(temporary.close())
        });
        written.map_err(|cause| error(root, LockFileErrorKind::Write(cause)))?;
        Ok(opened)
    }

    /// Locks the directory of the file, and reads it. `on_wait` is called if another process holds the lock.
    pub(crate) fn open(
        root: &'a InstallRoot,
        on_wait: impl FnMut(),
    ) -> Result<Self, LockFileError> {
        let directory = root.lock_file.parent().unwrap_or(&root.root);
        fs::create_dir_all(directory)
            .map_err(|cause| error(root, LockFileErrorKind::Write(cause)))?;
        let guard = File::open(directory).ok();
        if let Some(opened) = &guard {
            match lock_within(opened, LOCK_WAIT_MAX, on_wait) {
                Err(cause) if cause.kind() == io::ErrorKind::TimedOut => {
                    return Err(error(root, LockFileErrorKind::Locked(cause)));
                }
                _ => {}
            }
        }
        let text = read_text(root)?;
        let lock = parse(root, &text)?;
        Ok(Self { root, text, lock, _guard: guard })
    }

    /// Writes what is recorded now, unless the file says so already.
    pub(crate) fn finish(self) -> Result<(), LockFileError> {
        if parse(self.root, &self.text)? == self.lock {
            return Ok(());
        }
        let text = self.lock.write_into(&self.text);
        // What is written can be read again, or the file stays as it was.
        if parse(self.root, &text)? != self.lock {
            let message = "what would be written is not what is recorded".to_owned();
            let cause = AddedLockError { line: None, message };
            return Err(error(self.root, LockFileErrorKind::Invalid(cause)));
        }
        atomic_file::replace(&self.root.lock_file, text.as_bytes(), Access::Inherit)
            .map_err(|cause| error(self.root, LockFileErrorKind::Write(cause)))
    }
}

fn read_text(root: &InstallRoot) -> Result<String, LockFileError> {
    let directory = root.lock_file.parent().unwrap_or(&root.root);
    let bytes = match read_inside(&root.lock_file, directory, LOCK_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(cause) if cause.is_not_found() && !root.lock_file.is_symlink() => Vec::new(),
        Err(cause) => return Err(error(root, LockFileErrorKind::Read(cause))),
    };
    String::from_utf8(bytes).map_err(|_| error(root, LockFileErrorKind::NotUtf8))
}

fn parse(root: &InstallRoot, text: &str) -> Result<AddedLock, LockFileError> {
    AddedLock::parse(text).map_err(|cause| error(root, LockFileErrorKind::Invalid(cause)))
}

fn error(root: &InstallRoot, kind: LockFileErrorKind) -> LockFileError {
    LockFileError { path: root.lock_file.clone(), kind }
}
