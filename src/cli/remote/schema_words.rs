//! The fields of a JSON Schema, as short descriptions. The schema is masked before anything of it
//! is shortened.

use serde_json::{Map, Value};

use crate::cli::mask::{masked_json, masked_object};
use dibber_skill::names::Roster;
use dibber_text::Shown;

/// The deepest field that is shown; a schema can be its own part.
const DEPTH_MAX: usize = 4;
/// The most fields that are shown.
const ROWS_MAX: usize = 200;
/// The most values of an enum that are shown.
const CHOICES_SHOWN_MAX: usize = 12;

/// A field.
pub(super) struct Row {
    /// The number of fields that contain it.
    pub(super) depth: usize,
    /// Its name, type and description.
    pub(super) words: String,
}

/// Returns the fields of an object, with secrets and these names masked.
pub(super) fn rows(schema: &Map<String, Value>, roster: &Roster) -> Vec<Row> {
    let mut rows = Vec::new();
    collect(&masked_object(schema, roster), 0, &mut rows);
    rows
}

fn collect(schema: &Map<String, Value>, depth: usize, rows: &mut Vec<Row>) {
    let Some(Value::Object(fields)) = schema.get("properties") else { return };
    let required: Vec<_> =
        schema.get("required").and_then(Value::as_array).into_iter().flatten().collect();
    for (name, field) in fields {
        if rows.len() >= ROWS_MAX {
            return;
        }
        let need =
            if required.iter().any(|required| *required == name) { ", required" } else { "" };
        let need = format!("{}{need}", details(field));
        let about = field.get("description").and_then(Value::as_str);
        let about = about.map(|about| format!(": {about}")).unwrap_or_default();
        rows.push(Row {
            depth,
            words: format!("{} ({}{need}){about}", Shown::to_be_masked(name), kind_of(field)),
        });
        let inner = match field.get("items") {
            Some(items) => items.as_object(),
            None => field.as_object(),
        };
        if let Some(inner) = inner.filter(|_| depth < DEPTH_MAX) {
            collect(inner, depth + 1, rows);
        }
    }
}

/// Returns the format, the pattern and the default of a field, as far as it has them.
fn details(field: &Value) -> String {
    let string = |name: &str| field.get(name).and_then(Value::as_str);
    let mut details = String::new();
    if let Some(format) = string("format") {
        details += &format!(", format {}", Shown::to_be_masked(format));
    }
    if let Some(pattern) = string("pattern") {
        details += &format!(", pattern `{}`", Shown::to_be_masked(pattern));
    }
    match field.get("default") {
        None | Some(Value::Null) => {}
        Some(Value::String(default)) => {
            details += &format!(", default \"{}\"", Shown::to_be_masked(default));
        }
        Some(default) => {
            details += &format!(", default {}", Shown::to_be_masked(&default.to_string()));
        }
    }
    details
}

/// Returns the type of the values that a schema accepts, with secrets and these names masked.
pub(super) fn kind(schema: &Value, roster: &Roster) -> String {
    kind_of(&masked_json(schema, roster))
}

fn kind_of(schema: &Value) -> String {
    if let Some(value) = schema.get("const") {
        return Shown::to_be_masked(&value.to_string()).to_string();
    }
    if let Some(choices) = schema.get("enum").and_then(Value::as_array) {
        let shown = choices.iter().take(CHOICES_SHOWN_MAX);
        let mut words: Vec<_> = shown
            .map(|choice| choice.as_str().map_or_else(|| choice.to_string(), str::to_owned))
            .collect();
        if choices.len() > CHOICES_SHOWN_MAX {
            words.push("…".to_owned());
        }
        return format!("one of {}", words.join(", "));
    }
    for several in ["anyOf", "oneOf"] {
        if let Some(kinds) = schema.get(several).and_then(Value::as_array) {
            let kinds: Vec<_> = kinds.iter().take(CHOICES_SHOWN_MAX).map(kind_of).collect();
            return kinds.join(" or ");
        }
    }
    match schema.get("type") {
        Some(Value::Array(kinds)) => {
            let kinds: Vec<_> =
                kinds.iter().filter_map(Value::as_str).map(|kind| simple(kind, schema)).collect();
            kinds.join(" or ")
        }
        _ => one_kind(schema),
    }
}

fn one_kind(schema: &Value) -> String {
    match schema.get("type").and_then(Value::as_str) {
        Some(kind) => simple(kind, schema),
        None => "any JSON value".to_owned(),
    }
}

fn simple(kind: &str, schema: &Value) -> String {
    let bound = |name: &str| schema.get(name).filter(|bound| bound.is_number());
    match kind {
        "string" => {
            // That a string is not empty goes without saying.
            let min = bound("minLength").filter(|min| min.as_u64().is_none_or(|min| min > 1));
            match (min, bound("maxLength")) {
                (Some(min), Some(max)) => format!("string of {min} to {max} characters"),
                (Some(min), None) => format!("string of at least {min} characters"),
                (None, Some(max)) => format!("string, up to {max} characters"),
                (None, None) => "string".to_owned(),
            }
        }
        "integer" | "number" => {
            let word = if kind == "integer" { "integer" } else { "number" };
            let inclusive = match (bound("minimum"), bound("maximum")) {
                (Some(min), Some(max)) => format!("{word} from {min} to {max}"),
                (Some(min), None) => format!("{word} from {min} on"),
                (None, Some(max)) => format!("{word} up to {max}"),
                (None, None) => word.to_owned(),
            };
            let exclusive = [("exclusiveMinimum", "above"), ("exclusiveMaximum", "below")];
            exclusive.iter().fold(inclusive, |words, (name, side)| match bound(name) {
                Some(bound) => format!("{words} {side} {bound}"),
                None => words,
            })
        }
        "boolean" => "boolean".to_owned(),
        "array" => match schema.get("items") {
            Some(items) if items.get("enum").is_some() => format!("list, each {}", kind_of(items)),
            Some(items) => match items.get("type") {
                Some(Value::String(of)) => format!("list of {}s", simple(of, &Value::Null)),
                _ => "list".to_owned(),
            },
            None => "list".to_owned(),
        },
        "null" => "null".to_owned(),
        other => Shown::to_be_masked(other).to_string(),
    }
}
