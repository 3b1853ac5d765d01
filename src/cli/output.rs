//! Where the data of a command goes: a file, or standard output.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::error::CommandError;
use super::term::ui::Ui;
use super::write;

/// The path that means a standard stream: input where a command reads, and output where it writes.
pub(super) const STANDARD_STREAM: &str = "-";

/// Where data goes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Output {
    /// Standard output, which is typed as `-`.
    StandardOutput,
    /// A file, which is replaced whole.
    File(PathBuf),
}

impl From<OsString> for Output {
    fn from(typed: OsString) -> Self {
        if typed == STANDARD_STREAM { Self::StandardOutput } else { Self::File(typed.into()) }
    }
}

impl Output {
    /// Returns the path of the file; none for standard output.
    pub(super) fn file(&self) -> Option<&Path> {
        match self {
            Self::StandardOutput => None,
            Self::File(path) => Some(path),
        }
    }

    /// Writes all of the data.
    pub(super) fn write(&self, bytes: &[u8], ui: &mut Ui) -> Result<(), CommandError> {
        match self {
            Self::StandardOutput => ui.print(bytes),
            Self::File(path) => write::replace(path, bytes),
        }
    }
}
