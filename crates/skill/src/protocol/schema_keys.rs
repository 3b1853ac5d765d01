//! Keys of an `[input_schema]` that a validator ignores, and that are probably mistakes.

use serde_json::{Map, Value};

use crate::response_model::{LIST_KEYWORDS, NAMED_KEYWORDS, SCHEMA_KEYWORDS};
use dibber_text::{Message, closest_match, message, quote};

/// The other keywords of JSON Schema 2020-12.
const OTHER_KEYWORDS: [&str; 32] = [
    "$comment",
    "$ref",
    "$schema",
    "const",
    "contentEncoding",
    "contentMediaType",
    "default",
    "dependentRequired",
    "deprecated",
    "description",
    "enum",
    "examples",
    "exclusiveMaximum",
    "exclusiveMinimum",
    "format",
    "maxContains",
    "maxItems",
    "maxLength",
    "maxProperties",
    "maximum",
    "minContains",
    "minItems",
    "minLength",
    "minProperties",
    "minimum",
    "multipleOf",
    "pattern",
    "readOnly",
    "required",
    "title",
    "type",
    "uniqueItems",
];
/// Keywords of other dialects that are like one of these, and are meant as they are.
const FOREIGN_KEYWORDS: [&str; 5] = ["example", "definitions", "dependencies", "id", "nullable"];

/// A key that is probably a mistake.
pub(super) struct SchemaHint {
    /// The names and indexes that lead to it.
    pub(super) path: Vec<String>,
    pub(super) message: Message,
    pub(super) help: Message,
}

/// Returns the keys of a valid schema that are probably mistakes.
pub(super) fn hints(schema: &Map<String, Value>) -> Vec<SchemaHint> {
    let mut walk = Walk::default();
    walk.schema(schema);
    walk.found
}

#[derive(Default)]
struct Walk {
    path: Vec<String>,
    found: Vec<SchemaHint>,
}

impl Walk {
    fn schema(&mut self, schema: &Map<String, Value>) {
        self.impossible(schema);
        for (keyword, value) in schema {
            self.path.push(keyword.clone());
            self.misspelt(keyword, schema);
            self.subschemas(keyword, value);
            self.path.pop();
        }
    }

    fn subschemas(&mut self, keyword: &str, value: &Value) {
        let inner: Vec<(String, &Value)> = match value {
            Value::Array(items) if LIST_KEYWORDS.contains(&keyword) => {
                items.iter().enumerate().map(|(index, item)| (index.to_string(), item)).collect()
            }
            Value::Object(named) if NAMED_KEYWORDS.contains(&keyword) => {
                named.iter().map(|(name, schema)| (name.clone(), schema)).collect()
            }
            Value::Object(schema) if SCHEMA_KEYWORDS.contains(&keyword) => {
                return self.schema(schema);
            }
            _ => return,
        };
        for (name, schema) in inner {
            let Value::Object(schema) = schema else { continue };
            self.path.push(name);
            self.schema(schema);
            self.path.pop();
        }
    }

    /// A keyword that is not one, and like one that the schema does not have.
    fn misspelt(&mut self, keyword: &str, schema: &Map<String, Value>) {
        let known = || {
            let lists = [&SCHEMA_KEYWORDS[..], &LIST_KEYWORDS, &NAMED_KEYWORDS, &OTHER_KEYWORDS];
            lists.into_iter().flatten().copied()
        };
        if known().chain(FOREIGN_KEYWORDS).any(|known| known == keyword) {
            return;
        }
        let unused = known().filter(|known| !schema.contains_key(*known));
        if let Some(meant) = closest_match(keyword, unused) {
            let message = message!["`", quote(keyword), "` is not a keyword of JSON Schema"];
            self.add(message, message!["did you mean `", meant, "`?"]);
        }
    }

    /// Names that are required, and that the schema permits nowhere.
    fn impossible(&mut self, schema: &Map<String, Value>) {
        let Some(Value::Array(required)) = schema.get("required") else { return };
        let is_closed = schema.get("additionalProperties") == Some(&Value::Bool(false));
        if !is_closed || schema.contains_key("patternProperties") {
            return;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        for (index, name) in required.iter().enumerate() {
            let Some(name) = name.as_str() else { continue };
            if properties.is_some_and(|properties| properties.contains_key(name)) {
                continue;
            }
            let names = properties.into_iter().flat_map(Map::keys).map(String::as_str);
            let help = match closest_match(name, names) {
                Some(meant) => message!["did you mean `", quote(meant), "`?"],
                None => message!["add `", quote(name), "` to `properties`, or remove it here"],
            };
            self.path.extend(["required".to_owned(), index.to_string()]);
            self.add(message!["`", quote(name), "` is required, and is not a property"], help);
            self.path.truncate(self.path.len() - 2);
        }
    }

    fn add(&mut self, message: Message, help: Message) {
        self.found.push(SchemaHint { path: self.path.clone(), message, help });
    }
}
