//! Why a database cannot be opened.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use rusqlite::ErrorCode;
use rusqlite::ffi::{SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE};

use dibber_text::escape_line;

/// Why a database cannot be opened.
#[derive(Debug)]
pub enum OpenError {
    /// The folder or the file cannot be made or written.
    Unwritable {
        /// What cannot be made or written.
        path: PathBuf,
        /// What the system says.
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
    /// It is something else, or damaged.
    NotADatabase {
        /// The file.
        path: PathBuf,
    },
    /// It is the database of another program.
    Foreign {
        /// The database.
        path: PathBuf,
    },
    /// Another process would not let go of it.
    Locked {
        /// The database.
        path: PathBuf,
    },
    /// Something else.
    Other {
        /// The database.
        path: PathBuf,
        /// What SQLite says.
        cause: rusqlite::Error,
    },
}

impl OpenError {
    /// What the system said of a folder or a file.
    pub(super) fn of_file(path: &Path, cause: io::Error) -> Self {
        let path = path.to_owned();
        match cause.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Self::DiskFull { path },
            _ => Self::Unwritable { path, cause: cause.into() },
        }
    }

    /// What SQLite said of a database.
    pub(super) fn of_database(path: &Path, cause: rusqlite::Error) -> Self {
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

    /// The way out.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::Unwritable { .. } => {
                "choose a folder that you may write to with `--data` or DIBBER_DATA"
            }
            Self::DiskFull { .. } => {
                "make room on that disk, or choose a folder on another one with `--data`"
            }
            Self::Newer { .. } => {
                "use the newer dibber, or another folder with `--data`; nothing was changed"
            }
            Self::NotADatabase { .. } | Self::Foreign { .. } => {
                "move that file away, or choose another folder with `--data`; nothing was changed"
            }
            Self::Locked { .. } => "try again when the other program has finished",
            Self::Other { .. } => "try again, or choose another folder with `--data`",
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
            Self::DiskFull { path } => write!(f, "no room on the disk for `{}`", shown(path)),
            Self::Newer { path, found, known } => write!(
                f,
                "a newer dibber made the database `{}`: it has version {found}, and this dibber \
                 knows versions up to {known}",
                shown(path)
            ),
            Self::NotADatabase { path } => {
                write!(f, "`{}` is not a database, or is damaged", shown(path))
            }
            Self::Foreign { path } => {
                write!(f, "`{}` is the database of another program", shown(path))
            }
            Self::Locked { path } => {
                write!(f, "another program is keeping the database `{}` locked", shown(path))
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
            Self::Unwritable { cause, .. } => Some(cause.as_ref()),
            Self::Other { cause, .. } => Some(cause),
            _ => None,
        }
    }
}
