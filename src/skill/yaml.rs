//! YAML 1.2 as a small tree in which every key and value knows its bytes.
//!
//! Built from the events of `saphyr-parser`, whose marks count characters; the spans here are
//! bytes of the whole file. Depth, nodes and aliases are limited while the events come in, so a
//! document made to explode is refused before it does.

use std::collections::HashMap;

use saphyr_parser::{Event, Marker, Parser, ScanError};

use crate::text::{LineIndex, Span};

/// The most levels of mappings and lists inside each other.
pub const DEPTH_MAX: usize = 16;
/// The most keys, values, mappings and lists, counting what aliases repeat.
pub const NODES_MAX: usize = 4_000;
/// The most aliases (`*name`).
pub const ALIASES_MAX: usize = 16;

/// A value (or a key) with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The bytes of the whole file, quotes included, a trailing line break not.
    pub span: Span,
    /// What it is.
    pub kind: NodeKind,
    /// The tag as it is written after expansion, such as `tag:yaml.org,2002:str`.
    pub tag: Option<String>,
    /// It stands at an alias (`*name`) and repeats what the anchor marks.
    pub is_alias: bool,
}

/// The kinds of [`Node`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// A single value.
    Scalar {
        /// The text after unquoting and unfolding.
        text: String,
        /// How it is written.
        style: ScalarStyle,
    },
    /// A list.
    Sequence(Vec<Node>),
    /// A mapping; a key may stand twice.
    Mapping(Vec<Entry>),
}

/// How a scalar is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStyle {
    /// Without quotes.
    Plain,
    /// In `'…'`.
    SingleQuoted,
    /// In `"…"`.
    DoubleQuoted,
    /// After `|`.
    Literal,
    /// After `>`.
    Folded,
}

/// A key and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The key.
    pub key: Node,
    /// The value; an empty plain scalar when nothing stands after the colon.
    pub value: Node,
}

impl Node {
    /// The text of a scalar, whatever its type.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// The text of a scalar that YAML 1.2 reads as a text, and not as a number, a truth value or
    /// nothing.
    pub fn as_text(&self) -> Option<&str> {
        (self.scalar_type() == Some(super::ScalarType::Text)).then(|| self.as_str()).flatten()
    }

    /// The type that the core schema of YAML 1.2 gives a scalar.
    pub fn scalar_type(&self) -> Option<super::ScalarType> {
        match (&self.kind, &self.tag) {
            (NodeKind::Scalar { .. }, Some(_)) => Some(super::ScalarType::Text),
            (NodeKind::Scalar { text, style: ScalarStyle::Plain }, None) => {
                Some(super::type_in_yaml_1_2(text))
            }
            (NodeKind::Scalar { .. }, None) => Some(super::ScalarType::Text),
            _ => None,
        }
    }

    /// The word for what it is: "a list", "a number".
    pub fn describe(&self) -> &'static str {
        match (&self.kind, self.scalar_type()) {
            (NodeKind::Sequence(_), _) => "a list",
            (NodeKind::Mapping(_), _) => "a mapping",
            (NodeKind::Scalar { .. }, scalar_type) => {
                scalar_type.unwrap_or(super::ScalarType::Text).describe()
            }
        }
    }
}

/// Why a text could not be parsed.
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

/// Parses the bytes `part` of `text`; gives nothing for an empty document.
pub(super) fn parse(text: &str, part: Span) -> Result<Option<Node>, YamlError> {
    let content = &text[part.range()];
    let positions = Positions::new(content, part.start);
    let mut builder = Builder::new(text);
    for event in Parser::new_from_str(content) {
        let (event, span) = event.map_err(|error| syntax_error(&positions, &error))?;
        if matches!(event, Event::DocumentEnd | Event::StreamEnd) {
            break;
        }
        let span = Span::new(positions.byte(&span.start), positions.byte(&span.end));
        builder.event(event, span)?;
    }
    Ok(builder.root)
}

fn syntax_error(positions: &Positions<'_>, error: &ScanError) -> YamlError {
    let kind = YamlErrorKind::Syntax(error.info().to_owned());
    YamlError { at: positions.byte(error.marker()), kind }
}

/// From the parser's marks to bytes. Marks are trusted for their line and column only: those are
/// right where the running character index is not.
struct Positions<'a> {
    content: &'a str,
    offset: usize,
    is_ascii: bool,
    lines: LineIndex,
}

impl<'a> Positions<'a> {
    fn new(content: &'a str, offset: usize) -> Self {
        Self { content, offset, is_ascii: content.is_ascii(), lines: LineIndex::new(content) }
    }

