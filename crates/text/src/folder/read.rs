//! Reading files of a limited size.

use std::fs::File;
use std::io::Read;

use super::error::FileError;

/// Reads a file of at most `bytes_max` bytes.
pub fn read_whole(file: File, bytes_max: u64) -> Result<Vec<u8>, FileError> {
    // A file may grow while it is read.
    let bytes = read_beginning(file, bytes_max + 1)?;
    if bytes.len() as u64 > bytes_max {
        return Err(FileError::TooLarge(bytes_max));
    }
    Ok(bytes)
}

/// Reads at most `bytes_max` bytes from the beginning of a file.
pub fn read_beginning(file: File, bytes_max: u64) -> Result<Vec<u8>, FileError> {
    let size = file.metadata().map_err(FileError::Io)?.len();
    // With room for one byte more, the read that finds the end does not grow it.
    let capacity = usize::try_from(size.min(bytes_max)).unwrap_or_default() + 1;
    let mut bytes = Vec::with_capacity(capacity);
    file.take(bytes_max).read_to_end(&mut bytes).map_err(FileError::Io)?;
    Ok(bytes)
}
