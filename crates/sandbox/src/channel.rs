//! Frames on the socket between a sandbox and its launcher: a length in four bytes, then JSON.

use std::io::{self, Read, Write};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The first argument that makes a program the launcher.
pub(crate) const LAUNCHER_ARGUMENT: &str = "__dibber-sandbox-launcher";

/// The most bytes of a frame, which bounds the code and the arguments of a run.
pub(crate) const FRAME_BYTES_MAX: usize = 16 * 1024 * 1024;

/// Returns a frame with a value as JSON.
pub(crate) fn frame<T: Serialize>(value: &T) -> io::Result<Vec<u8>> {
    let mut bytes = vec![0; 4];
    serde_json::to_writer(&mut bytes, value)?;
    let length = bytes.len() - 4;
    if length > FRAME_BYTES_MAX {
        let message = format!("{length} bytes, more than the {FRAME_BYTES_MAX} of a frame");
        return Err(io::Error::new(io::ErrorKind::InvalidInput, message));
    }
    let length = u32::try_from(length).map_err(io::Error::other)?;
    bytes[..4].copy_from_slice(&length.to_be_bytes());
    Ok(bytes)
}

/// Reads a frame.
pub(crate) fn read_frame<T: DeserializeOwned>(stream: &mut impl Read) -> io::Result<T> {
    let mut length = [0; 4];
    stream.read_exact(&mut length)?;
    let length = frame_length(length)?;
    let mut bytes = vec![0; length];
    stream.read_exact(&mut bytes)?;
    Ok(serde_json::from_slice(&bytes)?)
}

/// Writes a frame.
pub(crate) fn write_frame<T: Serialize>(stream: &mut impl Write, value: &T) -> io::Result<()> {
    stream.write_all(&frame(value)?)
}

/// Returns the length of the JSON of a frame, from its first four bytes.
pub(crate) fn frame_length(bytes: [u8; 4]) -> io::Result<usize> {
    match usize::try_from(u32::from_be_bytes(bytes)) {
        Ok(length) if length <= FRAME_BYTES_MAX => Ok(length),
        _ => Err(io::Error::new(io::ErrorKind::InvalidData, "the frame is too long")),
    }
}
