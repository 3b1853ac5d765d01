//! Why a database cannot be opened.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use rusqlite::ErrorCode;
use rusqlite::ffi::{SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE};

use dibber_text::escape_line;
use dibber_text::file::ReadError;

/// Why a database cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The directory or the file cannot be created or written.
    Unwritable {
        /// The directory or the file.
        path: PathBuf,
        /// The error of the system.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// There is no database.
    Missing {
        /// Where it is looked for.
        path: PathBuf,
    },
    /// The file cannot be read.
    Unreadable {
        /// The database.
        path: PathBuf,
        /// The error of the system or of SQLite.
        cause: Box<dyn std::error::Error + Send + Sync>,
    },
    /// The disk is full.
    DiskFull {
        /// The database.
        path: PathBuf,
    },
    /// A newer program made it.
    Newer {
        /// The database.
        path: PathBuf,
        /// Its version.
        found: i64,
        /// The last version that this program knows.
        known: i64,
    },
    /// The file is not a database, or it is damaged.
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// It is a directory, a pipe, a socket or a device.
    NotAFile {
        /// The path.
        path: PathBuf,
    },
    /// A file in which SQLite keeps changes is a directory, a pipe, a socket or a device.
    LogNotAFile {
        /// The path.
        path: PathBuf,
    },
    /// It was created before, and is missing or empty now.
    Lost {
        /// The database.
        path: PathBuf,
        /// The file that records that it was created.
        marker: PathBuf,
    },
    /// It is the database of another program.
    Foreign {
        /// The database.
        path: PathBuf,
    },
    /// Another process keeps it locked.
    Locked {
        /// The database.
        path: PathBuf,
    },
    /// Another error.
    Other {
        /// The database.
        path: PathBuf,
        /// The error of SQLite.
        cause: rusqlite::Error,
    },
}

impl OpenError {
    /// Converts an error of the system about a directory or a file.
    pub(super) fn from_io(path: &Path, cause: io::Error) -> Self {
        let path = path.to_owned();
        match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            _ => Self::Unwritable { path, cause: cause.into() },
        }
    }

    /// Converts an error about a file that has to be a regular one.
    pub(super) fn from_read(path: &Path, cause: ReadError) -> Self {
        match cause {
            ReadError::Io(cause) => Self::from_io(path, cause),
            _ => Self::NotAFile { path: path.to_owned() },
        }
    }

    /// Converts an error about a file that is only read.
    pub(super) fn from_unreadable(path: &Path, cause: ReadError) -> Self {
        let path = path.to_owned();
        match cause {
            cause if cause.is_not_found() => Self::Missing { path },
            ReadError::Io(cause) => Self::Unreadable { path, cause: cause.into() },
            _ => Self::NotAFile { path },
        }
    }

    /// Converts an error of SQLite.
    pub(super) fn from_sqlite(path: &Path, cause: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match (cause.sqlite_error_code(), cause.sqlite_extended_error_code()) {
            (Some(ErrorCode::DiskFull), _)
            | (_, Some(SQLITE_IOERR_SHMSIZE | SQLITE_IOERR_WRITE)) => Self::DiskFull { path },
            (Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked), _) => Self::Locked { path },
            (Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt), _) => {
                Self::NotADatabase { path }
            }
            (
                Some(ErrorCode::ReadOnly | ErrorCode::CannotOpen | ErrorCode::PermissionDenied),
                _,
            ) => Self::Unwritable { path, cause: cause.into() },
            _ => Self::Other { path, cause },
        }
    }

    /// Returns what to do about it.
    pub fn help(&self) -> &'static str {
        match self {
            Self::Unwritable { .. } => "choose a writable directory with `--data` or DIBBER_DATA",
            Self::Missing { .. } => {
                "name its directory with `--data` or DIBBER_DATA; a server creates it when it starts"
            }
            Self::Unreadable { .. } => {
                "if you may not write there, copy the whole directory, and name the copy with `--data`"
            }
            Self::DiskFull { .. } => {
                "free space on the disk, or choose a directory on another disk with `--data`"
            }
            Self::Newer { .. } => {
                "use the newer dibber, or choose another directory with `--data`; nothing was changed"
            }
            Self::NotADatabase { .. } | Self::Foreign { .. } | Self::NotAFile { .. } => {
                "move the file, or choose another directory with `--data`; nothing was changed"
            }
            Self::LogNotAFile { .. } => {
                "move it to another place, and check the database with `dibber doctor --database`"
            }
            Self::Lost { .. } => {
                "restore the database from a backup; to begin with an empty one, delete the second \
                 file, too"
            }
            Self::Locked { .. } => "try again when the other program has ended",
            Self::Other { .. } => "try again, or choose another directory with `--data`",
        }
    }
}

impl fmt::Display for OpenError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &Path| escape_line(&path.to_string_lossy()).into_owned();
        match self {
            Self::Unwritable { path, cause } => {
                write!(f, "cannot write `{}`: {cause}", shown(path))
            }
            Self::Missing { path } => write!(f, "there is no database `{}`", shown(path)),
            Self::Unreadable { path, cause } => {
                write!(f, "cannot read `{}`: {cause}", shown(path))
            }
            Self::DiskFull { path } => write!(f, "no space left on the disk for `{}`", shown(path)),
            Self::Newer { path, found, known } => write!(
                f,
                "the database `{}` was created by a newer dibber: it has version {found}, and this \
                 dibber supports versions up to {known}",
                shown(path)
            ),
            Self::NotADatabase { path } => {
                write!(f, "`{}` is not a database, or is damaged", shown(path))
            }
            Self::NotAFile { path } => write!(f, "`{}` is not a regular file", shown(path)),
            Self::LogNotAFile { path } => write!(
                f,
                "cannot open the database: `{}`, for its latest changes, is not a regular file",
                shown(path)
            ),
            Self::Lost { path, marker } => write!(
                f,
                "the database `{}` is missing or empty, but was created before, as `{}` records",
                shown(path),
                shown(marker)
            ),
            Self::Foreign { path } => {
                write!(f, "`{}` is the database of another program", shown(path))
            }
            Self::Locked { path } => {
                write!(f, "the database `{}` is locked by another program", shown(path))
            }
            Self::Other { path, cause } => {
                write!(f, "cannot open the database `{}`: {cause}", shown(path))
            }
        }
    }
}

impl std::error::Error for OpenError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unwritable { cause, .. } | Self::Unreadable { cause, .. } => Some(cause.as_ref()),
            Self::Other { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