    fn byte(&self, mark: &Marker) -> usize {
        let length = self.content.len();
        let start = self.lines.start(mark.line()).unwrap_or(length);
        let within = if self.is_ascii {
            mark.col()
        } else {
            let rest = &self.content[start..];
            rest.char_indices().nth(mark.col()).map_or(rest.len(), |(at, _)| at)
        };
        self.offset + (start + within).min(length)
    }
}

struct Builder<'a> {
    text: &'a str,
    root: Option<Node>,
    /// The mappings and lists that are open, outermost first.
    open: Vec<Open>,
    anchors: HashMap<usize, Node>,
    nodes: usize,
    aliases: usize,
}

struct Open {
    node: Node,
    key: Option<Node>,
    anchor: usize,
}

impl<'a> Builder<'a> {
    fn new(text: &'a str) -> Self {
        Self { text, root: None, open: Vec::new(), anchors: HashMap::new(), nodes: 0, aliases: 0 }
    }

    fn event(&mut self, event: Event<'_>, span: Span) -> Result<(), YamlError> {
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                let (style, span) = (style_of(style), self.trimmed(span, style));
                let kind = NodeKind::Scalar { text: text.into_owned(), style };
                let node = Node { span, kind, tag: tag_of(tag.as_deref()), is_alias: false };
                self.count(1, span)?;
                self.close(node, anchor);
            }
            Event::SequenceStart(anchor, tag) => {
                self.open(NodeKind::Sequence(Vec::new()), anchor, tag.as_deref(), span)?;
            }
            Event::MappingStart(anchor, tag) => {
                self.open(NodeKind::Mapping(Vec::new()), anchor, tag.as_deref(), span)?;
            }
            Event::SequenceEnd | Event::MappingEnd => {
                if let Some(mut open) = self.open.pop() {
                    open.node.span.end = self.end_of_collection(&open.node, span);
                    self.close(open.node, open.anchor);
                }
            }
            Event::Alias(anchor) => self.alias(anchor, span)?,
            Event::Nothing
            | Event::StreamStart
            | Event::StreamEnd
            | Event::DocumentStart(_)
            | Event::DocumentEnd => {}
        }
        Ok(())
    }

    /// A block scalar's mark reaches over the line breaks behind it; a span does not.
    fn trimmed(&self, span: Span, style: saphyr_parser::ScalarStyle) -> Span {
        use saphyr_parser::ScalarStyle::{DoubleQuoted, SingleQuoted};
        if matches!(style, SingleQuoted | DoubleQuoted) || span.end <= span.start {
            return Span::new(span.start, span.end.max(span.start));
        }
        let content = self.text[span.range()].trim_end();
        Span::new(span.start, span.start + content.len())
    }

    /// A block mapping or list ends where its last child does; a flow one at its bracket.
    fn end_of_collection(&self, node: &Node, end: Span) -> usize {
        let opens_with = self.text[node.span.start..].chars().next();
        let last_child = match &node.kind {
            NodeKind::Mapping(entries) => entries.last().map(|entry| entry.value.span.end),
            NodeKind::Sequence(items) => items.last().map(|item| item.span.end),
            NodeKind::Scalar { .. } => None,
        };
        match (opens_with, last_child) {
            (Some('[' | '{'), _) | (_, None) => end.end.max(node.span.start),
            (_, Some(last)) => last.max(node.span.start),
        }
    }

    fn open(
        &mut self,
        kind: NodeKind,
        anchor: usize,
        tag: Option<&saphyr_parser::Tag>,
        span: Span,
    ) -> Result<(), YamlError> {
        self.count(1, span)?;
        if self.open.len() == DEPTH_MAX {
            return Err(limit("levels of nesting", DEPTH_MAX, span));
        }
        let node = Node { span, kind, tag: tag_of(tag), is_alias: false };
        self.open.push(Open { node, key: None, anchor });
        Ok(())
    }

    fn alias(&mut self, anchor: usize, span: Span) -> Result<(), YamlError> {
        self.aliases += 1;
        if self.aliases > ALIASES_MAX {
            return Err(limit("aliases", ALIASES_MAX, span));
        }
        // An alias inside its own anchor has no node yet: it stands for nothing.
        let mut node = self.anchors.get(&anchor).cloned().unwrap_or_else(|| empty_scalar(span));
        self.count(count_nodes(&node), span)?;
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

fn tag_of(tag: Option<&saphyr_parser::Tag>) -> Option<String> {
    tag.map(|tag| format!("{}{}", tag.handle, tag.suffix))
}
