//! The tools that a skill uses.

use crate::contract::{PUBLIC_TOOLS, PublicTool};
use crate::diagnostic::Place;
use crate::manifest::Located;
use crate::skill::{Entry, NodeKind, Skill};
use crate::text::Span;

/// The hand of a skill that does something when it runs.
pub(super) const RUN_HAND: &str = "task_create";
/// The hand of a skill that schedules another one.
pub(super) const ASSIGNMENT_HAND: &str = "heartbeat_create";

/// The one spelling of a tool's name that is sent: `task_create` for `task.create`.
pub(super) fn underscored(name: &str) -> String {
    name.trim().replace('.', "_")
}

/// The place among the hands of the tool of that name, in either spelling.
pub(super) fn position(hands: &[String], name: &str) -> Option<usize> {
    hands.iter().position(|hand| underscored(hand) == name)
}

/// What is known of a hand, in either spelling.
pub(super) fn public_tool(hand: &str) -> Option<&'static PublicTool> {
    let name = underscored(hand);
    let index = PUBLIC_TOOLS.binary_search_by_key(&name.as_str(), |tool| tool.name).ok()?;
    Some(&PUBLIC_TOOLS[index])
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
