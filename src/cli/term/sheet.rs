//! A sheet of rows, each a label and a value, for people at a terminal.

use super::layout::{columns, wrap};
use super::style::{Ink, Style, paint};
use dibber_text::escape_line;

/// The columns before the labels.
pub(in crate::cli) const MARGIN_COLUMNS: usize = 2;
/// The columns of the labels.
const LABEL_COLUMNS: usize = 10;
/// The columns before the values.
pub(in crate::cli) const INDENT_COLUMNS: usize = MARGIN_COLUMNS + LABEL_COLUMNS + 2;

/// The sheet while it is written.
pub(in crate::cli) struct Sheet {
    pub(in crate::cli) style: Style,
    pub(in crate::cli) text: String,
}

impl Sheet {
    pub(in crate::cli) fn new(style: Style) -> Self {
        Self { style, text: String::with_capacity(4_096) }
    }

    /// Returns the columns that are left for the values.
    pub(in crate::cli) fn room(&self) -> usize {
        self.style.width.saturating_sub(INDENT_COLUMNS)
    }

    /// Writes a row. The text is untrusted: it is escaped as one line, then wrapped.
    pub(in crate::cli) fn row(&mut self, label: &str, text: &str) {
        self.painted_row(label, text, None);
    }

    /// Like [`row`](Self::row), with the text painted.
    pub(in crate::cli) fn painted_row(&mut self, label: &str, text: &str, ink: Option<Ink>) {
        self.label(label);
        self.wrap(INDENT_COLUMNS, &escape_line(text), ink);
    }

    /// Writes the label of a row, and the blanks after it.
    pub(in crate::cli) fn label(&mut self, label: &str) {
        self.indent(MARGIN_COLUMNS);
        if !label.is_empty() {
            self.paint(Ink::Faint, label);
        }
        self.indent(INDENT_COLUMNS - MARGIN_COLUMNS - columns(label));
    }

    /// Writes text that is escaped already, wrapped. The caller has indented the first line.
    pub(in crate::cli) fn wrap(&mut self, indent: usize, text: &str, ink: Option<Ink>) {
        let room = self.style.width.saturating_sub(indent);
        for (index, line) in wrap(text, room).into_iter().enumerate() {
            if index > 0 {
                self.indent(indent);
            }
            match ink {
                Some(ink) => self.paint(ink, line),
                None => self.text.push_str(line),
            }
            self.text.push('\n');
        }
    }

    /// Writes text that is escaped already, painted if there is colour.
    pub(in crate::cli) fn paint(&mut self, ink: Ink, text: &str) {
        paint(&mut self.text, self.style.color, ink, text);
    }

    pub(in crate::cli) fn indent(&mut self, columns: usize) {
        self.text.extend(std::iter::repeat_n(' ', columns));
    }
}
