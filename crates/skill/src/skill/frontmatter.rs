//! The lines between the two fences: where they are, and their content.

use std::collections::HashMap;

use super::fault::{Fault, FaultKind, InsteadOfFrontmatter};
use super::node::{Entry, Node, NodeKind};
use super::schema::ScalarType;
use super::{pieces, recover, tree_builder};
use dibber_text::{BYTE_ORDER_MARK, Span};

/// The most bytes of frontmatter that are parsed (64 KiB).
pub const FRONTMATTER_BYTES_MAX: usize = 64 << 10;

/// The most duplicate keys that are reported.
const DUPLICATE_KEYS_MAX: usize = 100;

const FENCE: &str = "---";

/// The frontmatter of a skill.
#[derive(Debug)]
pub struct Frontmatter {
    /// The opening fence, without its line break.
    pub opening: Span,
    /// The lines between the fences.
    pub content: Span,
    /// The closing fence without its line break, if there is one.
    pub closing: Option<Span>,
    /// The content of the lines; `None` when not even a part could be parsed.
    pub root: Option<Node>,
}

impl Frontmatter {
    /// Returns the top-level entries, in the order of the file; keys may be there twice.
    pub fn entries(&self) -> &[Entry] {
        match &self.root {
            Some(Node { kind: NodeKind::Mapping(entries), .. }) => entries,
            _ => &[],
        }
    }

    /// Returns `true` if it is a mapping, as it has to be.
    pub fn is_mapping(&self) -> bool {
        matches!(&self.root, Some(Node { kind: NodeKind::Mapping(_), .. }))
    }
}

/// Finds and parses the frontmatter of `text`; returns it with the span of the body.
pub(super) fn parse(
    text: &str,
    faults_max: usize,
    faults: &mut Vec<Fault>,
) -> (Option<Frontmatter>, Span) {
    let start = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
    let Some(opening) = find_opening(text, start, faults) else {
        return (None, Span::new(start, text.len()));
    };
    let content_start = after_line_break(text, opening.end);
    let (content, closing) = find_closing(text, content_start);
    if closing.is_none() {
        faults.push(Fault { span: opening, kind: FaultKind::UnclosedFrontmatter });
    }
    let body_start = closing.map_or(content.end, |closing| after_line_break(text, closing.end));
    let root = parse_content(text, content, closing, faults_max, faults);
    let frontmatter = Frontmatter { opening, content, closing, root };
    (Some(frontmatter), Span::new(body_start, text.len()))
}

/// Parses a whole file of YAML as if it were frontmatter: with the same limits, and key by key
/// where it is broken.
pub(super) fn parse_file(text: &str) -> (Option<Node>, Vec<Fault>) {
    let mut faults = Vec::new();
    let start = text.len() - text.trim_start_matches(BYTE_ORDER_MARK).len();
    let content = Span::new(start, text.len());
    let closing = Some(Span::empty(text.len()));
    let root = parse_content(text, content, closing, recover::FAULTS_MAX, &mut faults);
    (root, faults)
}

/// Returns the lines of `text` from `start`, each without its line break.
fn lines(text: &str, start: usize) -> impl Iterator<Item = Span> {
    pieces::lines_of(text, Span::new(start, text.len())).map(|line| {
        let content = text[line.range()].trim_end_matches(['\n', '\r']);
        Span::new(line.start, line.start + content.len())
    })
}

fn after_line_break(text: &str, at: usize) -> usize {
    let rest = &text.as_bytes()[at..];
    at + if rest.starts_with(b"\r\n") { 2 } else { usize::from(!rest.is_empty()) }
}

fn is_fence(line: &str) -> bool {
    line.trim_end_matches([' ', '\t']) == FENCE
}

fn find_opening(text: &str, start: usize, faults: &mut Vec<Fault>) -> Option<Span> {
    let mut opening = None;
    let mut first_with_text = None;
    for line in lines(text, start) {
        if !text[line.range()].trim().is_empty() {
            first_with_text = Some(line);
            opening = is_fence(&text[line.range()]).then_some(line);
            break;
        }
    }
    if opening.is_some_and(|line| line.start == start) {
        return opening;
    }
    let instead = match (first_with_text, opening) {
        (None, _) => InsteadOfFrontmatter::Nothing,
        (_, Some(_)) => InsteadOfFrontmatter::BlankLines,
        (Some(line), None) => what_is_instead(text, line),
    };
    let span = opening.or(first_with_text).unwrap_or(Span::empty(start));
    faults.push(Fault { span, kind: FaultKind::MissingFrontmatter(instead) });
    opening
}

