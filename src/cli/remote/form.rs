//! The fields of a form that a server asks a user to fill in, from its JSON Schema.

use serde_json::{Map, Number, Value};

use dibber_text::{Shown, escape_line};

/// The most fields of a form.
const FIELDS_MAX: usize = 50;

/// A field.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Field {
    pub(super) name: String,
    /// The question for it.
    pub(super) label: String,
    pub(super) kind: FieldKind,
    pub(super) default: Option<Value>,
    is_required: bool,
}

/// What a field holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum FieldKind {
    String,
    Integer,
    Number,
    Boolean,
    /// One of these.
    One(Vec<Choice>),
    /// Any of these.
    Several(Vec<Choice>),
}

/// A value that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Choice {
    pub(super) value: Value,
    pub(super) label: String,
}

/// Returns the fields of a form; none if one of them is of a kind that forms do not have.
pub(super) fn fields(schema: &Map<String, Value>) -> Option<Vec<Field>> {
    let Some(properties) = schema.get("properties") else { return Some(Vec::new()) };
    let properties = properties.as_object().filter(|fields| fields.len() <= FIELDS_MAX)?;
    let required = schema.get("required").and_then(Value::as_array);
    let field = |(name, schema): (&String, &Value)| {
        let is_required = required.is_some_and(|names| names.iter().any(|known| known == name));
        Some(Field {
            name: name.clone(),
            label: label(name, schema, is_required),
            kind: kind(schema)?,
            default: schema.get("default").filter(|default| !default.is_null()).cloned(),
            is_required,
        })
    };
    properties.iter().map(field).collect()
}

impl Field {
    /// Parses what was typed; none if nothing was typed, and nothing has to be.
    pub(super) fn parse(&self, typed: &str) -> Result<Option<Value>, String> {
        if typed.is_empty() {
            return if self.is_required { Err("a value is required".to_owned()) } else { Ok(None) };
        }
        let value = match self.kind {
            FieldKind::Integer => typed.parse::<i64>().ok().map(Value::from),
            FieldKind::Number => typed.parse().ok().and_then(Number::from_f64).map(Value::Number),
            _ => Some(Value::from(typed)),
        };
        let wanted = if self.kind == FieldKind::Integer { "a whole number" } else { "a number" };
        value.map(Some).ok_or_else(|| format!("`{}` is not {wanted}", Shown::to_be_masked(typed)))
    }
}

fn label(name: &str, schema: &Value, is_required: bool) -> String {
    let text = |key: &str| schema.get(key).and_then(Value::as_str);
    let mut label = escape_line(text("title").unwrap_or(name)).into_owned();
    if let Some(description) = text("description") {
        label += &format!(" ({})", Shown::to_be_masked(description));
    }
    if !is_required {
        label += ", optional";
    }
    label
}

fn kind(schema: &Value) -> Option<FieldKind> {
    if let Some(choices) = choices(schema) {
        return Some(FieldKind::One(choices));
    }
    match schema.get("type")?.as_str()? {
        "string" => Some(FieldKind::String),
        "integer" => Some(FieldKind::Integer),
        "number" => Some(FieldKind::Number),
        "boolean" => Some(FieldKind::Boolean),
        "array" => choices(schema.get("items")?).map(FieldKind::Several),
        _ => None,
    }
}

/// Returns the values that a schema lists, with their names for people.
fn choices(schema: &Value) -> Option<Vec<Choice>> {
    let shown = |value: &Value| match value.as_str() {
        Some(text) => escape_line(text).into_owned(),
        None => value.to_string(),
    };
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let names = schema.get("enumNames").and_then(Value::as_array);
        let choice = |(index, value): (usize, &Value)| Choice {
            value: value.clone(),
            label: shown(names.and_then(|names| names.get(index)).unwrap_or(value)),
        };
        return Some(values.iter().enumerate().map(choice).collect())
            .filter(|all: &Vec<_>| !all.is_empty());
    }
    let titled = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
    let choice = |option: &Value| {
        let value = option.get("const")?;
        Some(Choice { value: value.clone(), label: shown(option.get("title").unwrap_or(value)) })
    };
    titled.iter().map(choice).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}
