//! Why a file cannot be read.

use std::fmt;
use std::io;

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
