//! The tools of `allowed-tools`, however they are separated.

use super::node::{Node, NodeKind};

/// Splits a string at the spaces and commas outside of parentheses. Returns each tool with the offset
/// of its first byte, with the pattern in parentheses after it: `Bash(git add:*)`.
pub fn split_tools(text: &str) -> impl Iterator<Item = (usize, &str)> {
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
        .filter(|tool| !tool.is_empty())
        .map(|tool| (tool.as_ptr() as usize - text.as_ptr() as usize, tool))
}

/// Returns the tools of a value of `allowed-tools`: a string, or a list of strings.
pub fn tools_of(value: &Node) -> Vec<String> {
    let split = |text: &str| -> Vec<String> {
        split_tools(text).map(|(_, tool)| tool.to_owned()).collect()
    };
    match &value.kind {
        NodeKind::Scalar { text, .. } if value.as_text().is_some() => split(text),
        NodeKind::Sequence(items) => {
            items.iter().flat_map(|item| split(item.as_str().unwrap_or_default())).collect()
        }
        _ => Vec::new(),
    }
}
