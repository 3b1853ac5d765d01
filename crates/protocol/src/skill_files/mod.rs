//! Files beneath a directory, which may contain anything.
//!
//! A path never leaves the directory: it has only names, and no symbolic link is followed, wherever it
//! leads. Nothing here blocks: a pipe is opened without waiting for its other end, and is refused.
//! Hard links are files like any other, since who can create one can also read what it leads to.

mod path;
#[cfg(not(unix))]
mod portable;
#[cfg(unix)]
mod unix;

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::File;
use std::io::{self, Read};

pub(crate) use path::check_path;
#[cfg(not(unix))]
pub(crate) use portable::Folder;
#[cfg(unix)]
pub(crate) use unix::Folder;

/// Directories that are not part of a skill: what they contain may be private.
const SKIPPED: [&str; 4] = [".git", ".hg", ".jj", "__pycache__"];

/// Why a file or directory cannot be opened or read.
#[derive(Debug)]
pub enum FileError {
    /// There is none at the path.
    NotFound,
    /// It is a symbolic link, or one is on the way to it.
    Link,
    /// It is a directory.
    Directory,
    /// It is a file where a directory has to be.
    NotADirectory,
    /// It is a pipe, a socket or a device.
    Special,
    /// It has more than this many bytes.
    TooLarge(u64),
    /// The operating system reports an error.
    Io(io::Error),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotFound => f.write_str("does not exist"),
            Self::Link => f.write_str("is a symbolic link, which is not followed"),
            Self::Directory => f.write_str("is a directory"),
            Self::NotADirectory => f.write_str("is not a directory"),
            Self::Special => f.write_str("is a pipe, a socket or a device"),
            Self::TooLarge(max) if max % 1024 == 0 => {
                write!(f, "is larger than {} KiB", max / 1024)
            }
            Self::TooLarge(max) => write!(f, "is larger than {max} bytes"),
            Self::Io(error) => write!(f, "cannot be read: {error}"),
        }
    }
}

impl std::error::Error for FileError {}

impl From<io::Error> for FileError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::NotFound | io::ErrorKind::InvalidFilename => Self::NotFound,
            io::ErrorKind::NotADirectory => Self::NotADirectory,
            _ => Self::Io(error),
        }
    }
}

/// Returns `true` if no directory with this name is part of a skill.
fn is_skipped(name: &OsStr) -> bool {
    SKIPPED.iter().any(|skipped| name.eq_ignore_ascii_case(skipped))
}

/// Something in a directory.
#[derive(Debug)]
pub(crate) struct FolderEntry {
    pub(crate) name: OsString,
    pub(crate) is_directory: bool,
}

/// Reads a file of at most `bytes_max` bytes.
pub(crate) fn read_whole(file: File, bytes_max: u64) -> Result<Vec<u8>, FileError> {
    // A file may grow while it is read.
    let bytes = read_beginning(file, bytes_max + 1)?;
    if bytes.len() as u64 > bytes_max {
        return Err(FileError::TooLarge(bytes_max));
    }
    Ok(bytes)
}

/// Reads at most `bytes_max` bytes from the beginning of a file.
pub(crate) fn read_beginning(file: File, bytes_max: u64) -> Result<Vec<u8>, FileError> {
    let size = file.metadata().map_err(FileError::Io)?.len();
    // With room for one byte more, the read that finds the end does not grow it.
    let capacity = usize::try_from(size.min(bytes_max)).unwrap_or_default() + 1;
    let mut bytes = Vec::with_capacity(capacity);
    file.take(bytes_max).read_to_end(&mut bytes).map_err(FileError::Io)?;
    Ok(bytes)
}
