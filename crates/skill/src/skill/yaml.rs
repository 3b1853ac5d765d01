//! YAML that is only checked, or that has to be one entry.

use super::node::{Entry, Node, NodeKind};
use super::tree_builder::parse;
use dibber_text::Span;

/// Parses `text` as the one entry of a mapping, as an edited line of frontmatter has to be.
pub fn parse_entry(text: &str) -> Option<Entry> {
    let root = parse(text, Span::new(0, text.len())).ok()??;
    match root.kind {
        NodeKind::Mapping(mut entries) if entries.len() == 1 => entries.pop(),
        _ => None,
    }
}

/// Returns `true` if `text` is a YAML mapping.
pub fn parses_as_mapping(text: &str) -> bool {
    let root = parse(text, Span::new(0, text.len()));
    matches!(root, Ok(Some(Node { kind: NodeKind::Mapping(_), .. })))
}
