//! The JSON Schemas (2020-12) of the contract types, as agents read them: self-contained, and
//! without what says nothing to them.

use schemars::generate::{Contract, SchemaSettings};
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value, json};

use super::limits::STRING_CHARACTERS_DEFAULT_MAX;
use super::session::{IDEMPOTENCY_ARGUMENT, IDEMPOTENCY_KEY_CHARACTERS_MAX};

/// The keywords that schemars adds and no agent needs.
const NOISE: [&str; 3] = ["$schema", "title", "format"];

/// Marks a field that may be left out, for which null means something else.
const NULLABLE: &str = "nullable";

/// The keywords that limit a value, or show one to write. Answers are described without them: what a
/// later version sends must not break a client that validates what it receives.
const LIMITS: [&str; 6] = ["maxLength", "maxItems", "minimum", "maximum", "pattern", "examples"];

/// Returns the schema of the arguments of a tool. Its objects are closed, and its strings have a
/// maximum length, since a call that exceeds it is refused.
pub fn input_schema<T: JsonSchema>() -> Map<String, Value> {
    schema::<T>(&Contract::Deserialize)
}

/// Returns the schema of the arguments of a tool that writes, which takes an idempotency key.
pub fn write_input_schema<T: JsonSchema>() -> Map<String, Value> {
    let mut schema = input_schema::<T>();
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        let key = json!({
            "type": "string",
            "maxLength": IDEMPOTENCY_KEY_CHARACTERS_MAX,
            "description": "A new UUID per write; repeated, it takes effect once.",
        });
        properties.insert(IDEMPOTENCY_ARGUMENT.to_owned(), key);
    }
    schema
}

/// Returns the schema of the answer of a tool. Its objects are open, and nothing is limited.
pub fn output_schema<T: JsonSchema>() -> Map<String, Value> {
    schema::<T>(&Contract::Serialize)
}

fn schema<T: JsonSchema>(side: &Contract) -> Map<String, Value> {
    let settings = SchemaSettings::draft2020_12().with(|settings| {
        settings.meta_schema = None;
        settings.inline_subschemas = true;
        settings.contract = side.clone();
    });
    let schema = settings.into_generator().into_root_schema_for::<T>();
    let Value::Object(mut schema) = schema.to_value() else {
        unreachable!("a contract type is an object")
    };
    schema.remove("description");
    schema.entry("properties").or_insert_with(|| json!({}));
    tidy(&mut schema, side);
    schema
}

fn tidy(schema: &mut Map<String, Value>, side: &Contract) {
    let is_input = side.is_deserialize();
    schema.retain(|key, _| {
        !NOISE.contains(&key.as_str()) && (is_input || !LIMITS.contains(&key.as_str()))
    });
    // The defaults that schemars adds, null and empty lists, say only that a field may be left out.
    let has_default = |value: &Value| value.is_number() || value.is_boolean() || value.is_string();
    if !schema.get("default").is_some_and(has_default) || !is_input {
        schema.remove("default");
    }
    // `true` is the default; schemars says so of maps.
    schema.remove("additionalProperties");
    list_words(schema);
    let required = required(schema);
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        for (name, property) in properties {
            let Value::Object(property) = property else { continue };
            if property.remove(NULLABLE).is_none() && !required.contains(name) {
                remove_null(property);
            }
            tidy(property, side);
        }
        if is_input {
            schema.insert("additionalProperties".to_owned(), false.into());
        }
    }
    if let Some(Value::Object(items)) = schema.get_mut("items") {
        // The list says what its items are.
        items.remove("description");
        tidy(items, side);
    }
    if schema.contains_key("enum") {
        if !is_input {
            schema.remove("type");
        }
    } else if is_input && is_string(schema) {
        schema.entry("maxLength").or_insert_with(|| STRING_CHARACTERS_DEFAULT_MAX.into());
    }
}

fn into_object(value: Value) -> Option<Map<String, Value>> {
    match value {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

fn required(schema: &Map<String, Value>) -> Vec<String> {
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(|name| name.as_str().map(str::to_owned)).collect()
}

fn is_string(schema: &Map<String, Value>) -> bool {
    match schema.get("type") {
        Some(Value::Array(types)) => types.iter().any(|name| name == "string"),
        Some(name) => name == "string",
        None => false,
    }
}

/// Writes an enum as a list of its words; schemars writes a schema for each, with the
/// documentation of the variant.
fn list_words(schema: &mut Map<String, Value>) {
    let Some(Value::Array(variants)) = schema.get("oneOf") else { return };
    let words: Option<Vec<_>> =
        variants.iter().map(|variant| variant.get("const").cloned()).collect();
    if let Some(words) = words {
        schema.remove("oneOf");
        schema.insert("type".to_owned(), "string".into());
        schema.insert("enum".to_owned(), words.into());
    }
}

/// Forbids null: what may be left out is never null.
fn remove_null(schema: &mut Map<String, Value>) {
    if let Some(Value::Array(mut kinds)) = schema.remove("anyOf") {
        kinds.retain(|kind| kind["type"] != "null");
        for (keyword, value) in kinds.into_iter().filter_map(into_object).flatten() {
            schema.entry(keyword).or_insert(value);
        }
    }
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        types.retain(|name| name != "null");
        if let [name] = &types[..] {
            let name = name.clone();
            schema.insert("type".to_owned(), name);
        }
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
}

/// Requires a field that only some servers send, since this one always does.
pub(super) fn always_sent(name: &'static str) -> impl FnMut(&mut Schema) {
    move |schema| {
        if let Some(Value::Object(field)) = schema.pointer_mut(&format!("/properties/{name}")) {
            remove_null(field);
        }
        let required = schema.ensure_object().entry("required").or_insert_with(|| json!([]));
        if let Value::Array(required) = required {
            required.push(name.into());
        }
    }
}
