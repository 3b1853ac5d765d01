//! A place with its lines and columns, and the lines around it.

use dibber_text::{LineColumn, Source, Span};

/// The most bytes that an excerpt keeps of a line on each side of the place it shows.
const EXCERPT_SIDE_BYTES_MAX: usize = 512;
/// The most lines of an excerpt.
pub const EXCERPT_LINES_MAX: usize = 6;

/// The lines around a place, stored so that a report needs no file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The text, whole lines unless they are very long.
    pub text: String,
    /// The number, from 1, of its first line.
    pub line: usize,
    /// The column, from 1, of its first character; above 1 if the beginning of the line was cut.
    pub column: usize,
    /// The offset in the file of its first byte.
    pub offset: usize,
}

impl Excerpt {
    /// The lines that `span` covers in `source`, cut where a line is very long.
    pub fn new(source: &Source, span: Span) -> Self {
        let (text, lines) = (source.text(), source.lines());
        let first = lines.line(span.start);
        let last = lines.line(span.end).min(first + EXCERPT_LINES_MAX - 1);
        let (first_line, last_line) = (lines.line_span(text, first), lines.line_span(text, last));
        let start = first_line.start.max(span.start.saturating_sub(EXCERPT_SIDE_BYTES_MAX));
        let end = last_line.end.min(span.end.max(span.start) + EXCERPT_SIDE_BYTES_MAX);
        let start = text.floor_char_boundary(start);
        let end = text.floor_char_boundary(end.max(start));
        Self {
            text: text[start..end].to_owned(),
            line: first,
            column: source.line_column(start).column,
            offset: start,
        }
    }
}

/// A place with its lines and columns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The bytes.
    pub span: Span,
    /// The first character.
    pub start: LineColumn,
    /// The place after the last character.
    pub end: LineColumn,
}

impl Range {
    /// Looks `span` up in `source`.
    pub fn new(source: &Source, span: Span) -> Self {
        let (start, end) = (source.line_column(span.start), source.line_column(span.end));
        Self { span, start, end }
    }
}
