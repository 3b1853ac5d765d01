//! From the events of `saphyr-parser` to the tree of [`Node`]s.
//!
//! The parser's marks count characters, and some of them are wrong: the end of a quoted string or
//! of a bracket includes the comment after it, a block scalar starts at its first line, a list at
//! the left margin at its first item, and an empty value is before its colon. Here every
//! start and end is checked against the text. Depth, nodes and aliases are limited while the tree
//! is built, so that a document made to explode is refused before it does.

use std::collections::HashMap;

use saphyr_parser::{Event, Parser, Tag};

use super::node::{Entry, Node, NodeKind, ScalarStyle};
use super::positions::{
    Positions, after_quoted, skip_blanks, skip_properties, without_blank_lines,
};
use dibber_text::Span;

/// The most levels of mappings and lists inside each other.
pub const DEPTH_MAX: usize = 16;
/// The most keys, values, mappings and lists, counting what aliases repeat.
pub const NODES_MAX: usize = 4_000;
/// The most aliases (`*name`).
pub const ALIASES_MAX: usize = 16;

/// Why the YAML could not be parsed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct YamlError {
    /// The byte of the whole file at which the parser gave up.
    pub(super) at: usize,
    /// What happened.
    pub(super) kind: YamlErrorKind,
}

/// The kinds of [`YamlError`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum YamlErrorKind {
    /// It is not YAML; the parser's words.
    Syntax(String),
    /// A limit was reached.
    Limit { what: &'static str, max: usize },
}

/// Parses the bytes `part` of `text`; returns `None` for an empty document.
pub(super) fn parse(text: &str, part: Span) -> Result<Option<Node>, YamlError> {
    let content = &text[part.range()];
    let mut positions = Positions::new(content, part.start);
    let mut builder = Builder::new(&text[..part.end], part.start);
    let mut documents = 0;
    for event in Parser::new_from_str(content) {
        let (event, marks) = event.map_err(|error| YamlError {
            at: positions.byte(error.marker()),
            kind: YamlErrorKind::Syntax(error.info().to_owned()),
        })?;
        let start = positions.byte(&marks.start);
        let span = Span::new(start, positions.byte(&marks.end).max(start));
        match event {
            Event::StreamEnd => break,
            // The tree has one root, which a second document would replace.
            Event::DocumentStart(_) if documents == 1 => {
                let message = "a second document begins here".to_owned();
                return Err(YamlError { at: start, kind: YamlErrorKind::Syntax(message) });
            }
            Event::DocumentStart(_) => documents += 1,
            event => builder.event(event, span)?,
        }
    }
    Ok(builder.root)
}

struct Builder<'a> {
    /// The file as far as the part that is parsed.
    text: &'a str,
    root: Option<Node>,
    /// The mappings and lists that are open, outermost first.
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    /// After the last scalar, alias or bracket: what follows is only blanks, comments, anchors,
    /// tags and the indicators `:`, `-`, `?` and `,` until the next of them starts.
    read_to: usize,
    nodes: usize,
    aliases: usize,
}

