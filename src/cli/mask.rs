//! Masking of secrets and children's names in what comes from a file or a server.

use std::collections::HashMap;

use serde_json::{Map, Value};

use dibber_lint::Privacy;
use dibber_skill::names::Roster;
use dibber_text::Mask;

/// Returns the text with every character of a secret or a child's name replaced by `*`. The
/// caller that prints it escapes it for a terminal.
pub(super) fn mask(text: &str, roster: &Roster) -> String {
    Privacy { roster }.mask(text).into_owned()
}

/// Returns a value with the secrets and children's names masked in every string and key.
pub(super) fn masked_json(value: &Value, roster: &Roster) -> Value {
    match value {
        Value::String(text) => mask(text, roster).into(),
        Value::Array(items) => match items.iter().map(Value::as_str).collect::<Option<Vec<_>>>() {
            Some(items) => Privacy { roster }.mask_items(&items).into(),
            None => items.iter().map(|item| masked_json(item, roster)).collect(),
        },
        Value::Object(entries) => masked_object(entries, roster).into(),
        other => other.clone(),
    }
}

/// Returns an object with the secrets and children's names masked in every string and key. Keys
/// that are masked alike are numbered, so that no value is lost.
pub(super) fn masked_object(object: &Map<String, Value>, roster: &Roster) -> Map<String, Value> {
    let mut masked = Map::new();
    let mut numbers = HashMap::new();
    for (key, value) in object {
        let mut shown = mask(key, roster);
        if shown != *key {
            let is_used = |key: &str| object.contains_key(key) || masked.contains_key(key);
            shown = unused_key(&shown, &mut numbers, is_used);
        }
        masked.insert(shown, masked_json(value, roster));
    }
    masked
}

/// Returns the key, with a number if it is used. `numbers` has the last number of each key.
fn unused_key(
    key: &str,
    numbers: &mut HashMap<String, usize>,
    is_used: impl Fn(&str) -> bool,
) -> String {
    let number = numbers.entry(key.to_owned()).or_default();
    loop {
        *number += 1;
        let shown = if *number == 1 { key.to_owned() } else { format!("{key} ({number})") };
        if !is_used(&shown) {
            return shown;
        }
    }
}
