//! Frontmatter that is not YAML as a whole, read key by key.
//!
//! One broken line must not hide the name, the description and everything else. The lines are
//! cut at each top-level key, each piece is parsed by itself, and a piece that does not parse
//! becomes a fault and an entry whose value is the text as it stands.

use super::yaml::{self, Entry, Node, NodeKind, ScalarStyle, YamlError, YamlErrorKind};
use super::{Fault, FaultKind};
use crate::text::Span;

/// Parses what can be parsed of `content`, after parsing it whole gave `error`.
pub(super) fn parse_by_key(
    text: &str,
    content: Span,
    error: YamlError,
    faults: &mut Vec<Fault>,
) -> Option<Node> {
    if matches!(error.kind, YamlErrorKind::Limit { .. }) {
        faults.push(fault(error, content));
    }
    let faults_before = faults.len();
    let mut entries = Vec::new();
    for piece in pieces(text, content) {
        match yaml::parse(text, piece) {
            Ok(Some(Node { kind: NodeKind::Mapping(mut parsed), .. })) => {
                entries.append(&mut parsed);
            }
            Ok(None) => {}
            Ok(Some(_)) => {
                let message = "a line that is neither a key nor the value of one".to_owned();
                let kind = FaultKind::InvalidYaml { message, entry: piece };
                faults.push(Fault { span: first_line(text, piece), kind });
            }
            Err(error) => {
                let is_limit = matches!(error.kind, YamlErrorKind::Limit { .. });
                if !is_limit {
                    faults.push(fault(error, piece));
                }
                entries.extend(entry_as_text(text, piece));
            }
        }
    }
    let found_nothing = faults.len() == faults_before;
    if found_nothing && faults.is_empty() {
        // Each piece is right and the whole is not: an anchor used across keys, for instance.
        faults.push(fault(error_of_whole(text, content)?, content));
    }
    if entries.is_empty() {
        return None;
    }
    let span = Span::new(entries[0].key.span.start, content.end);
    Some(Node { span, kind: NodeKind::Mapping(entries), tag: None, is_alias: false })
}

fn error_of_whole(text: &str, content: Span) -> Option<YamlError> {
    yaml::parse(text, content).err()
}

fn fault(error: YamlError, entry: Span) -> Fault {
    let kind = match error.kind {
        YamlErrorKind::Syntax(message) => FaultKind::InvalidYaml { message, entry },
        YamlErrorKind::Limit { what, max } => FaultKind::Limit { what, max },
    };
    Fault { span: Span::empty(error.at), kind }
}

/// Cuts `content` in front of each line that begins with a key.
fn pieces(text: &str, content: Span) -> Vec<Span> {
    let mut pieces: Vec<Span> = Vec::new();
    let mut at = content.start;
    for line in text[content.range()].split_inclusive(['\n', '\r']) {
        let end = at + line.len();
        match pieces.last_mut() {
            Some(piece) if key_length(line).is_none() => piece.end = end,
            _ => pieces.push(Span::new(at, end)),
        }
        at = end;
    }
    pieces
}

/// The length of the key that `line` begins with, if it begins with one: a word of letters,
/// digits, `-`, `_` and `.` at the left margin, and a colon.
fn key_length(line: &str) -> Option<usize> {
    let is_key = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.' | '"' | '\'');
    let length = line.find(|c| !is_key(c))?;
    let rest = line[length..].strip_prefix(':')?;
    let ends_key = rest.is_empty() || rest.starts_with([' ', '\t', '\n', '\r']);
    (length > 0 && !line.starts_with('-') && ends_key).then_some(length)
}

fn entry_as_text(text: &str, piece: Span) -> Option<Entry> {
    let lines = &text[piece.range()];
    let length = key_length(lines)?;
    let after_colon = &lines[length + 1..];
    let value = after_colon.trim();
    let start = piece.start + length + 1 + (after_colon.len() - after_colon.trim_start().len());
    let scalar = |span: Span, text: &str| Node {
        span,
        kind: NodeKind::Scalar { text: text.to_owned(), style: ScalarStyle::Plain },
        tag: None,
        is_alias: false,
    };
    let key = scalar(Span::new(piece.start, piece.start + length), &lines[..length]);
    Some(Entry { key, value: scalar(Span::new(start, start + value.len()), value) })
}

fn first_line(text: &str, piece: Span) -> Span {
    let line = text[piece.range()].lines().next().unwrap_or_default();
    Span::new(piece.start, piece.start + line.trim_end().len())
}
