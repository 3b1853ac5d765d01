//! What a program writes to standard error: read to its end, and masked before it is shown.

use tokio::io::{AsyncRead, AsyncReadExt};

use dibber_text::{Mask, Shown};

/// The most bytes of standard error that are masked (64 KiB); of the rest, only the end is kept.
const LOG_BYTES_MAX: usize = 64 << 10;
/// The most bytes of the end that are kept (4 KiB).
const END_BYTES_MAX: usize = 4 << 10;
/// The bytes that are read at once (8 KiB).
const READ_BYTES: usize = 8 << 10;
/// The most characters of the masked standard error that are logged.
const LOGGED_CHARACTERS_MAX: usize = 8 << 10;
/// The most lines of standard error that are logged.
const LOGGED_LINES_MAX: usize = 20;
/// The most lines of its end that are shown.
const END_LINES_MAX: usize = 5;
/// The most characters of its end that are shown.
const END_CHARACTERS_MAX: usize = 500;

/// What a program has written to standard error.
#[derive(Default)]
pub(crate) struct ProgramLog {
    start: Vec<u8>,
    end: Vec<u8>,
    /// Whether something is missing between the start and the end, or after the start.
    is_cut: bool,
    /// Whether it was read to its end.
    is_ended: bool,
}

impl ProgramLog {
    /// Reads to the end, so that the program never waits for a reader. What cannot be read is missing.
    pub(crate) async fn read(&mut self, mut stderr: impl AsyncRead + Unpin) {
        let mut buffer = vec![0; READ_BYTES];
        while let Ok(count) = stderr.read(&mut buffer).await {
            if count == 0 {
                self.is_ended = true;
                return;
            }
            self.push(&buffer[..count]);
        }
    }

    fn push(&mut self, bytes: &[u8]) {
        let room = LOG_BYTES_MAX - self.start.len();
        self.start.extend(&bytes[..bytes.len().min(room)]);
        self.is_cut |= bytes.len() > room;
        self.end.extend(bytes);
        let surplus = self.end.len().saturating_sub(END_BYTES_MAX);
        self.end.drain(..surplus);
    }

    /// Returns its first lines: masked, then shortened and escaped.
    pub(crate) fn lines(&self, masks: &[&dyn Mask]) -> Vec<String> {
        let text = String::from_utf8_lossy(&self.start);
        // The end of a line that was cut off could be the beginning of what has to be masked.
        let is_whole = self.is_ended && !self.is_cut;
        let whole = if is_whole { text.len() } else { text.rfind('\n').unwrap_or_default() };
        let masked = mask_all(&text[..whole], masks);
        let lines = cut(&masked, LOGGED_CHARACTERS_MAX).lines().take(LOGGED_LINES_MAX);
        lines.map(escaped).collect()
    }

    /// Returns its last lines in one: masked, then shortened and escaped.
    pub(crate) fn last_lines(&self, masks: &[&dyn Mask]) -> String {
        let text = String::from_utf8_lossy(&self.end);
        // The start of a line that was cut off could be the rest of what has to be masked.
        let is_whole = !self.is_cut && self.start.len() == self.end.len();
        let from = if is_whole { 0 } else { text.find('\n').map_or(text.len(), |at| at + 1) };
        let whole = if self.is_ended { text.len() } else { text.rfind('\n').unwrap_or_default() };
        let masked = mask_all(text.get(from..whole).unwrap_or_default(), masks);
        let lines: Vec<_> = masked.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = &lines[lines.len().saturating_sub(END_LINES_MAX)..];
        let joined: Vec<_> = last.iter().map(|line| escaped(line.trim_end())).collect();
        let joined = joined.join("; ");
        let characters = joined.chars().count();
        joined.chars().skip(characters.saturating_sub(END_CHARACTERS_MAX)).collect()
    }
}

fn mask_all(text: &str, masks: &[&dyn Mask]) -> String {
    masks.iter().fold(text.to_owned(), |text, mask| mask.mask(&text).into_owned())
}

fn escaped(line: &str) -> String {
    Shown::new(line, &()).in_full().to_string()
}

/// Returns the first characters of a string.
pub(crate) fn cut(text: &str, max: usize) -> &str {
    text.char_indices().nth(max).map_or(text, |(end, _)| &text[..end])
}
