//! The shape of a tool's arguments and of its answer: one description for the schemas of
//! `tools/list` and for the checks of a call.

use serde_json::{Map, Value, json};

/// The keywords that limit a value, left out of what a tool answers.
const LIMITS: [&str; 4] = ["maxLength", "maxItems", "minimum", "maximum"];

/// A field of an object.
#[derive(Debug)]
pub(super) struct Field {
    pub(super) name: &'static str,
    pub(super) kind: Kind,
    pub(super) is_required: bool,
    /// What it means and how to fill it in; empty if the name says it.
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
    /// The same, or null; for answers, and not for one of several words.
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

/// Which side of a call a schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    /// Closed objects with every limit, since a call that exceeds one is refused.
    Input,
    /// Open objects without limits: what a later version adds must not break a client that
    /// validates what it receives.
    Output,
}

/// Returns the JSON Schema (2020-12) of the arguments of a tool: these fields and no others.
pub(super) fn input_schema(fields: &[Field]) -> Map<String, Value> {
    object_schema(fields, Side::Input)
}

/// Returns the JSON Schema (2020-12) of the result of a tool: the fields of a success, or `error`.
///
/// The root requires nothing of its own. Some clients validate the result of a call that failed
/// as well, and discard it with its error if it does not match.
pub(super) fn output_schema<'a>(
    success: impl IntoIterator<Item = &'a Field>,
    error: &Field,
) -> Map<String, Value> {
    let mut schema = object_schema(success, Side::Output);
    let of_success = schema.remove("required").unwrap_or_else(|| json!([]));
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.insert(error.name.to_owned(), error.schema(Side::Output).into());
    }
    schema
        .insert("anyOf".to_owned(), json!([{"required": of_success}, {"required": [error.name]}]));
    schema.insert("additionalProperties".to_owned(), true.into());
    schema
}

fn object_schema<'a>(
    fields: impl IntoIterator<Item = &'a Field>,
    side: Side,
) -> Map<String, Value> {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for field in fields {
        properties.insert(field.name.to_owned(), field.schema(side).into());
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
    if side == Side::Input {
        schema.insert("additionalProperties".to_owned(), false.into());
    }
    schema
}

impl Field {
    fn schema(&self, side: Side) -> Map<String, Value> {
        let mut schema = self.kind.schema(side);
        if !self.about.is_empty() {
            schema.insert("description".to_owned(), self.about.into());
        }
        schema
    }
}

impl Kind {
    fn schema(&self, side: Side) -> Map<String, Value> {
        let schema = match self {
            Self::Text { max } => json!({"type": "string", "maxLength": max}),
            // Every agent reads these schemas, so they say nothing twice.
            Self::OneOf(words) if side == Side::Output => json!({"enum": words}),
            Self::OneOf(words) => json!({"type": "string", "enum": words}),
            Self::Boolean => json!({"type": "boolean"}),
            Self::Integer { min, max } => {
                json!({"type": "integer", "minimum": min, "maximum": max})
            }
            Self::List { of, max } => {
                json!({"type": "array", "items": of.schema(side), "maxItems": max})
            }
            Self::Object(fields) => return object_schema(*fields, side),
            Self::AnyObject => json!({"type": "object"}),
            Self::Nullable(kind) => {
                let mut schema = kind.schema(side);
                let kind = schema.remove("type");
                schema.insert("type".to_owned(), json!([kind, "null"]));
                schema.into()
            }
        };
        match schema {
            Value::Object(mut schema) => {
                schema.retain(|key, _| side == Side::Input || !LIMITS.contains(&key.as_str()));
                schema
            }
            _ => unreachable!("every schema above is an object"),
        }
    }
}
