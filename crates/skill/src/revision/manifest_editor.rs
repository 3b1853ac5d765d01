//! Edits of a `sprout.yaml` that is written line by line.

use std::collections::BTreeMap;

use crate::diagnostic::{Edit, with_edits};
use crate::manifest::MANIFEST_FILE_NAME;
use crate::skill::yaml_scalar::{as_any_scalar, as_scalar_like};
use crate::skill::{Entry, Node, NodeKind, parse_yaml};
use dibber_text::{Problem, Span, message};

/// The key of the heartbeats.
pub(super) const HEARTBEATS: &str = "heartbeats";
/// The key of what is filled in on a schedule.
const INPUT: &str = "input";

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

    /// Removes some items of the list of a key, and adds items of several lines each. A list without
    /// any item is removed with its key.
    pub(super) fn change_items(
        &mut self,
        key: &'static str,
        is_removed: impl Fn(&Node) -> bool,
        added: &[Vec<String>],
    ) -> Result<(), Problem<()>> {
        let known = match self.entry(key).map(|entry| &entry.value.kind) {
            Some(NodeKind::Sequence(known)) => &known[..],
            _ => &[],
        };
        let indices = 0..known.len();
        let removed: Vec<usize> = indices.filter(|index| is_removed(&known[*index])).collect();
        if removed.is_empty() {
            return self.add_items(key, added);
        }
        if removed.len() == known.len() {
            self.remove(key)?;
            if !added.is_empty() {
                self.append(&format!("{key}:\n{}", item_lines(added, "  ")));
            }
            return Ok(());
        }
        self.add_items(key, added)?;
        for index in removed {
            self.remove_item(key, index)?;
        }
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
        if self.entry(key).is_none() {
            self.append(&format!("{key}:\n{}", item_lines(items, "  ")));
            return Ok(());
        }
        let (spans, indent) = self.items(key)?;
        let Some(last) = spans.last() else { return Err(self.cannot_edit(key)) };
        let text = item_lines(items, &indent);
        self.insert_lines(self.line_end(last.end), &text);
        Ok(())
    }

    /// Removes an item of the list of a key, with the comments directly above it.
    pub(super) fn remove_item(
        &mut self,
        key: &'static str,
        index: usize,
    ) -> Result<(), Problem<()>> {
        let (spans, _) = self.items(key)?;
        let Some(span) = spans.get(index) else { return Err(self.cannot_edit(key)) };
        let start = self.comment_start(self.line_start(span.start));
        self.replace(Span::new(start, self.line_end(span.end)), "");
        Ok(())
    }

    /// Returns the start of the comments that are directly above a line and indented like it, or that
    /// of the line.
    fn comment_start(&self, line: usize) -> usize {
        let indent = |line: &str| line.len() - line.trim_start().len();
        let own = indent(self.text[line..].lines().next().unwrap_or_default());
        let above = self.text[..line].split_inclusive('\n').rev();
        let is_own = |line: &&str| line.trim_start().starts_with('#') && indent(line) == own;
        line - above.take_while(is_own).map(str::len).sum::<usize>()
    }

    /// Returns the items of a list that is written line by line, and their indentation.
    fn items(&self, key: &'static str) -> Result<(Vec<Span>, String), Problem<()>> {
        let Some(Entry { value, .. }) = self.entry(key) else {
            return Err(self.cannot_edit(key));
        };
        let is_block = !self.text[value.span.range()].starts_with('[');
        let (NodeKind::Sequence(items), true) = (&value.kind, is_block) else {
            return Err(self.cannot_edit(key));
        };
        let Some(first) = items.first() else { return Err(self.cannot_edit(key)) };
        let line = &self.text[self.line_start(first.span.start)..first.span.start];
        let Some((indent, _)) = line.split_once('-').filter(|(indent, _)| indent.trim().is_empty())
        else {
            return Err(self.cannot_edit(key));
        };
        Ok((items.iter().map(|item| item.span).collect(), indent.to_owned()))
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

    /// Replaces the value of a scalar, in the quotes that it has.
    pub(super) fn replace_text(&mut self, span: Span, text: &str) {
        self.replace(span, &as_scalar_like(&self.text[span.range()], text));
    }

    /// Inserts a key below the line of a value, beside the value's own key.
    pub(super) fn insert_line_after(&mut self, value: Span, key: &str, scalar: &str) {
        let indent = self.indent_at(value);
        self.insert_lines(self.line_end(value.end), &format!("{indent}{key}: {scalar}\n"));
    }

    /// Returns the indentation of the key on the line of a value.
    fn indent_at(&self, value: Span) -> String {
        let line = &self.text[self.line_start(value.start)..value.start];
        line.chars().take_while(|c| matches!(c, ' ' | '-')).map(|_| ' ').collect()
    }

    /// Sets the values of the heartbeat whose schedule is here, by the names of inputs.
    pub(super) fn set_values(
        &mut self,
        cron: Span,
        values: &BTreeMap<String, String>,
    ) -> Result<(), Problem<()>> {
        let is_it = |heartbeat: &&[Entry]| {
            heartbeat.iter().any(|entry| entry.value.span.start == cron.start)
        };
        let heartbeat = self.heartbeats().into_iter().find(is_it).unwrap_or_default();
        let known = match input_entry(heartbeat).map(|entry| entry.value.kind.clone()) {
            Some(NodeKind::Mapping(known)) => known,
            Some(_) => return Err(self.cannot_edit(HEARTBEATS)),
            None => {
                let indent = self.indent_at(cron);
                let line = |(name, value): (&String, &String)| {
                    format!("{indent}  {name}: {}\n", as_any_scalar(value))
                };
                let lines: String = values.iter().map(line).collect();
                self.insert_lines(self.line_end(cron.end), &format!("{indent}{INPUT}:\n{lines}"));
                return Ok(());
            }
        };
        for (name, value) in values {
            let scalar = as_any_scalar(value);
            match known.iter().find(|entry| entry.key.as_str() == Some(name)) {
                Some(Entry { value, .. }) if matches!(value.kind, NodeKind::Scalar { .. }) => {
                    let gap = if value.span.is_empty() { " " } else { "" };
                    self.replace(value.span, &format!("{gap}{scalar}"));
                }
                None if !known.is_empty() => {
                    let last = known[known.len() - 1].span();
                    self.insert_line_after(last, name, &scalar);
                }
                _ => return Err(self.cannot_edit(HEARTBEATS)),
            }
        }
        Ok(())
    }

    /// Removes the values of these inputs from every heartbeat.
    pub(super) fn remove_values(&mut self, names: &[String]) -> Result<(), Problem<()>> {
        let is_removed = |entry: &&Entry| {
            entry.key.as_str().is_some_and(|key| names.iter().any(|name| name == key))
        };
        let mut removed = Vec::new();
        for entry in self.heartbeats().into_iter().filter_map(input_entry) {
            let NodeKind::Mapping(values) = &entry.value.kind else { continue };
            let spans: Vec<Span> = values.iter().filter(is_removed).map(Entry::span).collect();
            removed.extend(if spans.len() == values.len() { vec![entry.span()] } else { spans });
        }
        for span in removed {
            let start = self.line_start(span.start);
            if !self.text[start..span.start].trim().is_empty() {
                return Err(self.cannot_edit(HEARTBEATS));
            }
            self.replace(Span::new(start, self.line_end(span.end)), "");
        }
        Ok(())
    }

    /// Returns the entries of each heartbeat.
    fn heartbeats(&self) -> Vec<&[Entry]> {
        let Some(NodeKind::Sequence(heartbeats)) =
            self.entry(HEARTBEATS).map(|entry| &entry.value.kind)
        else {
            return Vec::new();
        };
        let entries = heartbeats.iter().map(|heartbeat| match &heartbeat.kind {
            NodeKind::Mapping(entries) => &entries[..],
            _ => &[],
        });
        entries.collect()
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

/// Returns the entry with the values of a heartbeat.
fn input_entry(heartbeat: &[Entry]) -> Option<&Entry> {
    heartbeat.iter().find(|entry| entry.key.as_str() == Some(INPUT))
}

/// Returns items of several lines each as a list with this indentation.
fn item_lines(items: &[Vec<String>], indent: &str) -> String {
    let gap = format!("\n{indent}  ");
    items.iter().map(|lines| format!("{indent}- {}\n", lines.join(&gap))).collect()
}
