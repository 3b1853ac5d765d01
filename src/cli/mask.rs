//! What may be shown of a text that comes from a file.

#[cfg(feature = "remote")]
use serde_json::Value;

use dibber_skill::names::Roster;

/// A text with `*` in the place of every character of a secret or a child's name. Escaping it for
/// a terminal is left to whoever prints it.
pub(super) fn mask(text: &str, roster: &Roster) -> String {
    roster.mask(&dibber_lint::mask_secrets(text)).into_owned()
}

/// A value with every text of it, and every key, as it may be shown.
#[cfg(feature = "remote")]
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
