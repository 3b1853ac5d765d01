//! The fields of a JSON Schema, as short descriptions. The schema is masked before anything of it
//! is shortened.

use std::{iter, ptr};

use serde_json::{Map, Value};

use crate::cli::mask::{masked_json, masked_object};
use dibber_skill::names::Roster;
use dibber_text::Shown;

/// The deepest field that is shown; a schema can be its own part.
const DEPTH_MAX: usize = 4;
/// The most fields that are shown.
const ROWS_MAX: usize = 200;
/// The most references that are followed from one to the next, and the deepest type of a type.
const REFERENCES_MAX: usize = 8;
/// The most values of an enum that are shown.
const CHOICES_SHOWN_MAX: usize = 12;
/// The type of a schema that names none.
const ANY: &str = "any JSON value";

/// A field.
pub(super) struct Row {
    /// The number of fields that contain it.
    pub(super) depth: usize,
    /// Its name, type and description.
    pub(super) words: String,
}

/// Returns the fields of an object, with secrets and these names masked.
pub(super) fn rows(schema: &Map<String, Value>, roster: &Roster) -> Vec<Row> {
    let root = Value::Object(masked_object(schema, roster));
    let mut rows = Vec::new();
    Words { root: &root }.collect(&root, &mut Vec::new(), &mut rows);
    rows
}

/// Returns the type of the values that a part of a schema accepts, with secrets and these names
/// masked.
pub(super) fn kind(schema: &Value, root: &Value, roster: &Roster) -> String {
    let root = masked_json(root, roster);
    Words { root: &root }.kind(&masked_json(schema, roster), REFERENCES_MAX)
}

/// Returns the schema in the same document that a schema refers to.
pub(super) fn target<'a>(schema: &Value, root: &'a Value) -> Option<&'a Value> {
    root.pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
}

/// The words for the parts of a masked schema.
#[derive(Clone, Copy)]
struct Words<'a> {
    root: &'a Value,
}

impl<'a> Words<'a> {
    /// Returns the value of a keyword, which may be that of the schema to which a schema refers.
    fn get(self, schema: &'a Value, keyword: &str) -> Option<&'a Value> {
        self.referred(schema).find_map(|schema| schema.get(keyword))
    }

    /// Returns a schema, and those to which it refers, one after the other.
    fn referred(self, schema: &'a Value) -> impl Iterator<Item = &'a Value> {
        let next =
            move |schema: &&'a Value| target(schema, self.root).or_else(|| only_part(schema));
        iter::successors(Some(schema), next).take(REFERENCES_MAX)
    }

    /// Adds the fields of an object. `outer` are the schemas that contain it, so that one that is
    /// its own part is shown once.
    fn collect(self, object: &'a Value, outer: &mut Vec<&'a Value>, rows: &mut Vec<Row>) {
        let Some(Value::Object(fields)) = self.get(object, "properties") else { return };
        let depth = outer.len();
        outer.push(self.own_schema(object));
        let required: Vec<_> =
            self.get(object, "required").and_then(Value::as_array).into_iter().flatten().collect();
        for (name, field) in fields {
            if rows.len() >= ROWS_MAX {
                break;
            }
            let need =
                if required.iter().any(|required| *required == name) { ", required" } else { "" };
            let need = format!("{}{need}", self.details(field));
            let about = self.get(field, "description").and_then(Value::as_str);
            let about = about.map(|about| format!(": {about}")).unwrap_or_default();
            let kind = self.kind(field, REFERENCES_MAX);
            let words = format!("{} ({kind}{need}){about}", Shown::to_be_masked(name));
            rows.push(Row { depth, words });
            let inner = self.object_in(field);
            let is_outer = outer.iter().any(|outer| ptr::eq(*outer, self.own_schema(inner)));
            if depth < DEPTH_MAX && !is_outer {
                self.collect(inner, outer, rows);
            }
        }
        outer.pop();
    }

    /// Returns the last schema to which a schema refers.
    fn own_schema(self, schema: &'a Value) -> &'a Value {
        self.referred(schema).last().unwrap_or(schema)
    }

    /// Returns the schema of the objects in a field: of the items of a list, and without null.
    fn object_in(self, field: &'a Value) -> &'a Value {
        let mut schema = field;
        for _ in 0..REFERENCES_MAX {
            let parts =
                ["anyOf", "oneOf"].iter().find_map(|name| self.get(schema, name)?.as_array());
            let is_null = |part: &&Value| self.get(part, "type") == Some(&Value::from("null"));
            let mut parts = parts.into_iter().flatten().filter(|part| !is_null(part));
            schema = match (self.get(schema, "items"), parts.next(), parts.next()) {
                (Some(items), ..) => items,
                (None, Some(only), None) => only,
                _ => break,
            };
        }
        schema
    }

    /// Returns the format, the pattern and the default of a field, as far as it has them.
    fn details(self, field: &'a Value) -> String {
        let string = |name: &str| self.get(field, name).and_then(Value::as_str);
        let mut details = String::new();
        if let Some(format) = string("format") {
            details += &format!(", format {}", Shown::to_be_masked(format));
        }
        if let Some(pattern) = string("pattern") {
            details += &format!(", pattern `{}`", Shown::to_be_masked(pattern));
        }
        match self.get(field, "default") {
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

    /// Returns the type of the values that a schema accepts.
    fn kind(self, schema: &'a Value, depth: usize) -> String {
        let Some(depth) = depth.checked_sub(1) else { return ANY.to_owned() };
        if let Some(value) = self.get(schema, "const") {
            return Shown::to_be_masked(&value.to_string()).to_string();
        }
        if let Some(choices) = self.get(schema, "enum").and_then(Value::as_array) {
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
            if let Some(kinds) = self.get(schema, several).and_then(Value::as_array) {
                let kinds: Vec<_> = kinds
                    .iter()
                    .take(CHOICES_SHOWN_MAX)
                    .map(|part| self.kind(part, depth))
                    .collect();
                let is_first = |index: usize| !kinds[..index].contains(&kinds[index]);
                let kinds =
                    (0..kinds.len()).filter(|index| is_first(*index)).map(|index| &*kinds[index]);
                return kinds.collect::<Vec<_>>().join(" or ");
            }
        }
        match self.get(schema, "type") {
            Some(Value::Array(kinds)) => {
                let kinds: Vec<_> = kinds
                    .iter()
                    .filter_map(Value::as_str)
                    .map(|kind| self.simple(kind, schema, depth))
                    .collect();
                kinds.join(" or ")
            }
            Some(Value::String(kind)) => self.simple(kind, schema, depth),
            _ => ANY.to_owned(),
        }
    }

    fn simple(self, kind: &str, schema: &'a Value, depth: usize) -> String {
        let bound = |name: &str| self.get(schema, name).filter(|bound| bound.is_number());
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
            "array" => match self.get(schema, "items") {
                Some(items) if self.get(items, "enum").is_some() => {
                    format!("list, each {}", self.kind(items, depth))
                }
                Some(items) => match self.get(items, "type") {
                    Some(Value::String(of)) => {
                        format!("list of {}s", self.simple(of, &Value::Null, depth))
                    }
                    _ => "list".to_owned(),
                },
                None => "list".to_owned(),
            },
            "null" => "null".to_owned(),
            other => Shown::to_be_masked(other).to_string(),
        }
    }
}

/// Returns the part of a schema that consists of it, its description and the like.
fn only_part(schema: &Value) -> Option<&Value> {
    match schema.get("allOf")?.as_array()?.as_slice() {
        [part] => Some(part),
        _ => None,
    }
}
