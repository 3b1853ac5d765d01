//! Places in YAML text: from the parser's marks to bytes, and from one byte to the next that
//! matters.

use saphyr_parser::Marker;

use dibber_text::LineIndex;

/// From the parser's marks to bytes. Marks are trusted for their line and column only: those are
/// right where the running character index is not.
pub(super) struct Positions<'a> {
    content: &'a str,
    offset: usize,
    is_ascii: bool,
    lines: LineIndex,
    /// The last mark that was looked up: its line, its column and its byte in `content`. Marks
    /// come in order, so that a long line is counted once and not for each of its values.
    last: (usize, usize, usize),
}

impl<'a> Positions<'a> {
    /// Creates the positions of `content`, whose first byte is byte `offset` of the file.
    pub(super) fn new(content: &'a str, offset: usize) -> Self {
        let is_ascii = content.is_ascii();
        Self { content, offset, is_ascii, lines: LineIndex::new(content), last: (1, 0, 0) }
    }

    /// Returns the byte of the file at a mark.
    pub(super) fn byte(&mut self, mark: &Marker) -> usize {
        let length = self.content.len();
        let Some(start) = self.lines.start(mark.line()) else { return self.offset + length };
        // Columns count characters, which are bytes in ASCII.
        if self.is_ascii {
            return self.offset + (start + mark.col()).min(length);
        }
        let (column, at) = match self.last {
            (line, column, at) if line == mark.line() => (column, at),
            _ => (0, start),
        };
        let found = if column <= mark.col() {
            let rest = &self.content[at..];
            at + rest.char_indices().nth(mark.col() - column).map_or(rest.len(), |(at, _)| at)
        } else {
            let mut backwards = self.content[start..at].char_indices();
            start + backwards.nth_back(column - mark.col() - 1).map_or(0, |(at, _)| at)
        };
        self.last = (mark.line(), mark.col(), found);
        self.offset + found
    }
}

/// Moves `at` over spaces, line breaks and comments.
pub fn skip_blanks(text: &str, mut at: usize) -> usize {
    let bytes = text.as_bytes();
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\t' | b'\n' | b'\r') => at += 1,
            Some(b'#') => {
                let length = memchr::memchr2(b'\n', b'\r', &bytes[at..]);
                at = length.map_or(bytes.len(), |length| at + length);
            }
            _ => return at,
        }
    }
}

/// Moves `at` over blanks, and over the anchor and the tag before a value.
pub(super) fn skip_properties(text: &str, at: usize) -> usize {
    let mut at = skip_blanks(text, at);
    while text[at..].starts_with(['&', '!']) {
        let rest = &text[at..];
        let end = if rest.starts_with("!<") {
            rest.find('>').map(|end| end + 1)
        } else {
            rest.find([' ', '\t', '\n', '\r', ',', '[', ']', '{', '}'])
        };
        at = skip_blanks(text, at + end.unwrap_or(rest.len()));
    }
    at
}

/// Returns the byte after the closing quote of the quoted string that starts at `start`.
pub(super) fn after_quoted(text: &str, start: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let &quote = bytes.get(start)?;
    let mut at = start + 1;
    while let Some(length) = memchr::memchr2(quote, b'\\', &bytes[at.min(bytes.len())..]) {
        at += length;
        let is_doubled = quote == b'\'' && bytes.get(at + 1) == Some(&quote);
        match bytes[at] {
            b'\\' if quote == b'"' => at += 2,
            byte if byte == quote && is_doubled => at += 2,
            byte if byte == quote => return Some(at + 1),
            _ => at += 1,
        }
    }
    None
}

/// Returns the text without the blank lines at its end, and without the last line break.
pub(super) fn without_blank_lines(text: &str) -> &str {
    let mut text = text;
    while let Some(rest) = text.trim_end_matches([' ', '\t']).strip_suffix(['\n', '\r']) {
        text = rest;
    }
    text
}
