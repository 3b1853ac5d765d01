//! A page of rows, each a word and what it speaks of, for people at a terminal.

use dibber_lint::report::{Ink, Style, columns, paint, wrap};
use dibber_text::escape_line;

/// The columns in front of the words that say what stands behind them.
pub(super) const MARGIN_COLUMNS: usize = 2;
/// The columns of those words.
const WORD_COLUMNS: usize = 10;
/// The columns in front of what they speak of.
pub(super) const INDENT_COLUMNS: usize = MARGIN_COLUMNS + WORD_COLUMNS + 2;

/// The page as it grows.
pub(super) struct Sheet {
    pub(super) style: Style,
    pub(super) text: String,
}

impl Sheet {
    pub(super) fn new(style: Style) -> Self {
        Self { style, text: String::with_capacity(4_096) }
    }

    /// The columns of what a word speaks of.
    pub(super) fn room(&self) -> usize {
        self.style.width.saturating_sub(INDENT_COLUMNS)
    }

    /// Writes what a word speaks of: a text that stays one line, wherever it comes from.
    pub(super) fn row(&mut self, word: &str, text: &str) {
        self.inked_row(word, text, None);
    }

    /// Writes a row whose text is painted.
    pub(super) fn inked_row(&mut self, word: &str, text: &str, ink: Option<Ink>) {
        self.word(word);
        self.wrapped(INDENT_COLUMNS, &escape_line(text), ink);
    }

    /// Writes the word of a row, and the blanks behind it.
    pub(super) fn word(&mut self, word: &str) {
        self.indent(MARGIN_COLUMNS);
        if !word.is_empty() {
            self.paint(Ink::Faint, word);
        }
        self.indent(INDENT_COLUMNS - MARGIN_COLUMNS - columns(word));
    }

    /// Writes text that is escaped already, in lines under each other; the first is indented.
    pub(super) fn wrapped(&mut self, indent: usize, text: &str, ink: Option<Ink>) {
        let room = self.style.width.saturating_sub(indent);
        for (index, line) in wrap(text, room, room).into_iter().enumerate() {
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

    /// Writes text that is escaped already, in a colour where there is colour.
    pub(super) fn paint(&mut self, ink: Ink, text: &str) {
        paint(&mut self.text, self.style.color, ink, text);
    }

    pub(super) fn indent(&mut self, columns: usize) {
        self.text.extend(std::iter::repeat_n(' ', columns));
    }
}
