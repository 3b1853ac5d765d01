//! Comments in YAML, which parsers do not report.

use dibber_skill::skill::{Fault, FaultKind, Node, NodeKind, ScalarStyle, Skill};
use dibber_text::{Source, Span};

/// A piece of YAML with the result of parsing it.
pub(super) struct ParsedYaml<'a> {
    /// The file that contains it.
    pub(super) source: &'a Source,
    /// The parsed value.
    pub(super) root: Option<&'a Node>,
    /// The syntax errors.
    pub(super) faults: &'a [Fault],
}

impl<'a> ParsedYaml<'a> {
    /// Returns the frontmatter of a skill.
    pub(super) fn of_frontmatter(skill: &'a Skill) -> Self {
        let root = skill.frontmatter.as_ref().and_then(|frontmatter| frontmatter.root.as_ref());
        Self { source: &skill.source, root, faults: &skill.faults }
    }

    /// Returns the comment that begins with the mark at that byte, up to the end of its line.
    pub(super) fn comment_at(&self, mark: usize) -> Option<Span> {
        let source = self.source;
        let line = source.lines().line_span(source.text(), source.lines().line(mark));
        let before = source.slice(Span::new(line.start, mark)).trim_end_matches([' ', '\t']);
        let code = before.trim_end_matches('#');
        if code.len() == before.len() || !(code.is_empty() || code.ends_with([' ', '\t'])) {
            return None;
        }
        let start = line.start + code.len();
        let comment = Span::new(start, line.start + source.slice(line).trim_end().len());
        // A `#` in the first column always begins a comment, except in a block scalar at the top
        // level, which is not a mapping. An indented one may be part of a value.
        (code.is_empty() || !self.is_in_value(start)).then_some(comment)
    }

    fn is_in_value(&self, at: usize) -> bool {
        let is_in_broken_lines = self.faults.iter().any(|fault| match &fault.kind {
            FaultKind::InvalidYaml { entry, .. } => entry.contains(at),
            _ => false,
        });
        is_in_broken_lines || self.root.is_some_and(|node| is_in_scalar(self.source, node, at))
    }
}

fn is_in_scalar(source: &Source, node: &Node, at: usize) -> bool {
    match &node.kind {
        NodeKind::Scalar { style: ScalarStyle::Literal | ScalarStyle::Folded, .. } => {
            // The line of the `|` itself may end in a comment.
            let lines = source.lines();
            node.span.contains(at) && lines.line(at) != lines.line(node.span.start)
        }
        NodeKind::Scalar { .. } => node.span.contains(at),
        NodeKind::Sequence(items) => items.iter().any(|item| is_in_scalar(source, item, at)),
        NodeKind::Mapping(entries) => entries.iter().any(|entry| {
            is_in_scalar(source, &entry.key, at) || is_in_scalar(source, &entry.value, at)
        }),
    }
}
