//! A sheet of rows, each a label and a value, for people at a terminal.
//!
//! Every text that is written to a sheet is untrusted: secrets and children's names are masked in
//! it, and it is escaped, in this order.

use std::borrow::Borrow;

#[cfg(feature = "remote")]
use super::diff::Diff;
use super::rendered::Rendered;
use super::style::{Ink, Style, paint};
use crate::cli::mask::mask;
use dibber_lint::Privacy;
use dibber_lint::report::layout::{columns, wrap, wrap_after};
use dibber_skill::names::Roster;
use dibber_text::{escape, escape_line};

/// The columns before the labels.
pub(in crate::cli) const MARGIN_COLUMNS: usize = 2;
/// The columns of the labels.
const LABEL_COLUMNS: usize = 10;
/// The columns before the values.
pub(in crate::cli) const INDENT_COLUMNS: usize = MARGIN_COLUMNS + LABEL_COLUMNS + 2;

/// The sheet while it is written.
pub(in crate::cli) struct Sheet<'a> {
    style: Style,
    roster: &'a Roster,
    text: String,
}

impl<'a> Sheet<'a> {
    /// Creates an empty sheet that hides these names.
    pub(in crate::cli) fn new(style: Style, roster: &'a Roster) -> Self {
        Self { style, roster, text: String::with_capacity(4_096) }
    }

    /// Returns what was written.
    pub(in crate::cli) fn finish(self) -> Rendered {
        Rendered::new(self.text)
    }

    /// Returns the columns that are left for the values.
    pub(in crate::cli) fn room(&self) -> usize {
        self.style.width.saturating_sub(INDENT_COLUMNS)
    }

    /// Writes a row, with the text as one line that is wrapped.
    pub(in crate::cli) fn row(&mut self, label: &'static str, text: &str) {
        self.painted_row(label, text, None);
    }

    /// Like [`row`](Self::row), with the text painted.
    pub(in crate::cli) fn painted_row(
        &mut self,
        label: &'static str,
        text: &str,
        ink: Option<Ink>,
    ) {
        self.label(label);
        self.wrap(INDENT_COLUMNS, text, ink);
    }

    /// Writes a row for each line of a string, or "none".
    pub(in crate::cli) fn paragraphs(&mut self, label: &'static str, text: &str) {
        if text.trim().is_empty() {
            self.row(label, "none");
        }
        for (index, line) in text.trim().lines().enumerate() {
            self.row(if index == 0 { label } else { "" }, line);
        }
    }

    /// Writes a row with the items of a list, or "none".
    pub(in crate::cli) fn list(&mut self, label: &'static str, items: &[impl Borrow<str>]) {
        let privacy = Privacy { roster: self.roster };
        let items =
            if items.is_empty() { "none".to_owned() } else { privacy.mask_items(items).join(", ") };
        self.row(label, &items);
    }

    /// Writes the label of a row, and the blanks after it.
    pub(in crate::cli) fn label(&mut self, label: &'static str) {
        self.indent(MARGIN_COLUMNS);
        if !label.is_empty() {
            self.paint(Ink::Faint, label);
        }
        self.indent(INDENT_COLUMNS - MARGIN_COLUMNS - columns(label));
    }

    /// Writes the name of what the sheet is about, unless it is blank, its place, and an empty
    /// line.
    pub(in crate::cli) fn title(&mut self, name: &str, place: &str) {
        if !name.trim().is_empty() {
            self.wrap(0, name, Some(Ink::Strong));
        }
        self.paint(Ink::Place, place);
        self.end_line();
        self.end_line();
    }

    /// Writes text as one line that is wrapped. The caller has indented the first line.
    pub(in crate::cli) fn wrap(&mut self, indent: usize, text: &str, ink: Option<Ink>) {
        let room = self.style.width.saturating_sub(indent);
        for (index, line) in wrap(&self.shown(text), room).into_iter().enumerate() {
            if index > 0 {
                self.indent(indent);
            }
            match ink {
                Some(ink) => paint(&mut self.text, self.style.color, ink, line),
                None => self.text.push_str(line),
            }
            self.text.push('\n');
        }
    }

    /// Writes text on the current line, painted if there is colour.
    pub(in crate::cli) fn paint(&mut self, ink: Ink, text: &str) {
        let text = self.shown(text);
        paint(&mut self.text, self.style.color, ink, &text);
    }

    /// Writes text on the current line.
    pub(in crate::cli) fn push(&mut self, text: &str) {
        let text = self.shown(text);
        self.text.push_str(&text);
    }

    /// Writes lines that were rendered before, such as a diff.
    pub(in crate::cli) fn push_rendered(&mut self, lines: &Rendered) {
        self.text.push_str(lines);
    }

    /// Adds a diff, in the colours of the sheet.
    #[cfg(feature = "remote")]
    pub(in crate::cli) fn push_diff(&mut self, diff: &Diff) {
        self.push_rendered(&diff.rendered(self.style.color));
    }

    /// Writes each line of a string after a margin, unwrapped.
    pub(in crate::cli) fn lines(&mut self, margin: &'static str, text: &str) {
        for line in escape(&mask(text, self.roster)).lines() {
            let line = format!("{margin}{line}");
            self.text.push_str(line.trim_end_matches(' '));
            self.text.push('\n');
        }
    }

    /// Writes each line of a string after a margin, wrapped; what is wrapped keeps the indentation
    /// of its line.
    pub(in crate::cli) fn wrapped_lines(&mut self, margin: usize, text: &str) {
        let room = self.style.width.saturating_sub(margin);
        for line in escape(&mask(text, self.roster)).lines() {
            let indent = (line.len() - line.trim_start().len()).min(room / 2);
            for (index, part) in wrap_after(line, room, room - indent).into_iter().enumerate() {
                let indent = if index == 0 { 0 } else { indent };
                let part = format!("{:margin$}{:indent$}{part}", "", "");
                self.text.push_str(part.trim_end());
                self.text.push('\n');
            }
        }
    }

    /// Ends the current line.
    pub(in crate::cli) fn end_line(&mut self) {
        self.text.push('\n');
    }

    pub(in crate::cli) fn indent(&mut self, columns: usize) {
        self.text.extend(std::iter::repeat_n(' ', columns));
    }

    fn shown(&self, text: &str) -> String {
        escape_line(&mask(text, self.roster)).into_owned()
    }
}