struct Open {
    node: Node,
    key: Option<Node>,
    anchor: usize,
    layout: Layout,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Layout {
    /// By indentation: it ends where its last child does.
    Block,
    /// In brackets.
    Flow,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str, start: usize) -> Self {
        let (open, anchors) = (Vec::new(), HashMap::new());
        Self { text, root: None, open, anchors, read_to: start, nodes: 0, aliases: 0 }
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), YamlError> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let style = style_of(style);
                let has_properties = anchor != 0 || tag.is_some();
                let span = self.scalar_span(span, &text, style, has_properties);
                self.read_to = span.end;
                self.count(1, span)?;
                let kind = NodeKind::Scalar { text: text.into_owned(), style };
                let tag = tag_of(tag.as_deref());
                self.close(Node { span, kind, tag, is_alias: false }, anchor);
            }
            Event::SequenceStart(anchor, tag) => {
                self.open(NodeKind::Sequence(Vec::new()), anchor, tag.as_deref(), span)?;
            }
            Event::MappingStart(anchor, tag) => {
                self.open(NodeKind::Mapping(Vec::new()), anchor, tag.as_deref(), span)?;
            }
            Event::SequenceEnd | Event::MappingEnd => self.close_collection(span),
            Event::Alias(anchor) => self.alias(anchor, span)?,
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => {}
        }
        Ok(())
    }

    fn scalar_span(
        &self,
        span: Span,
        value: &str,
        style: ScalarStyle,
        has_properties: bool,
    ) -> Span {
        let start =
            if has_properties { skip_properties(self.text, span.start) } else { span.start };
        match style {
            ScalarStyle::Plain if value.is_empty() => self.empty_span(span, has_properties),
            ScalarStyle::Plain => Span::new(start.min(span.end), span.end),
            ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted => {
                Span::new(start, after_quoted(self.text, start).unwrap_or(span.end.max(start)))
            }
            ScalarStyle::Literal | ScalarStyle::Folded => self.block_scalar_span(span),
        }
    }

    /// An empty value is right after its colon, or where the parser puts it if there is none.
    fn empty_span(&self, span: Span, has_properties: bool) -> Span {
        if has_properties {
            return Span::empty(span.end);
        }
        if self.open.last().is_some_and(|open| open.key.is_some()) {
            let colon = skip_blanks(self.text, self.read_to);
            let has_colon = self.text[colon..].starts_with(':');
            return Span::empty(if has_colon { colon + 1 } else { self.read_to });
        }
        Span::empty(span.start)
    }

    /// From the `|` or `>` to the last line that is not blank.
    fn block_scalar_span(&self, span: Span) -> Span {
        let header = self.next_node();
        if !self.text[header..].starts_with(['|', '>']) {
            return span;
        }
        let indicators = ['|', '>', '+', '-', '1', '2', '3', '4', '5', '6', '7', '8', '9'];
        let rest = &self.text[header..];
        let header_end = header + rest.len() - rest.trim_start_matches(indicators).len();
        let first_line = self.text[header..].find(['\n', '\r']).map_or(span.end, |at| header + at);
        if span.end <= first_line || self.text[first_line..span.end].trim().is_empty() {
            return Span::new(header, header_end);
        }
        Span::new(header, header + without_blank_lines(&self.text[header..span.end]).len())
    }

    /// Where the next scalar or bracket starts, seen from the end of the last one.
    fn next_node(&self) -> usize {
        let mut at = self.read_to;
        loop {
            at = skip_properties(self.text, at);
            if !self.text[at..].starts_with([':', '-', '?', ',']) {
                return at;
            }
            at += 1;
        }
    }

    fn open(
        &mut self,
        kind: NodeKind,
        anchor: usize,
        tag: Option<&Tag>,
        span: Span,
    ) -> Result<(), YamlError> {
        self.count(1, span)?;
        if self.open.len() == DEPTH_MAX {
            return Err(limit("levels of nesting", DEPTH_MAX, span));
        }
        let has_properties = anchor != 0 || tag.is_some();
        let start =
            if has_properties { skip_properties(self.text, span.start) } else { span.start };
        // The event does not say how the collection is written; only in brackets does it have bytes
        // of its own at its start.
        let is_flow = self.text[start..].starts_with(['[', '{']) && span.end > start;
        let layout = if is_flow { Layout::Flow } else { Layout::Block };
        let start = match (layout, &kind) {
            (Layout::Block, NodeKind::Sequence(_)) => self.first_dash(start),
            _ => start,
        };
        if layout == Layout::Flow {
            self.read_to = start + 1;
        }
        let node = Node { span: Span::empty(start), kind, tag: tag_of(tag), is_alias: false };
        self.open.push(Open { node, key: None, anchor, layout });
        Ok(())
    }

    /// The parser starts a list that is not indented after its first dash.
    fn first_dash(&self, start: usize) -> usize {
        if self.text[start..].starts_with('-') {
            return start;
        }
        let after_key = skip_blanks(self.text, self.read_to);
        let after_colon = after_key + usize::from(self.text[after_key..].starts_with(':'));
        let dash = skip_properties(self.text, after_colon);
        if self.text[dash..].starts_with('-') { dash } else { start }
    }

    fn close_collection(&mut self, end: Span) {
        let Some(mut open) = self.open.pop() else { return };
        let last_child = match &open.node.kind {
            NodeKind::Mapping(entries) => entries.last().map(|entry| entry.value.span.end),
            NodeKind::Sequence(items) => items.last().map(|item| item.span.end),
            NodeKind::Scalar { .. } => None,
        };
        let start = open.node.span.start;
        open.node.span.end = match (open.layout, last_child) {
            // The parser's mark is before the closing bracket; that of a block is after comments
            // and blank lines, so that its last child is a better end.
            (Layout::Flow, _) => (end.start + 1).min(self.text.len()).max(start),
            (Layout::Block, last) => last.unwrap_or(start).max(start),
        };
        self.read_to = self.read_to.max(open.node.span.end);
        self.close(open.node, open.anchor);
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), YamlError> {
        self.aliases += 1;
        if self.aliases > ALIASES_MAX {
            return Err(limit("aliases", ALIASES_MAX, span));
        }
        // An alias inside its own anchor has no node yet: it is empty.
        let mut node = self.anchors.get(&anchor).cloned().unwrap_or_else(|| empty_scalar(span));
        // Aliases of aliases grow exponentially, so what they repeat counts as nodes, too.
        self.count(count_nodes(&node), span)?;
        self.read_to = span.end;
        (node.span, node.is_alias) = (span, true);
        self.close(node, 0);
        Ok(())
    }

    fn count(&mut self, nodes: usize, span: Span) -> Result<(), YamlError> {
        self.nodes += nodes;
        if self.nodes > NODES_MAX {
            return Err(limit("keys and values", NODES_MAX, span));
        }
        Ok(())
    }

    fn close(&mut self, node: Node, anchor: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, node.clone());
        }
        let Some(open) = self.open.last_mut() else {
            self.root = Some(node);
            return;
        };
        match &mut open.node.kind {
            NodeKind::Sequence(items) => items.push(node),
            NodeKind::Mapping(entries) => match open.key.take() {
                None => open.key = Some(node),
                Some(key) => entries.push(Entry { key, value: node }),
            },
            NodeKind::Scalar { .. } => {}
        }
    }
}

