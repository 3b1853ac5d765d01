//! YAML 1.2 as a small tree in which every key and value knows its bytes.
//!
//! Depth, nodes and aliases are limited while the tree is built, so a document made to explode is
//! refused before it does.

use super::tree_builder;
use dibber_text::Span;

/// The most levels of mappings and lists inside each other.
pub const DEPTH_MAX: usize = 16;
/// The most keys, values, mappings and lists, counting what aliases repeat.
pub const NODES_MAX: usize = 4_000;
/// The most aliases (`*name`).
pub const ALIASES_MAX: usize = 16;

/// A value (or a key) with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The bytes of the whole file: quotes, brackets and the `|` of a block scalar are included;
    /// an anchor, a tag, a comment behind it and a trailing line break are not. The span of an
    /// empty value is empty and stands right after the colon.
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

impl Entry {
    /// From the key to the end of the value.
    pub fn span(&self) -> Span {
        Span::new(self.key.span.start, self.value.span.end.max(self.key.span.end))
    }
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
            (NodeKind::Scalar { .. }, Some(tag)) => Some(super::ScalarType::of_tag(tag)),
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
    tree_builder::build(text, part)
}

/// Parses `text` as the one entry of a mapping, as an edited line of frontmatter has to be.
pub fn parse_entry(text: &str) -> Option<Entry> {
    let root = parse(text, Span::new(0, text.len())).ok()??;
    match root.kind {
        NodeKind::Mapping(mut entries) if entries.len() == 1 => entries.pop(),
        _ => None,
    }
}

/// Tells whether `text` is YAML of keys and values.
pub fn parses_as_mapping(text: &str) -> bool {
    let root = parse(text, Span::new(0, text.len()));
    matches!(root, Ok(Some(Node { kind: NodeKind::Mapping(_), .. })))
}
