//! The tools that a skill declares as used.

use crate::contract::wire_name;
use crate::diagnostic::Place;
use crate::manifest::Located;
use crate::skill::{Entry, NodeKind, Skill, split_tools};
use dibber_text::Span;

/// Returns the index of a tool among the hands, in either spelling.
pub(super) fn position(hands: &[String], name: &str) -> Option<usize> {
    hands.iter().position(|hand| wire_name(hand) == name)
}

/// Returns the tools of `allowed-tools`, without the patterns in parentheses after them.
pub(super) fn allowed_tools(skill: &Skill) -> Vec<(Place, Located<String>)> {
    let Some(Entry { value, .. }) = skill.field("allowed-tools") else { return Vec::new() };
    let mut tools = Vec::new();
    let mut add = |text: &str, span: Span| {
        let start = skill.source.slice(span).rfind(text).map(|at| span.start + at);
        for (at, name) in tool_names(text) {
            // A quoted or folded string has escapes: its place is all of it.
            let exact = start.map(|start| Span::new(start + at, start + at + name.len()));
            let span = exact.unwrap_or(span);
            tools.push((Place::SkillFile(span), Located { value: name.to_owned(), span }));
        }
    };
    match &value.kind {
        NodeKind::Scalar { text, .. } => add(text, value.span),
        NodeKind::Sequence(items) => {
            for item in items {
                add(item.as_str().unwrap_or_default(), item.span);
            }
        }
        NodeKind::Mapping(_) => {}
    }
    tools
}

/// Returns the names of tools without the patterns in parentheses after them, each with the offset of its
/// first byte.
fn tool_names(text: &str) -> impl Iterator<Item = (usize, &str)> {
    split_tools(text)
        .map(|(at, tool)| (at, tool.split_once('(').map_or(tool, |(name, _)| name)))
        .filter(|(_, name)| !name.is_empty())
}
