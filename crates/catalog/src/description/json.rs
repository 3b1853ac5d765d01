//! Frontmatter as JSON.

use serde_json::{Map, Number, Value};

use dibber_skill::skill::{Entry, Node, NodeKind, ScalarType, Skill};

/// Returns the frontmatter as JSON, in the core schema of YAML 1.2. Of a key that is there twice, the
/// first value counts; a key that is not a scalar is left out.
pub(super) fn frontmatter(skill: &Skill) -> Map<String, Value> {
    mapping(skill.fields())
}

fn mapping(entries: &[Entry]) -> Map<String, Value> {
    let mut object = Map::new();
    for entry in entries {
        if let Some(key) = entry.key.as_str()
            && !object.contains_key(key)
        {
            object.insert(key.to_owned(), value(&entry.value));
        }
    }
    object
}

fn value(node: &Node) -> Value {
    match &node.kind {
        NodeKind::Mapping(entries) => Value::Object(mapping(entries)),
        NodeKind::Sequence(items) => Value::Array(items.iter().map(value).collect()),
        NodeKind::Scalar { text, .. } => {
            let typed = match node.scalar_type() {
                Some(ScalarType::Null) => Some(Value::Null),
                Some(ScalarType::Bool) => Some(Value::Bool(text.eq_ignore_ascii_case("true"))),
                Some(ScalarType::Int) => integer(text),
                Some(ScalarType::Float) => {
                    text.parse().ok().and_then(Number::from_f64).map(Value::Number)
                }
                _ => None,
            };
            // A number that JSON does not have keeps its text.
            typed.unwrap_or_else(|| Value::String(text.clone()))
        }
    }
}

fn integer(text: &str) -> Option<Value> {
    let parsed = match (text.strip_prefix("0x"), text.strip_prefix("0o")) {
        (Some(digits), _) => i64::from_str_radix(digits, 16),
        (_, Some(digits)) => i64::from_str_radix(digits, 8),
        _ => text.parse(),
    };
    parsed.ok().map(Value::from)
}
