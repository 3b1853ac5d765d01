//! Checks the arguments of a call against the input schema of its tool. It reports every problem
//! at once, each with its path, in the words of the tool's own fields.

use serde_json::{Map, Value};

use super::failure::Failure;
use dibber_skill::contract::Issue;
use dibber_text::{closest_match, ellipsize, escape_line, json_pointer};

/// The most problems that are reported one by one.
const ISSUES_MAX: usize = 100;

type Schema = Map<String, Value>;

/// Checks the arguments of a call.
pub(super) fn check(arguments: &Map<String, Value>, schema: &Schema) -> Result<(), Failure> {
    let mut checker = Checker::default();
    checker.object(arguments, schema);
    let Checker { issues, count, .. } = checker;
    if count == 0 { Ok(()) } else { Err(Failure::invalid_arguments(&issues, count)) }
}

#[derive(Default)]
struct Checker {
    path: Vec<String>,
    issues: Vec<Issue>,
    count: usize,
}

impl Checker {
    fn object(&mut self, object: &Map<String, Value>, schema: &Schema) {
        // A schema without properties takes any.
        let Some(properties) = schema.get("properties").and_then(Value::as_object) else { return };
        for name in required(schema).filter(|name| !object.contains_key(*name)) {
            let description = properties[name]["description"].as_str().unwrap_or_default();
            self.at(name, |checker| {
                let message = format!("`{}` is missing", checker.name());
                checker.issue("MISSING_FIELD", message, format!("add it: {description}"));
            });
        }
        for (name, value) in object {
            self.at(name, |checker| match properties.get(name) {
                Some(schema) => checker.value(value, schema),
                None => checker.unknown_field(name, properties),
            });
        }
    }

    fn unknown_field(&mut self, name: &str, properties: &Schema) {
        let known = properties.keys().map(String::as_str);
        let fix = match closest_match(name, known.clone()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if properties.is_empty() => "remove it; the tool takes no arguments".to_owned(),
            None => format!("remove it; the fields are {}", known.collect::<Vec<_>>().join(", ")),
        };
        let shown = escape_line(&ellipsize(name)).into_owned();
        self.issue("UNKNOWN_FIELD", format!("unknown field `{shown}`"), fix);
    }

    fn value(&mut self, value: &Value, schema: &Value) {
        let words = schema["enum"].as_array().map(Vec::as_slice).unwrap_or_default();
        match (schema["type"].as_str().unwrap_or_default(), value) {
            ("string", Value::String(word)) if !words.is_empty() => self.word(word, words),
            ("string", Value::String(string)) => self.string(string, schema),
            ("boolean", Value::Bool(_)) => {}
            ("integer", Value::Number(number)) => {
                let bounds = schema["minimum"].as_i64()..=schema["maximum"].as_i64();
                if !number.as_i64().is_some_and(|number| bounds.contains(&Some(number))) {
                    self.wrong_type(&number.to_string(), &expected(schema));
                }
            }
            ("array", Value::Array(items)) => self.array(items, schema),
            ("object", Value::Object(object)) => {
                self.object(object, schema.as_object().expect("a schema with a type"));
            }
            _ => self.wrong_type(kind(value), &expected(schema)),
        }
    }

    fn string(&mut self, string: &str, schema: &Value) {
        let (characters, max) = (string.chars().count(), max(schema, "maxLength"));
        if characters > max {
            let message =
                format!("`{}` has {characters} characters; the maximum is {max}", self.name());
            self.issue("TOO_LONG", message, "shorten it".to_owned());
        }
    }

    fn word(&mut self, word: &str, words: &[Value]) {
        let words: Vec<_> = words.iter().filter_map(Value::as_str).collect();
        if words.contains(&word) {
            return;
        }
        let shown = escape_line(&ellipsize(word)).into_owned();
        let expected = one_of(&words);
        let message = format!("`{}` is `{shown}`, not {expected}", self.name());
        let fix = match closest_match(word, words) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None => format!("use {expected}"),
        };
        self.issue("WRONG_TYPE", message, fix);
    }

    fn array(&mut self, items: &[Value], schema: &Value) {
        let max = max(schema, "maxItems");
        if items.len() > max {
            let message =
                format!("`{}` has {} items; the maximum is {max}", self.name(), items.len());
            return self.issue("TOO_MANY", message, "remove some".to_owned());
        }
        for (index, item) in items.iter().enumerate() {
            self.at(&index.to_string(), |checker| checker.value(item, &schema["items"]));
        }
    }

    fn wrong_type(&mut self, actual: &str, expected: &str) {
        let message = format!("`{}` is {actual}, not {expected}", self.name());
        self.issue("WRONG_TYPE", message, format!("use {expected}"));
    }

    fn at(&mut self, name: &str, work: impl FnOnce(&mut Self)) {
        self.path.push(name.to_owned());
        work(self);
        self.path.pop();
    }

    /// Returns the name of the argument as it is shown: `inputVariables/2/name`.
    fn name(&self) -> String {
        escape_line(&ellipsize(&self.path.join("/"))).into_owned()
    }

    /// Counts a problem, and reports it unless there are enough: a hostile call must not fill the
    /// memory with them.
    fn issue(&mut self, reason: &str, message: String, fix: String) {
        self.count += 1;
        if self.issues.len() < ISSUES_MAX {
            let path = json_pointer(&self.path);
            self.issues.push(Issue { path, reason: reason.to_owned(), message, fix });
        }
    }
}

fn required(schema: &Schema) -> impl Iterator<Item = &str> {
    let names = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    names.filter_map(Value::as_str)
}

fn max(schema: &Value, keyword: &str) -> usize {
    let max = schema[keyword].as_u64().and_then(|max| usize::try_from(max).ok());
    max.unwrap_or(usize::MAX)
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

fn one_of(words: &[&str]) -> String {
    format!("one of {}", words.join(", "))
}

/// Returns what a schema asks for, in words.
fn expected(schema: &Value) -> String {
    if let Some(words) = schema["enum"].as_array() {
        return one_of(&words.iter().filter_map(Value::as_str).collect::<Vec<_>>());
    }
    match schema["type"].as_str() {
        Some("string") => "a string".to_owned(),
        Some("boolean") => "true or false".to_owned(),
        Some("integer") => {
            format!("an integer from {} to {}", schema["minimum"], schema["maximum"])
        }
        Some("array") => "an array".to_owned(),
        _ => "an object".to_owned(),
    }
}
