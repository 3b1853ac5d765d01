//! The types of JSON, and the types and fields that a schema names.

use std::collections::{BTreeSet, HashSet};
use std::{ptr, slice};

use serde_json::{Value, json};

use crate::cli::remote::schema_words::target;

/// A type of JSON, in the order in which examples are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum JsonType {
    Integer,
    Number,
    Boolean,
    List,
    Object,
    Null,
    String,
}

/// Returns the types that a schema and its parts name; none if they do not say.
pub(super) fn accepted_types(schema: &Value, root: &Value) -> BTreeSet<JsonType> {
    let mut types = BTreeSet::new();
    // A schema may be its own part.
    let mut seen = HashSet::new();
    let mut parts = vec![schema];
    while let Some(part) = parts.pop() {
        if !seen.insert(ptr::from_ref(part)) {
            continue;
        }
        types.extend(own_types(part));
        let list = |name: &str| part.get(name).and_then(Value::as_array).into_iter().flatten();
        types.extend(list("enum").chain(part.get("const")).map(JsonType::of_value));
        parts.extend(["anyOf", "oneOf", "allOf"].into_iter().flat_map(list));
        parts.extend(target(part, root));
    }
    types
}

/// Returns the types that a schema names itself.
pub(super) fn own_types(schema: &Value) -> impl Iterator<Item = JsonType> {
    let names = match schema.get("type") {
        Some(Value::Array(names)) => &names[..],
        Some(name) => slice::from_ref(name),
        None => &[],
    };
    names.iter().filter_map(|name| JsonType::from_name(name.as_str()?))
}

/// Returns the schema of a field of an object.
pub(super) fn field<'a>(object: &'a Value, name: &str) -> Option<&'a Value> {
    let named = object.get("properties").and_then(|properties| properties.get(name));
    named.or_else(|| {
        let others = object.get("additionalProperties").filter(|schema| schema.is_object());
        others.filter(|_| object.get("patternProperties").is_none())
    })
}

impl JsonType {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "string" => Self::String,
            "number" => Self::Number,
            "integer" => Self::Integer,
            "boolean" => Self::Boolean,
            "null" => Self::Null,
            "array" => Self::List,
            "object" => Self::Object,
            _ => return None,
        })
    }

    fn of_value(value: &Value) -> Self {
        match value {
            Value::String(_) => Self::String,
            Value::Number(number) if number.is_f64() => Self::Number,
            Value::Number(_) => Self::Integer,
            Value::Bool(_) => Self::Boolean,
            Value::Null => Self::Null,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        }
    }

    pub(super) fn accepts(self, value: &Value) -> bool {
        let actual = Self::of_value(value);
        actual == self || (self, actual) == (Self::Number, Self::Integer)
    }

    /// Returns a value of the type.
    pub(super) fn example(self) -> Value {
        match self {
            Self::Integer => json!(5),
            Self::Number => json!(0.5),
            Self::Boolean => json!(true),
            Self::List => json!(["a", "b"]),
            Self::Object => json!({"a": 1}),
            Self::Null => Value::Null,
            Self::String => json!("text"),
        }
    }
}
