//! Reading a file that the user names, or standard input, up to a limit.

use std::io::{self, Read};
use std::path::Path;

use super::error::CommandError;
use super::output::STANDARD_STREAM;
use dibber_text::file::{ReadError, read_argument};
use dibber_text::{Message, message, quote_display, quote_path};

/// Returns `true` for the name of standard input.
pub(super) fn is_standard_input(path: &Path) -> bool {
    path.as_os_str() == STANDARD_STREAM
}

/// Returns what messages call a file.
pub(super) fn shown_input(path: &Path) -> Message {
    if is_standard_input(path) { "standard input".into() } else { quote_path(path) }
}

/// Reads a file, or standard input for `-`, of at most so many MiB. `help` says what to do about a larger
/// one.
pub(super) fn read_bounded(
    path: &Path,
    mebibytes_max: u64,
    help: &'static str,
) -> Result<Vec<u8>, CommandError> {
    let bytes_max = mebibytes_max << 20;
    let read = if is_standard_input(path) {
        read_standard_input(bytes_max)
    } else {
        read_argument(path, bytes_max)
    };
    read.map_err(|error| {
        let shown = shown_input(path);
        match error {
            ReadError::Io(cause) => CommandError::io(message!["cannot read ", shown], cause),
            error => CommandError::new(message![shown, " ", quote_display(error)]).help(help),
        }
    })
}

/// Returns the text in bytes that were read.
#[cfg(feature = "remote")]
pub(super) fn utf8(path: &Path, bytes: Vec<u8>) -> Result<String, CommandError> {
    String::from_utf8(bytes).map_err(|_| {
        CommandError::new(message![shown_input(path), " is not UTF-8"]).help("save it as UTF-8")
    })
}

fn read_standard_input(bytes_max: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    // One byte more shows that there is more.
    io::stdin().lock().take(bytes_max + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > bytes_max {
        return Err(ReadError::TooLarge(bytes_max));
    }
    Ok(bytes)
}
