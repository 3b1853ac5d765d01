//! Whether the arguments of a call have the shape that its tool asks for. All faults are told at
//! once, each with its path.

use serde_json::{Map, Value};

use super::failure::Failure;
use super::shape::{Field, Kind};
use dibber_skill::contract::Issue;
use dibber_text::{closest_match, ellipsize, escape_line, json_pointer};

/// The most faults that are told one by one.
const ISSUES_MAX: usize = 100;

/// Checks the arguments of a call.
pub(super) fn check(arguments: &Map<String, Value>, fields: &[Field]) -> Result<(), Failure> {
    let mut checker = Checker::default();
    checker.object(arguments, fields);
    let Checker { issues, count, .. } = checker;
    if count == 0 { Ok(()) } else { Err(Failure::of_shape(&issues, count)) }
}

#[derive(Default)]
struct Checker {
    path: Vec<String>,
    issues: Vec<Issue>,
    count: usize,
}

impl Checker {
    fn object(&mut self, object: &Map<String, Value>, fields: &[Field]) {
        for field in fields {
            match object.get(field.name) {
                Some(value) => self.at(field.name, |checker| checker.value(value, &field.kind)),
                None if field.is_required => self.at(field.name, |checker| {
                    let message = format!("`{}` is missing", checker.name());
                    checker.issue("MISSING_FIELD", message, format!("give it: {}", field.about));
                }),
                None => {}
            }
        }
        for name in object.keys() {
            if !fields.iter().any(|field| field.name == name) {
                self.at(name, |checker| checker.unknown(name, fields));
            }
        }
    }

    fn unknown(&mut self, name: &str, fields: &[Field]) {
        let known = fields.iter().map(|field| field.name);
        let fix = match closest_match(name, known.clone()) {
            Some(meant) => format!("did you mean `{meant}`?"),
            None if fields.is_empty() => "leave it out; the tool takes no arguments".to_owned(),
            None => format!("leave it out; there are {}", known.collect::<Vec<_>>().join(", ")),
        };
        let shown = escape_line(&ellipsize(name)).into_owned();
        self.issue("UNKNOWN_FIELD", format!("there is no `{shown}` here"), fix);
    }

    fn value(&mut self, value: &Value, kind: &Kind) {
        match (kind, value) {
            (Kind::Text { max }, Value::String(text)) => {
                let characters = text.chars().count();
                if characters > *max {
                    let message =
                        format!("`{}` has {characters} characters; {max} are allowed", self.name());
                    self.issue("TOO_LONG", message, "shorten it".to_owned());
                }
            }
            (Kind::OneOf(words), Value::String(word)) if words.contains(&word.as_str()) => {}
            (Kind::Boolean, Value::Bool(_))
            | (Kind::AnyObject, Value::Object(_))
            | (Kind::Nullable(_), Value::Null) => {}
            (Kind::Integer { min, max }, Value::Number(number))
                if number.as_i64().is_some_and(|n| (*min..=*max).contains(&n)) => {}
            (Kind::List { of, max }, Value::Array(items)) => {
                if items.len() > *max {
                    let message =
                        format!("`{}` has {} items; {max} are allowed", self.name(), items.len());
                    return self.issue("TOO_MANY", message, "leave some out".to_owned());
                }
                for (index, item) in items.iter().enumerate() {
                    self.at(&index.to_string(), |checker| checker.value(item, of));
                }
            }
            (Kind::Object(fields), Value::Object(object)) => self.object(object, fields),
            (Kind::Nullable(kind), value) => self.value(value, kind),
            (Kind::OneOf(words), Value::String(word)) => {
                let shown = escape_line(&ellipsize(word)).into_owned();
                let message = format!("`{}` is `{shown}`, not {}", self.name(), kind.in_words());
                let fix = match closest_match(word, words.iter().copied()) {
                    Some(meant) => format!("did you mean `{meant}`?"),
                    None => format!("give {}", kind.in_words()),
                };
                self.issue("WRONG_TYPE", message, fix);
            }
            (Kind::Integer { .. }, Value::Number(number)) => {
                let message = format!("`{}` is {number}, not {}", self.name(), kind.in_words());
                self.issue("WRONG_TYPE", message, format!("give {}", kind.in_words()));
            }
            (kind, value) => {
                let message =
                    format!("`{}` is {}, not {}", self.name(), in_words(value), kind.in_words());
                self.issue("WRONG_TYPE", message, format!("give {}", kind.in_words()));
            }
        }
    }

    fn at(&mut self, name: &str, work: impl FnOnce(&mut Self)) {
        self.path.push(name.to_owned());
        work(self);
        self.path.pop();
    }

    /// The argument, as it is shown: `inputVariables/2/name`.
    fn name(&self) -> String {
        escape_line(&ellipsize(&self.path.join("/"))).into_owned()
    }

    /// Counts a fault, and tells it unless there are enough: a hostile call must not fill the
    /// memory with them.
    fn issue(&mut self, reason: &str, message: String, fix: String) {
        self.count += 1;
        if self.issues.len() < ISSUES_MAX {
            let path = json_pointer(&self.path);
            self.issues.push(Issue { path, reason: reason.to_owned(), message, fix });
        }
    }
}

fn in_words(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "true or false",
        Value::Number(_) => "a number",
        Value::String(_) => "a text",
        Value::Array(_) => "a list",
        Value::Object(_) => "an object",
    }
}

impl Kind {
    fn in_words(&self) -> String {
        match self {
            Self::Text { .. } => "a text".to_owned(),
            Self::OneOf(words) => format!("one of {}", words.join(", ")),
            Self::Boolean => "true or false".to_owned(),
            Self::Integer { min, max } => format!("a whole number from {min} to {max}"),
            Self::List { .. } => "a list".to_owned(),
            Self::Object(_) | Self::AnyObject => "an object".to_owned(),
            Self::Nullable(kind) => format!("{} or null", kind.in_words()),
        }
    }
}
