//! The text of a file, with its path and its lines.

use std::sync::OnceLock;

use super::encoding::NotUtf8;
use super::lines::{LineColumn, LineIndex};
use super::span::Span;

/// The character that some editors write before UTF-8 text.
pub const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// The text of one file, and the path under which it is shown.
///
/// Spans into the text are byte offsets of the file as it is on disk: a byte-order mark stays in
/// the text, line endings are untouched, and a byte that is not UTF-8 is replaced by one `?`.
#[derive(Debug)]
pub struct Source {
    path: String,
    text: String,
    not_utf8: Option<NotUtf8>,
    lines: OnceLock<LineIndex>,
}

impl Source {
    /// Creates a source from text that is known to be UTF-8.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into(), not_utf8: None, lines: OnceLock::new() }
    }

    /// Creates a source from a file's bytes; it never fails.
    ///
    /// Bytes that are not UTF-8 become `?`, one for one, so that spans stay exact;
    /// [`Source::not_utf8`] returns the first of them.
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

    /// Returns the path as it is shown, with `/` between its parts.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Returns the whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the text that `span` covers.
    ///
    /// # Panics
    /// If the span is not on character boundaries inside the text.
    pub fn slice(&self, span: Span) -> &str {
        &self.text[span.range()]
    }

    /// Returns the first byte that was not UTF-8.
    pub const fn not_utf8(&self) -> Option<NotUtf8> {
        self.not_utf8
    }

    /// Returns the index of line starts, which is created on first use.
    pub fn lines(&self) -> &LineIndex {
        self.lines.get_or_init(|| LineIndex::new(&self.text))
    }

    /// Returns the line and column of the byte `at`.
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
