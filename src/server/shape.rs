//! The shape of a tool's arguments and of its answer: one description for the schemas of
//! `tools/list` and for the checks of a call.

use serde_json::{Map, Value, json};

/// A field of an object.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) is_required: bool,
    /// What it is, for whoever fills it in.
    pub(super) about: &'static str,
}

/// What a field holds.
#[derive(Debug)]
pub(super) enum Kind {
    /// A text of so many characters at most.
    Text {
        max: usize,
    },
    /// One of these words.
    OneOf(&'static [&'static str]),
    Boolean,
    /// A whole number within these bounds.
    Integer {
        min: i64,
        max: i64,
    },
    /// A list of so many items at most.
    List {
        of: &'static Kind,
        max: usize,
    },
    /// An object of these fields alone.
    Object(&'static [Field]),
    /// An object of any fields.
    AnyObject,
    /// The same, or null; for answers.
    Nullable(&'static Kind),
}

/// A field that has to be there.
pub(super) const fn required(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, is_required: true, about }
}

/// A field that may be left out.
pub(super) const fn optional(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, is_required: false, about }
}

/// The JSON Schema (2020-12) of an object of these fields alone.
pub(super) fn object_schema<'a>(fields: impl IntoIterator<Item = &'a Field>) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields {
        let mut schema = field.kind.schema();
        schema.insert("description".to_owned(), field.about.into());
        properties.insert(field.name.to_owned(), schema.into());
        if field.is_required {
            required.push(field.name);
        }
    }
    let mut schema = Map::new();
    schema.insert("type".to_owned(), "object".into());
    schema.insert("properties".to_owned(), properties.into());
    if !required.is_empty() {
        schema.insert("required".to_owned(), required.into());
    }
    schema.insert("additionalProperties".to_owned(), false.into());
    schema
}

impl Kind {
    fn schema(&self) -> Map<String, Value> {
        let schema = match self {
            Self::Text { max } => json!({"type": "string", "maxLength": max}),
            Self::OneOf(words) => json!({"type": "string", "enum": words}),
            Self::Boolean => json!({"type": "boolean"}),
            Self::Integer { min, max } => {
                json!({"type": "integer", "minimum": min, "maximum": max})
            }
            Self::List { of, max } => {
                json!({"type": "array", "items": of.schema(), "maxItems": max})
            }
            Self::Object(fields) => return object_schema(*fields),
            Self::AnyObject => json!({"type": "object"}),
            Self::Nullable(kind) => {
                json!({"anyOf": [kind.schema(), {"type": "null"}]})
            }
        };
        match schema {
            Value::Object(schema) => schema,
            _ => unreachable!("every schema above is an object"),
        }
    }
}