fn what_is_instead(text: &str, first: Span) -> InsteadOfFrontmatter {
    let mut after_fence = false;
    let window =
        Span::new(first.start, text.floor_char_boundary(first.start + FRONTMATTER_BYTES_MAX));
    for line in lines(&text[..window.end], first.start).skip(1) {
        let line = &text[line.range()];
        if after_fence && line.starts_with("name:") {
            let in_code = text[first.range()].trim_start().starts_with("```");
            return if in_code {
                InsteadOfFrontmatter::CodeFence
            } else {
                InsteadOfFrontmatter::Text
            };
        }
        after_fence = is_fence(line);
    }
    InsteadOfFrontmatter::Body
}

/// Finds the closing fence; without one, the frontmatter is taken to end where a body begins.
fn find_closing(text: &str, start: usize) -> (Span, Option<Span>) {
    if let Some(closing) = lines(text, start).find(|line| is_fence(&text[line.range()])) {
        return (Span::new(start, closing.start), Some(closing));
    }
    (Span::new(start, start_of_body(text, start)), None)
}

/// Where a body seems to begin: at a heading, at a line that is much like a fence, or at one that
/// begins no key.
fn start_of_body(text: &str, start: usize) -> usize {
    let mut end = start;
    let mut lines = lines(text, start).peekable();
    while let Some(line) = lines.next() {
        let content = &text[line.range()];
        let next = lines.peek().map_or("", |next| &text[next.range()]);
        let begins_key = |line: &str| pieces::key_of(line).is_some();
        // A comment is right above a key; a heading is not.
        let is_heading = content.starts_with('#') && !next.starts_with('#') && !begins_key(next);
        let is_part = content.starts_with([' ', '\t', '#', '-']) || begins_key(content);
        if is_heading
            || is_like_fence(content)
            || content.starts_with(FENCE)
            || (!content.is_empty() && !is_part)
        {
            return end;
        }
        if !content.trim().is_empty() {
            end = after_line_break(text, line.end);
        }
    }
    end
}

/// Returns `true` if a line was probably meant as a fence: other dashes, too many, or indented.
pub fn is_like_fence(line: &str) -> bool {
    let dashes = line.trim();
    dashes.chars().count() >= 2
        && dashes.chars().all(|c| matches!(c, '-' | '\u{2013}' | '\u{2014}'))
        || matches!(dashes, "\u{2014}" | "...")
}

fn parse_content(
    text: &str,
    content: Span,
    closing: Option<Span>,
    faults_max: usize,
    faults: &mut Vec<Fault>,
) -> Option<Node> {
    if content.len() > FRONTMATTER_BYTES_MAX {
        let kind = FaultKind::Limit { what: "bytes", max: FRONTMATTER_BYTES_MAX };
        let start = text.floor_char_boundary(content.start + FRONTMATTER_BYTES_MAX);
        faults.push(Fault { span: Span::empty(start), kind });
        return None;
    }
    let root = match tree_builder::parse(text, content) {
        Ok(root) => root,
        Err(error) => recover::parse_by_key(text, content, error, faults_max, faults),
    };
    let found = match &root {
        Some(Node { kind: NodeKind::Mapping(_), .. }) => None,
        Some(node) if node.scalar_type() == Some(ScalarType::Null) => Some("empty"),
        Some(node) => Some(node.describe()),
        None if faults.iter().any(|fault| content_is_broken(&fault.kind)) => None,
        None => Some("empty"),
    };
    // Without a closing fence it is not known what belongs to the frontmatter.
    if let (Some(found), Some(_)) = (found, closing) {
        faults.push(Fault { span: content, kind: FaultKind::NotAMapping { found } });
    }
    if let Some(root) = &root {
        let mut left = DUPLICATE_KEYS_MAX;
        find_duplicate_keys(root, &mut left, faults);
    }
    root
}

fn content_is_broken(kind: &FaultKind) -> bool {
    matches!(kind, FaultKind::InvalidYaml { .. } | FaultKind::Limit { .. })
}

/// Adds the keys that a mapping has already, at most `left` of them.
fn find_duplicate_keys(node: &Node, left: &mut usize, faults: &mut Vec<Fault>) {
    // What an alias repeats was checked at its anchor.
    match &node.kind {
        _ if node.is_alias => {}
        NodeKind::Scalar { .. } => {}
        NodeKind::Sequence(items) => {
            for item in items {
                find_duplicate_keys(item, left, faults);
            }
        }
        NodeKind::Mapping(entries) => {
            let mut seen = HashMap::with_capacity(entries.len());
            for entry in entries {
                if let Some(key) = entry.key.as_str() {
                    let first = *seen.entry(key).or_insert(entry.key.span);
                    if first != entry.key.span && *left > 0 {
                        *left -= 1;
                        let kind = FaultKind::DuplicateKey { key: key.to_owned(), first };
                        faults.push(Fault { span: entry.key.span, kind });
                    }
                }
                find_duplicate_keys(&entry.value, left, faults);
            }
        }
    }
}
