//! YAML 1.2 as a small tree in which every key and value knows its bytes.

use super::schema::{ScalarType, type_in_yaml_1_2};
use dibber_text::Span;

/// A value (or a key) with its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// The bytes of the whole file: quotes, brackets and the `|` of a block scalar are included;
    /// an anchor, a tag, a comment after it and a trailing line break are not. The span of an
    /// empty value is empty, right after the colon.
    pub span: Span,
    /// What it is.
    pub kind: NodeKind,
    /// The tag as it is written after expansion, such as `tag:yaml.org,2002:str`.
    pub tag: Option<String>,
    /// It is an alias (`*name`) and repeats what the anchor marks.
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
    /// A mapping; a key may be there twice.
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
    /// The value; an empty plain scalar when nothing follows the colon.
    pub value: Node,
}

impl Entry {
    /// Returns the bytes from the key to the end of the value.
    pub fn span(&self) -> Span {
        Span::new(self.key.span.start, self.value.span.end.max(self.key.span.end))
    }
}

impl Node {
    /// Returns the text of a scalar, whatever its type.
    pub fn as_str(&self) -> Option<&str> {
        match &self.kind {
            NodeKind::Scalar { text, .. } => Some(text),
            _ => None,
        }
    }

    /// Returns the text of a scalar that YAML 1.2 reads as a string, and not as a number, a
    /// boolean or null.
    pub fn as_text(&self) -> Option<&str> {
        (self.scalar_type() == Some(ScalarType::Text)).then(|| self.as_str()).flatten()
    }

    /// Returns the type of a scalar in the core schema of YAML 1.2.
    pub fn scalar_type(&self) -> Option<ScalarType> {
        match (&self.kind, &self.tag) {
            (NodeKind::Scalar { .. }, Some(tag)) => Some(ScalarType::of_tag(tag)),
            (NodeKind::Scalar { text, style: ScalarStyle::Plain }, None) => {
                Some(type_in_yaml_1_2(text))
            }
            (NodeKind::Scalar { .. }, None) => Some(ScalarType::Text),
            _ => None,
        }
    }

    /// Returns the word for what it is: "a list", "a number".
    pub fn describe(&self) -> &'static str {
        match (&self.kind, self.scalar_type()) {
            (NodeKind::Sequence(_), _) => "a list",
            (NodeKind::Mapping(_), _) => "a mapping",
            (NodeKind::Scalar { .. }, scalar_type) => {
                scalar_type.unwrap_or(ScalarType::Text).describe()
            }
        }
    }
}
