//! The schema of the arguments of a tool: as JSON for `tools/list`, and parsed for the checker of
//! arguments.

use std::collections::BTreeMap;
use std::sync::{LazyLock, OnceLock};

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use dibber_skill::string_pattern::StringPattern;

/// The schema of the arguments of a tool. It is derived, and parsed, when it is first needed.
pub(super) struct InputSchema {
    json: LazyLock<Map<String, Value>>,
    parsed: OnceLock<ValueSchema>,
}

impl InputSchema {
    /// Creates the schema that `derive` returns.
    pub(super) const fn new(derive: fn() -> Map<String, Value>) -> Self {
        Self { json: LazyLock::new(derive), parsed: OnceLock::new() }
    }

    /// Returns the schema as `tools/list` has it.
    pub(super) fn json(&self) -> &Map<String, Value> {
        &self.json
    }

    /// Returns the schema as the checker reads it.
    pub(super) fn parsed(&self) -> &ValueSchema {
        self.parsed.get_or_init(|| {
            // A test parses the schema of every tool.
            ValueSchema::parse(self.json.clone()).expect("only keywords that are checked")
        })
    }
}

/// The schema of a value. Parsing fails at a keyword that is not a field here, so that the checker
/// cannot ignore one.
#[derive(Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(super) struct ValueSchema {
    pub(super) description: String,
    #[serde(rename = "type", deserialize_with = "one_or_several")]
    pub(super) types: Vec<ValueType>,
    /// The only values.
    #[serde(rename = "enum")]
    pub(super) choices: Option<Vec<Value>>,
    pub(super) max_length: Option<usize>,
    #[serde(deserialize_with = "some_pattern")]
    pub(super) pattern: Option<StringPattern>,
    /// It only describes the value, as JSON Schema has it by default.
    #[serde(rename = "format")]
    _format: String,
    /// The value that a field that is left out is taken as. It is not filled in: a spec-hash is of what
    /// was sent.
    pub(super) default: Option<Value>,
    /// Values that only show what to write.
    pub(super) examples: Vec<String>,
    pub(super) minimum: Option<i64>,
    pub(super) maximum: Option<i64>,
    pub(super) items: Option<Box<ValueSchema>>,
    pub(super) max_items: Option<usize>,
    /// The fields of an object; none if it takes any.
    pub(super) properties: BTreeMap<String, ValueSchema>,
    pub(super) required: Vec<String>,
    pub(super) additional_properties: Option<bool>,
}

/// A type of JSON Schema.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ValueType {
    Null,
    Boolean,
    Integer,
    String,
    Array,
    Object,
}

impl ValueSchema {
    /// Parses a schema; a keyword that is not checked is an error.
    pub(super) fn parse(schema: Map<String, Value>) -> serde_json::Result<Self> {
        Self::deserialize(Value::Object(schema))
    }
}

fn some_pattern<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<StringPattern>, D::Error> {
    let text = String::deserialize(deserializer)?;
    StringPattern::parse(&text).map(Some).map_err(D::Error::custom)
}

fn one_or_several<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<ValueType>, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Types {
        One(ValueType),
        Several(Vec<ValueType>),
    }
    Types::deserialize(deserializer).map(|types| match types {
        Types::One(one) => vec![one],
        Types::Several(several) => several,
    })
}

#[cfg(test)]
impl ValueSchema {
    /// Parses a schema that a test writes.
    pub(super) fn of_test(schema: &Value) -> serde_json::Result<Self> {
        Self::deserialize(schema)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_keyword_that_is_not_checked_is_an_error() {
        for schema in [
            json!({"type": "string", "pattern": "("}),
            json!({"type": "object", "properties": {"a": {"type": "array", "minItems": 1}}}),
            json!({"type": "array", "items": {"anyOf": [{"type": "string"}]}}),
            json!({"const": "cancel"}),
            json!({"type": "string", "minLength": 2}),
            json!({"type": "number"}),
            json!({"type": "integer", "minimum": 0.5}),
            json!({"type": "object", "additionalProperties": {"type": "string"}}),
            json!({"$ref": "#/$defs/A"}),
        ] {
            assert!(ValueSchema::of_test(&schema).is_err(), "{schema}");
        }
    }
}
