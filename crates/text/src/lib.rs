//! Source text: byte spans, files, line numbers, and how untrusted text is shown.
//!
//! Everything above speaks of places in a file as byte [`Span`]s; lines and columns are worked
//! out late, from the [`Source`], when something is shown to a person.

mod closest_match;
mod ellipsize;
mod encoding;
mod escape;
pub mod file;
pub mod isolation;
mod json_pointer;
mod lines;

use std::ops::Range;
use std::sync::OnceLock;

pub use closest_match::closest_match;
pub use ellipsize::ellipsize;
pub use encoding::{Encoding, NotUtf8, windows_1252};
pub use escape::{escape, escape_line, is_invisible, is_terminal_control};
pub use json_pointer::json_pointer;
pub use lines::{LineColumn, LineIndex, line_around};

/// The mark that some editors put in front of UTF-8 text.
pub const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// A half-open range of bytes in one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Span {
    /// The first byte.
    pub start: usize,
    /// The byte after the last.
    pub end: usize,
}

impl Span {
    /// Makes the span of the bytes `start..end`.
    pub const fn new(start: usize, end: usize) -> Self {
        Self { start, end }
    }

    /// Makes the empty span in front of the byte `at`.
    pub const fn empty(at: usize) -> Self {
        Self { start: at, end: at }
    }

    /// Counts the bytes.
    pub const fn len(self) -> usize {
        self.end - self.start
    }

    /// Tells whether there is no byte in it.
    pub const fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Gives the span as a range, to index with.
    pub const fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Moves the span `by` bytes towards the end of the file.
    #[must_use]
    pub const fn shift(self, by: usize) -> Self {
        Self { start: self.start + by, end: self.end + by }
    }

    /// Tells whether the byte `at` lies inside.
    pub const fn contains(self, at: usize) -> bool {
        self.start <= at && at < self.end
    }

    /// Tells whether the two spans share a byte.
    pub const fn overlaps(self, other: Self) -> bool {
        self.start < other.end && other.start < self.end
    }
}

impl From<Range<usize>> for Span {
    fn from(range: Range<usize>) -> Self {
        Self::new(range.start, range.end)
    }
}

/// The text of one file, and the path under which it is shown.
///
/// Spans into the text are byte offsets of the file as it is on disk: a byte-order mark stays in
/// the text, line endings are untouched, and a byte that is not UTF-8 is held as one `?`.
#[derive(Debug)]
pub struct Source {
    path: String,
    text: String,
    not_utf8: Option<NotUtf8>,
    lines: OnceLock<LineIndex>,
}

impl Source {
    /// Makes a source of text that is known to be UTF-8.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), not_utf8: None, lines: OnceLock::new() }
    }

    /// Makes a source of a file's bytes; it never fails.
    ///
    /// Bytes that are not UTF-8 become `?`, one for one, so that spans stay exact;
    /// [`Source::not_utf8`] tells where the first of them stood.
    pub fn from_bytes(path: impl Into<String>, bytes: Vec<u8>) -> Self {
        match String::from_utf8(bytes) {
            Ok(text) => Self::new(path, text),
            Err(error) => {
                let not_utf8 = NotUtf8::new(error.as_bytes(), error.utf8_error());
                let mut source = Self::new(path, text_with_placeholders(error.as_bytes()));
                source.not_utf8 = Some(not_utf8);
                source
            }
        }
    }

    /// The path as it is shown, with `/` between its parts.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text that `span` covers.
    ///
    /// # Panics
    /// When the span does not lie on character boundaries inside the text.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// The first byte that was not UTF-8.
    pub const fn not_utf8(&self) -> Option<NotUtf8> {
        self.not_utf8
    }

    /// The index of line starts, made on first use.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// The line and column of the byte `at`.
    pub fn line_column(&self, at: usize) -> LineColumn {
        self.lines().line_column(&self.text, at)
    }
}

fn text_with_placeholders(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '?'));
    }
    text
}