fn empty_scalar(span: Span) -> Node {
    let kind = NodeKind::Scalar { text: String::new(), style: ScalarStyle::Plain };
    Node { span, kind, tag: None, is_alias: true }
}

fn count_nodes(node: &Node) -> usize {
    1 + match &node.kind {
        NodeKind::Scalar { .. } => 0,
        NodeKind::Sequence(items) => items.iter().map(count_nodes).sum(),
        NodeKind::Mapping(entries) => {
            entries.iter().map(|entry| count_nodes(&entry.key) + count_nodes(&entry.value)).sum()
        }
    }
}

fn limit(what: &'static str, max: usize, span: Span) -> YamlError {
    YamlError { at: span.start, kind: YamlErrorKind::Limit { what, max } }
}

fn style_of(style: saphyr_parser::ScalarStyle) -> ScalarStyle {
    match style {
        saphyr_parser::ScalarStyle::Plain => ScalarStyle::Plain,
        saphyr_parser::ScalarStyle::SingleQuoted => ScalarStyle::SingleQuoted,
        saphyr_parser::ScalarStyle::DoubleQuoted => ScalarStyle::DoubleQuoted,
        saphyr_parser::ScalarStyle::Literal => ScalarStyle::Literal,
        saphyr_parser::ScalarStyle::Folded => ScalarStyle::Folded,
    }
}

fn tag_of(tag: Option<&Tag>) -> Option<String> {
    tag.map(|tag| format!("{}{}", tag.handle, tag.suffix))
}
