//! The tools that a skill uses.

use crate::diagnostic::Place;
use crate::manifest::Located;
use crate::skill::{Entry, NodeKind, Skill};
use crate::text::Span;

/// The one spelling of a tool's name that is sent: `task_create` for `task.create`.
pub(super) fn underscored(name: &str) -> String {
    name.trim().replace('.', "_")
}

/// The tools of `allowed-tools`, without what stands in brackets behind them.
pub(super) fn allowed_tools(skill: &Skill) -> Vec<(Place, Located<String>)> {
    let Some(Entry { value, .. }) = skill.field("allowed-tools") else { return Vec::new() };
    let mut tools = Vec::new();
    let mut add = |text: &str, span: Span| {
        let names = split(text).map(|name| {
            let located = Located { value: name.to_owned(), span };
            (Place::SkillFile(span), located)
        });
        tools.extend(names);
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

/// Cuts a text at the spaces and commas outside of brackets, and leaves the brackets out.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_usize;
    let is_between = move |c: char| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => return depth == 0 && (c.is_whitespace() || c == ','),
        }
        false
    };
    text.split(is_between)
        .map(|tool| tool.split_once('(').map_or(tool, |(name, _)| name))
        .filter(|name| !name.is_empty())
}
