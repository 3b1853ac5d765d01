//! Writing files whole, with the errors of the command line.

use std::io::{self, Write};
use std::path::Path;

use super::error::CommandError;
use dibber_text::atomic_file::{self, Access, AtomicFile, ReplaceError};
use dibber_text::{message, quote_path};

/// A file that appears under its name only when it is finished.
pub(super) struct NewFile(AtomicFile);

impl NewFile {
    /// Begins a file at `path`; a symbolic link there is followed.
    pub(super) fn create(path: &Path) -> Result<Self, CommandError> {
        let file = AtomicFile::create(path, Access::Inherit);
        file.map(Self).map_err(|error| cannot_write(path, error))
    }

    /// Adds bytes to it.
    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), CommandError> {
        self.0.write_all(bytes).map_err(|error| cannot_write(self.0.target(), error))
    }

    /// Puts it in its place, with the permissions of the file that it replaces.
    pub(super) fn finish(self) -> Result<(), CommandError> {
        let target = self.0.target().to_owned();
        self.0.finish().map_err(|error| cannot_write(&target, error))
    }
}

/// Replaces the file at `path`, which had this content, or creates it if there was none. Returns
/// `false`, and writes nothing, if another program has changed it meanwhile.
pub(super) fn replace_if_unchanged(
    path: &Path,
    before: Option<&[u8]>,
    after: &[u8],
) -> Result<bool, CommandError> {
    let bytes_max = before.map_or(0, <[u8]>::len) as u64;
    match atomic_file::replace_if(path, bytes_max, |found| found == before, after) {
        Ok(()) => Ok(true),
        Err(ReplaceError::Changed) => Ok(false),
        Err(ReplaceError::Io(error)) => Err(cannot_write(path, error)),
    }
}

/// Replaces the file at `path`, or creates it.
pub(super) fn replace(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let replaced = atomic_file::replace(path, bytes, Access::Inherit);
    replaced.map_err(|error| cannot_write(path, error))
}

/// Replaces the file at `path`, or creates it, and lets only its owner read it.
pub(super) fn replace_private(path: &Path, bytes: &[u8]) -> Result<(), CommandError> {
    let replaced = atomic_file::replace(path, bytes, Access::Private);
    replaced.map_err(|error| cannot_write(path, error))
}

fn cannot_write(path: &Path, error: io::Error) -> CommandError {
    CommandError::io(message!["cannot write ", quote_path(path)], error)
}
