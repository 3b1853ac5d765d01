//! Frontmatter that is not YAML as a whole, read key by key.
//!
//! One broken line must not hide the name, the description and everything else. The lines are
//! cut at each key of the same indentation, and each piece is parsed by itself. A piece that
//! does not parse is cut once more if there are keys below its own; else it becomes a fault and
//! an entry whose value is the text as it is written.

use std::cell::OnceCell;

use super::fault::{Fault, FaultKind};
use super::node::{Entry, Node, NodeKind, ScalarStyle};
use super::pieces::{
    KeyStyle, Value, after_closing, indentation, key_of, lines_of, pieces, trimmed,
};
use super::tree_builder::{self, NODES_MAX, YamlError, YamlErrorKind};
use dibber_text::Span;

/// The most broken pieces that are reported; those beyond them are only skipped.
pub(super) const FAULTS_MAX: usize = 100;
/// The most levels of keys that are cut into pieces.
const LEVELS_MAX: usize = 4;
/// Keys that are looked for even where they are indented by mistake, because a skill without
/// them would seem to lack them.
const REQUIRED_KEYS: [&str; 2] = ["name", "description"];

/// Parses what can be parsed of `content`, after parsing it whole gave `error`. At most
/// `faults_max` broken pieces are reported on their own.
pub(super) fn parse_by_key(
    text: &str,
    content: Span,
    error: YamlError,
    faults_max: usize,
    faults: &mut Vec<Fault>,
) -> Option<Node> {
    // A limit is exceeded by the content as a whole, so it is reported even if each piece parses.
    let is_limit = matches!(error.kind, YamlErrorKind::Limit { .. });
    let after_anchor_signs = OnceCell::new();
    let faults_found = Vec::new();
    let mut recovery =
        Recovery { text, content, faults: faults_found, faults_max, after_anchor_signs, is_limit };
    let entries = recovery.level(content, 0, 1);
    let found = recovery.faults;
    if is_limit || found.is_empty() {
        faults.push(fault_of_whole(text, content, error));
    }
    faults.extend(found);
    let first = entries.first()?;
    let span = Span::new(first.key.span.start, content.end);
    Some(Node { span, kind: NodeKind::Mapping(entries), tag: None, is_alias: false })
}

struct Recovery<'a> {
    text: &'a str,
    content: Span,
    faults: Vec<Fault>,
    faults_max: usize,
    after_anchor_signs: OnceCell<Vec<usize>>,
    /// The content as a whole exceeds a limit, which is reported already; its pieces may exceed it
    /// again.
    is_limit: bool,
}

