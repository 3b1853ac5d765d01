//! One line of frontmatter with a key, as text.

use dibber_skill::skill::{Key, indentation, key_of, lines_of, parses_as_mapping, trimmed};
use dibber_text::Span;

/// A key with its value on the same line.
pub(super) struct KeyLine<'a> {
    /// The whole file.
    pub(super) text: &'a str,
    /// The span of the key in the file.
    pub(super) key: Span,
    /// The span of the value in the file, trimmed.
    pub(super) value: Span,
    /// How certain it is that this is a key, and what follows it.
    pub(super) parts: Key,
    /// The end of the lines that may belong to the value.
    pub(super) end: usize,
}

impl<'a> KeyLine<'a> {
    /// Parses a line that begins with a key, after the dashes of lists; `end` is the end of
    /// everything that may belong to the value.
    pub(super) fn new(text: &'a str, line: Span, end: usize) -> Option<Self> {
        let mut start = trimmed(text, line).start;
        while text[start..line.end].starts_with("- ") {
            start = trimmed(text, Span::new(start + 1, line.end)).start;
        }
        let parts = key_of(&text[start..line.end])?;
        let value = trimmed(text, Span::new(start + parts.after_colon, line.end));
        Some(Self { text, key: parts.span.shift(start), value, parts, end })
    }

    /// Returns the key as it is written.
    pub(super) fn key_text(&self) -> &'a str {
        &self.text[self.key.range()]
    }

    /// Returns the value as it is written on the line of the key.
    pub(super) fn value_text(&self) -> &'a str {
        &self.text[self.value.range()]
    }

    /// Returns `true` if the line by itself is YAML.
    pub(super) fn parses_alone(&self) -> bool {
        parses_as_mapping(&self.text[self.key.start..self.value.end.max(self.key.end + 1)])
    }

    /// Returns the value including the indented lines below it.
    pub(super) fn whole_value(&self) -> Span {
        let margin = self.margin();
        let rest = Span::new(self.value.end, self.end);
        let mut end = self.value.end;
        for line in lines_of(self.text, rest).skip(1) {
            let content = trimmed(self.text, line);
            if !content.is_empty() && indentation(&self.text[line.range()]) <= margin {
                break;
            }
            // Blank lines inside the value belong to it, trailing ones do not.
            end = if content.is_empty() { end } else { content.end };
        }
        Span::new(self.value.start, end)
    }

    /// Returns the indentation of the key in bytes.
    pub(super) fn margin(&self) -> usize {
        let before = &self.text[..self.key.start];
        before.len() - before.rfind(['\n', '\r']).map_or(0, |at| at + 1)
    }
}
