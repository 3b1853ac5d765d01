//! The values of inputs, as a heartbeat is created with them.

use serde_json::{Map, Value};

use super::model::Heartbeat;
use crate::skill::{Node, NodeKind, ScalarType};
use dibber_text::strict_json;

impl Heartbeat {
    /// Returns the value of each input as JSON.
    pub fn input_values(&self) -> Map<String, Value> {
        self.input.iter().map(|(name, node)| (name.value.clone(), value_as_json(node))).collect()
    }
}

/// Converts a YAML value to JSON. A number that JSON cannot represent remains a string.
pub(crate) fn value_as_json(node: &Node) -> Value {
    match &node.kind {
        NodeKind::Sequence(items) => items.iter().map(value_as_json).collect(),
        NodeKind::Mapping(entries) => {
            let key = |node: &Node| node.as_str().unwrap_or_default().to_owned();
            let entries =
                entries.iter().map(|entry| (key(&entry.key), value_as_json(&entry.value)));
            Value::Object(entries.collect())
        }
        NodeKind::Scalar { text, .. } => match node.scalar_type() {
            Some(ScalarType::Null) => Value::Null,
            Some(ScalarType::Bool) => Value::Bool(text.eq_ignore_ascii_case("true")),
            Some(ScalarType::Int | ScalarType::Float) => {
                strict_json::parse(text).unwrap_or_else(|_| text.as_str().into())
            }
            _ => text.as_str().into(),
        },
    }
}
