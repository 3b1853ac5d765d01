//! What may be shown of JSON that comes from a server.

use serde_json::Value;

use crate::cli::mask::mask;
use dibber_skill::names::Roster;

/// Returns a value with the secrets and children's names masked in every string and key.
pub(super) fn masked_json(value: &Value, roster: &Roster) -> Value {
    match value {
        Value::String(text) => mask(text, roster).into(),
        Value::Array(items) => items.iter().map(|item| masked_json(item, roster)).collect(),
        Value::Object(entries) => {
            let entries = entries.iter();
            entries.map(|(key, value)| (mask(key, roster), masked_json(value, roster))).collect()
        }
        other => other.clone(),
    }
}
