//! What may be shown of JSON that comes from a server.

use serde_json::{Map, Value};

use crate::cli::mask::mask;
use dibber_skill::names::Roster;

/// Returns a value with the secrets and children's names masked in every string and key.
pub(super) fn masked_json(value: &Value, roster: &Roster) -> Value {
    match value {
        Value::String(text) => mask(text, roster).into(),
        Value::Array(items) => items.iter().map(|item| masked_json(item, roster)).collect(),
        Value::Object(entries) => masked_object(entries, roster).into(),
        other => other.clone(),
    }
}

/// Returns an object with the secrets and children's names masked in every string and key.
pub(super) fn masked_object(object: &Map<String, Value>, roster: &Roster) -> Map<String, Value> {
    let entries = object.iter();
    entries.map(|(key, value)| (mask(key, roster), masked_json(value, roster))).collect()
}
