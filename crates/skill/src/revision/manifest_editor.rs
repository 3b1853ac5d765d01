//! Edits of a `sprout.yaml` that is written line by line.

use crate::diagnostic::{Edit, with_edits};
use crate::manifest::MANIFEST_FILE_NAME;
use crate::skill::{Entry, NodeKind, parse_yaml};
use dibber_text::{Problem, Span, message};

/// A `sprout.yaml`, and its edits so far.
pub(super) struct ManifestEditor<'a> {
    text: &'a str,
    entries: Vec<Entry>,
    edits: Vec<Edit>,
    /// The lines that come at its end.
    appended: String,
    line_break: &'static str,
}

impl<'a> ManifestEditor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        let root = parse_yaml(text).0;
        let entries = match root.map(|root| root.kind) {
            Some(NodeKind::Mapping(entries)) => entries,
            _ => Vec::new(),
        };
        let line_break = if text.contains("\r\n") { "\r\n" } else { "\n" };
        Self { text, entries, edits: Vec::new(), appended: String::new(), line_break }
    }

    fn entry(&self, key: &str) -> Option<&Entry> {
        self.entries.iter().find(|entry| entry.key.as_str() == Some(key))
    }

    /// Sets the scalar of a key.
    pub(super) fn set(&mut self, key: &'static str, scalar: &str) -> Result<(), Problem<()>> {
        let Some(entry) = self.entry(key) else {
            self.append(&format!("{key}: {scalar}\n"));
            return Ok(());
        };
        if entry.value.is_alias || !matches!(entry.value.kind, NodeKind::Scalar { .. }) {
            return Err(self.cannot_edit(key));
        }
        let span = entry.value.span;
        let gap = if span.is_empty() { " " } else { "" };
        self.replace(span, &format!("{gap}{scalar}"));
        Ok(())
    }

    /// Adds items of several lines each to the list of a key.
    pub(super) fn add_items(
        &mut self,
        key: &'static str,
        items: &[Vec<String>],
    ) -> Result<(), Problem<()>> {
        if items.is_empty() {
            return Ok(());
        }
        let lines = |indent: &str| -> String {
            let item = |lines: &Vec<String>| {
                let gap = format!("\n{indent}  ");
                format!("{indent}- {}\n", lines.join(&gap))
            };
            items.iter().map(item).collect()
        };
        let Some(entry) = self.entry(key) else {
            self.append(&format!("{key}:\n{}", lines("  ")));
            return Ok(());
        };
        let NodeKind::Sequence(known) = &entry.value.kind else {
            return Err(self.cannot_edit(key));
        };
        let is_block = !self.text[entry.value.span.range()].starts_with('[');
        let (Some(first), Some(last), true) = (known.first(), known.last(), is_block) else {
            return Err(self.cannot_edit(key));
        };
        let line = &self.text[self.line_start(first.span.start)..first.span.start];
        let Some((indent, _)) = line.split_once('-').filter(|(indent, _)| indent.trim().is_empty())
        else {
            return Err(self.cannot_edit(key));
        };
        let text = lines(indent);
        self.insert_lines(self.line_end(last.span.end), &text);
        Ok(())
    }

    /// Removes a key with its value.
    pub(super) fn remove(&mut self, key: &'static str) -> Result<(), Problem<()>> {
        let Some(span) = self.entry(key).map(Entry::span) else { return Ok(()) };
        let start = self.line_start(span.start);
        if start != span.start {
            return Err(self.cannot_edit(key));
        }
        self.replace(Span::new(start, self.line_end(span.end)), "");
        Ok(())
    }

    /// Replaces a value.
    pub(super) fn replace(&mut self, span: Span, text: &str) {
        self.edits.push(Edit { span, text: text.to_owned() });
    }

    /// Inserts a key below the line of a value, beside the value's own key.
    pub(super) fn insert_line_after(&mut self, value: Span, key: &'static str, scalar: &str) {
        let start = self.line_start(value.start);
        let line = &self.text[start..value.start];
        let indent: String =
            line.chars().take_while(|c| matches!(c, ' ' | '-')).map(|_| ' ').collect();
        self.insert_lines(self.line_end(value.end), &format!("{indent}{key}: {scalar}\n"));
    }

    /// Adds lines at the end of the file.
    pub(super) fn append(&mut self, lines: &str) {
        self.appended += lines;
    }

    /// Returns the error of a value whose notation these edits do not know.
    fn cannot_edit(&self, key: &'static str) -> Problem<()> {
        let message = message!["cannot edit `", key, "` in ", MANIFEST_FILE_NAME, " automatically"];
        let start = self.entry(key).map_or(0, |entry| entry.span().start);
        let line = self.text[..start].matches('\n').count() + 1;
        let help = message!["change line ", line, " of ", MANIFEST_FILE_NAME, " in an editor"];
        Problem::new((), message).with_help(help)
    }

    /// Returns the file with all edits.
    pub(super) fn finish(mut self) -> String {
        if !self.appended.is_empty() {
            let lines = std::mem::take(&mut self.appended);
            self.insert_lines(self.text.len(), &lines);
        }
        with_edits(self.text, &self.edits)
    }

    fn insert_lines(&mut self, at: usize, lines: &str) {
        let is_after_line = |edit: &Edit| edit.span == Span::empty(at) && edit.text.ends_with('\n');
        let is_at_line_start = self.text[..at].is_empty()
            || self.text[..at].ends_with('\n')
            || self.edits.iter().any(is_after_line);
        let before = if is_at_line_start { "" } else { self.line_break };
        let lines = lines.replace('\n', self.line_break);
        self.edits.push(Edit { span: Span::empty(at), text: format!("{before}{lines}") });
    }

    fn line_start(&self, at: usize) -> usize {
        self.text[..at].rfind('\n').map_or(0, |line_break| line_break + 1)
    }

    /// Returns the start of the line after the one in which `at` is.
    fn line_end(&self, at: usize) -> usize {
        if at > 0 && self.text[..at].ends_with('\n') {
            return at;
        }
        self.text[at..].find('\n').map_or(self.text.len(), |line_break| at + line_break + 1)
    }
}
