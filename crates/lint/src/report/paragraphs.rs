//! Text of several lines, escaped.

use dibber_text::escape_line;

/// Escapes every line of a string and keeps the line breaks.
pub(super) fn escape_paragraphs(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(escape_line).collect();
    lines.join("\n")
}
