//! Comments in YAML, which no parser tells.

use dibber_skill::skill::{Fault, FaultKind, Node, NodeKind, ScalarStyle, Skill};
use dibber_text::{Source, Span};

/// Some YAML, with what was read of it.
pub(super) struct Yaml<'a> {
    /// The file that it is in.
    pub(super) source: &'a Source,
    /// Its values.
    pub(super) root: Option<&'a Node>,
    /// What is wrong with it.
    pub(super) faults: &'a [Fault],
}

impl<'a> Yaml<'a> {
    /// The frontmatter of a skill.
    pub(super) fn of_frontmatter(skill: &'a Skill) -> Self {
        let root = skill.frontmatter.as_ref().and_then(|frontmatter| frontmatter.root.as_ref());
        Self { source: &skill.source, root, faults: &skill.faults }
    }

    /// The comment that begins with the mark at that byte, up to the end of its line.
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
        // At the margin nothing else can be meant; further in, it may be part of a value.
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
            // A comment may follow the `|` on its own line.
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