impl Recovery<'_> {
    /// The entries of `part`, whose keys are indented by `margin`.
    fn level(&mut self, part: Span, margin: usize, level: usize) -> Vec<Entry> {
        let mut entries = Vec::new();
        for piece in pieces(self.text, part, margin) {
            // The parser counts the nodes of one piece; the pieces together need a limit as well.
            if entries.len() >= NODES_MAX {
                break;
            }
            match tree_builder::parse(self.text, piece) {
                Ok(Some(Node { kind: NodeKind::Mapping(parsed), .. })) => entries.extend(parsed),
                Ok(None) => {}
                Ok(Some(_)) => self.stray(piece, &mut entries),
                Err(error) => self.broken(piece, level, error, &mut entries),
            }
        }
        entries
    }

    /// Lines that are YAML, but no key with its value.
    fn stray(&mut self, piece: Span, entries: &mut Vec<Entry>) {
        let message = "a line that is neither a key nor the value of one".to_owned();
        let mut lines = lines_of(self.text, piece).map(|line| trimmed(self.text, line));
        let span = lines.find(|line| !line.is_empty()).unwrap_or(piece);
        let kind = FaultKind::InvalidYaml { message, entry: piece };
        self.push(Fault { span, kind });
        entries.extend(self.entry_as_text(piece));
    }

    fn broken(&mut self, piece: Span, level: usize, error: YamlError, entries: &mut Vec<Entry>) {
        if matches!(error.kind, YamlErrorKind::Limit { .. }) {
            if !self.is_limit {
                self.push(fault(error, piece));
            }
            entries.extend(self.entry_as_text(piece));
            return;
        }
        if self.is_anchored_elsewhere(&error) {
            entries.extend(self.entry_as_text(piece));
            return;
        }
        // The parser of a nested piece reports a more exact place, so the error of this piece is
        // only reported if nothing inside of it was.
        let faults_before = self.faults.len();
        let nested = if level < LEVELS_MAX { self.nested(piece, level) } else { None };
        if self.faults.len() == faults_before {
            let at = self.first_stray_line(piece).map_or(error.at, |stray| error.at.min(stray));
            self.push(fault(YamlError { at, ..error }, piece));
        }
        if let Some(entry) = nested {
            entries.push(entry);
        } else {
            entries.extend(self.entry_as_text(piece));
            let missing = self.required_below(piece, entries);
            entries.extend(missing);
        }
    }

    /// The first line that belongs to no key because it is not indented; the parser reports only
    /// where it gave up looking for the colon.
    fn first_stray_line(&self, piece: Span) -> Option<usize> {
        let mut lines = lines_of(self.text, piece);
        let first = lines.next()?;
        let margin = indentation(&self.text[first.range()]);
        let key = key_of(&self.text[first.range()])?;
        let value = trimmed(self.text, Span::new(first.start + key.after_colon, first.end));
        // A quoted string or a bracket may continue at the margin.
        if self.text[value.range()].starts_with(['"', '\'', '[', '{']) {
            return None;
        }
        let stray = lines.find(|&line| {
            let content = &self.text[trimmed(self.text, line).range()];
            let is_text = !content.is_empty() && !content.starts_with(['#', '-']);
            is_text && indentation(&self.text[line.range()]) <= margin
        })?;
        Some(trimmed(self.text, stray).start)
    }

    fn push(&mut self, fault: Fault) {
        if self.faults.len() < self.faults_max {
            self.faults.push(fault);
        }
    }

    /// Returns the byte after each `&`, where the name of an anchor may begin.
    fn after_anchor_signs(&self) -> &[usize] {
        self.after_anchor_signs.get_or_init(|| {
            let content = &self.text.as_bytes()[self.content.range()];
            memchr::memchr_iter(b'&', content).map(|at| self.content.start + at + 1).collect()
        })
    }

    /// An alias is valid in the whole when its anchor is in another piece.
    fn is_anchored_elsewhere(&self, error: &YamlError) -> bool {
        // The parser has no error codes: the message is the only way to tell its errors apart.
        let YamlErrorKind::Syntax(message) = &error.kind else { return false };
        if !message.ends_with("unknown anchor") || self.faults.len() >= self.faults_max {
            return false;
        }
        let rest = self.text[error.at..self.content.end].trim_start_matches('*');
        let name = rest.split([' ', '\t', '\n', '\r', ',', ']', '}']).next().unwrap_or_default();
        let bytes = self.text.as_bytes();
        let mut after_signs = self.after_anchor_signs().iter();
        !name.is_empty() && after_signs.any(|at| bytes[*at..].starts_with(name.as_bytes()))
    }

    /// The entry of a key with nothing after its colon and other keys below it.
    fn nested(&mut self, piece: Span, level: usize) -> Option<Entry> {
        let mut lines = lines_of(self.text, piece);
        let first = lines.find(|line| key_of(&self.text[line.range()]).is_some())?;
        let key = key_of(&self.text[first.range()])?;
        if !matches!(key.value, Value::None) {
            return None;
        }
        let is_content = |line: &Span| {
            let content = trimmed(self.text, *line);
            !content.is_empty() && !self.text[content.range()].starts_with('#')
        };
        let second = lines.find(is_content)?;
        key_of(&self.text[second.range()])?;
        let start = second.start;
        let margin = indentation(&self.text[start..piece.end]);
        // Keys at the same margin are not below this one; cutting there returns the same piece.
        if margin <= indentation(&self.text[first.range()]) {
            return None;
        }
        let entries = self.level(Span::new(start, piece.end), margin, level + 1);
        let span = Span::new(start + margin, entries.last()?.value.span.end.max(start + margin));
        let value = Node { span, kind: NodeKind::Mapping(entries), tag: None, is_alias: false };
        Some(Entry { key: self.scalar(key.span.shift(first.start), None), value })
    }

    /// Returns a key with the text after it, as it was probably meant.
    fn entry_as_text(&self, piece: Span) -> Option<Entry> {
        let mut lines = lines_of(self.text, piece);
        let first = lines.find(|line| !trimmed(self.text, *line).is_empty())?;
        let key = key_of(&self.text[first.range()])?;
        if matches!(key.value, Value::None)
            && let Some(items) = self.items(piece)
        {
            let key = self.scalar(key.span.shift(first.start), None);
            return Some(Entry { key, value: items });
        }
        let on_line = trimmed(self.text, Span::new(first.start + key.after_colon, first.end));
        let value_line = &self.text[on_line.range()];
        let closes = after_closing(&self.text[..piece.end], on_line.start).unwrap_or(0);
        let takes_all = matches!(key.value, Value::Block) || closes > first.end;
        let mut value = value_line.trim_start_matches(['|', '>']).trim().to_owned();
        let mut end = on_line.end;
        for line in lines {
            let content = trimmed(self.text, line);
            let is_indented = content.start > line.start;
            let is_key = key_of(&self.text[content.range()]).is_some();
            // A line that looks like a key ends a plain value, but not a block scalar or an open
            // quote or bracket, which may contain any line.
            if !takes_all && !content.is_empty() && (!is_indented || is_key) {
                break;
            }
            if !content.is_empty() {
                value.extend([" ", &self.text[content.range()]]);
                end = content.end;
            }
        }
        let mut value = self.scalar(Span::new(on_line.start, end), Some(&value));
        // A list or a mapping that is broken is still one, and its brackets are not text.
        if closes == 0 || closes >= end {
            value.kind = match value_line.chars().next() {
                Some('[') => NodeKind::Sequence(Vec::new()),
                Some('{') => NodeKind::Mapping(Vec::new()),
                _ => value.kind,
            };
        }
        Some(Entry { key: self.scalar(key.span.shift(first.start), None), value })
    }

    /// Returns the lines of a list below a key, each as a string.
    fn items(&self, piece: Span) -> Option<Node> {
        let items: Vec<Node> = lines_of(self.text, piece)
            .skip(1)
            .filter_map(|line| {
                let content = trimmed(self.text, line);
                let item = self.text[content.range()].strip_prefix("- ")?;
                let span = Span::new(content.end - item.len(), content.end);
                Some(self.scalar(trimmed(self.text, span), None))
            })
            .collect();
        let span = Span::new(items.first()?.span.start, items.last()?.span.end);
        Some(Node { span, kind: NodeKind::Sequence(items), tag: None, is_alias: false })
    }

    /// Returns the required keys that are, indented by mistake, below another key.
    fn required_below(&self, piece: Span, entries: &[Entry]) -> Vec<Entry> {
        let mut found: Vec<Entry> = Vec::new();
        for line in lines_of(self.text, piece).skip(1) {
            let Some(key) = key_of(&self.text[line.range()]) else { continue };
            let name = &self.text[key.span.shift(line.start).range()];
            let is_known =
                entries.iter().chain(&found).any(|entry| entry.key.as_str() == Some(name));
            if key.style == KeyStyle::Word && REQUIRED_KEYS.contains(&name) && !is_known {
                found.extend(self.entry_as_text(line));
            }
        }
        found
    }

    /// A plain scalar; quotes that are left over are not part of its text.
    fn scalar(&self, span: Span, text: Option<&str>) -> Node {
        let text = text.unwrap_or(&self.text[span.range()]).trim();
        let unquoted = match text.chars().next() {
            Some(quote @ ('"' | '\'')) => text[1..].strip_suffix(quote).unwrap_or(&text[1..]),
            _ => text,
        };
        // Quoted, whatever it was: `name: no: yes` is meant as a string and not as a boolean.
        let kind =
            NodeKind::Scalar { text: unquoted.trim().to_owned(), style: ScalarStyle::DoubleQuoted };
        Node { span, kind, tag: None, is_alias: false }
    }
}

/// Each piece is right and the whole is not: the indentation, mostly.
fn fault_of_whole(text: &str, content: Span, error: YamlError) -> Fault {
    let entry = pieces(text, content, 0)
        .into_iter()
        .find(|piece| piece.contains(error.at.min(content.end.saturating_sub(1))))
        .unwrap_or(content);
    fault(error, entry)
}

fn fault(error: YamlError, entry: Span) -> Fault {
    let kind = match error.kind {
        YamlErrorKind::Syntax(message) => FaultKind::InvalidYaml { message, entry },
        YamlErrorKind::Limit { what, max } => FaultKind::Limit { what, max },
    };
    Fault { span: Span::empty(error.at), kind }
}
