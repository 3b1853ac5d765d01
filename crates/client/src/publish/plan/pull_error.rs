//! Why a pull cannot be planned, or carried out.

use std::path::{Path, PathBuf};
use std::{fmt, io};

use crate::publish::lock_file::LockFileError;
use dibber_skill::discover::{DiscoverError, shown_path};
use dibber_text::escape_line;
use dibber_text::file::ReadError;

/// Why a pull cannot be planned, or carried out.
#[derive(Debug)]
pub enum PullError {
    /// The skill on disk cannot be read.
    Discover(DiscoverError),
    /// A file on disk cannot be read.
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: ReadError,
    },
    /// `dibber.lock` cannot be used.
    Lock(LockFileError),
    /// This is the folder of another skill.
    OtherSkill(PathBuf),
    /// The server has an input whose name a `sprout.yaml` cannot have.
    InputName {
        /// The directory that would have the file.
        path: PathBuf,
        /// The name.
        name: String,
    },
    /// A file would be too large to be read again.
    TooLarge {
        /// The file.
        path: PathBuf,
        /// The most bytes that it may have.
        bytes_max: usize,
    },
    /// The directory cannot be created.
    Create {
        /// The directory.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
    /// A file was changed after the pull was planned.
    ChangedSince(PathBuf),
    /// A file cannot be written.
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        cause: io::Error,
    },
}

impl fmt::Display for PullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |path: &Path| escape_line(&shown_path(path)).into_owned();
        match self {
            Self::Discover(error) => error.fmt(f),
            Self::Read { path, cause } => write!(f, "{}: {cause}", shown(path)),
            Self::Lock(error) => error.fmt(f),
            Self::OtherSkill(path) => write!(f, "{} is the folder of another skill", shown(path)),
            Self::InputName { path, name } => {
                let name = escape_line(name);
                write!(f, "{}: the server has an input with the name `{name}`", shown(path))
            }
            Self::TooLarge { path, bytes_max } => {
                write!(f, "{} would be larger than {} KiB", shown(path), bytes_max >> 10)
            }
            Self::Create { path, cause } => write!(f, "cannot create {}: {cause}", shown(path)),
            Self::ChangedSince(path) => {
                write!(f, "{} was changed meanwhile, so it was not overwritten", shown(path))
            }
            Self::Write { path, cause } => write!(f, "cannot write {}: {cause}", shown(path)),
        }
    }
}

impl std::error::Error for PullError {}

impl From<DiscoverError> for PullError {
    fn from(error: DiscoverError) -> Self {
        Self::Discover(error)
    }
}

impl From<LockFileError> for PullError {
    fn from(error: LockFileError) -> Self {
        Self::Lock(error)
    }
}
