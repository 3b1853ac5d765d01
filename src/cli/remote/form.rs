//! The fields of a form that a server asks a user to fill in, from its JSON Schema. The labels are
//! masked and escaped, since they are written to a terminal as they are.

use serde_json::{Map, Number, Value};

use dibber_text::{Mask, Message, Shown, message, quote};

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
    One(Vec<FieldChoice>),
    /// Any of these.
    Several(Vec<FieldChoice>),
}

/// A value that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct FieldChoice {
    pub(super) value: Value,
    pub(super) label: String,
}

/// Returns the fields of a form: those that are required in their order, and then the others; none if one of them is of a kind that forms do not have.
pub(super) fn fields(schema: &Map<String, Value>, mask: &dyn Mask) -> Option<Vec<Field>> {
    let Some(properties) = schema.get("properties") else { return Some(Vec::new()) };
    let properties = properties.as_object().filter(|fields| fields.len() <= FIELDS_MAX)?;
    let required = schema.get("required").and_then(Value::as_array);
    let field = |(name, schema): (&String, &Value)| {
        let is_required = required.is_some_and(|names| names.iter().any(|known| known == name));
        Some(Field {
            name: name.clone(),
            label: label(name, schema, is_required, mask),
            kind: kind(schema, mask)?,
            default: schema.get("default").filter(|default| !default.is_null()).cloned(),
            is_required,
        })
    };
    let mut fields = properties.iter().map(field).collect::<Option<Vec<_>>>()?;
    // The protocol library sorts the properties, but the list of those that are required usually
    // has the order of the form.
    let place = |field: &Field| {
        let place = required.and_then(|names| names.iter().position(|name| *name == field.name));
        place.unwrap_or(usize::MAX)
    };
    fields.sort_by_key(place);
    Some(fields)
}

impl Field {
    /// Parses what was typed; none if nothing was typed, and nothing has to be.
    pub(super) fn parse(&self, typed: &str) -> Result<Option<Value>, Message> {
        if typed.is_empty() {
            return if self.is_required { Err("a value is required".into()) } else { Ok(None) };
        }
        let value = match self.kind {
            FieldKind::Integer => typed.parse::<i64>().ok().map(Value::from),
            FieldKind::Number => typed.parse().ok().and_then(Number::from_f64).map(Value::Number),
            _ => Some(Value::from(typed)),
        };
        let wanted = if self.kind == FieldKind::Integer { "a whole number" } else { "a number" };
        value.map(Some).ok_or_else(|| message!["`", quote(typed), "` is not ", wanted])
    }
}

fn label(name: &str, schema: &Value, is_required: bool, mask: &dyn Mask) -> String {
    let text = |key: &str| schema.get(key).and_then(Value::as_str);
    let mut label = Shown::new(text("title").unwrap_or(name), mask).in_full().to_string();
    if let Some(description) = text("description") {
        label += &format!(" ({})", Shown::new(description, mask));
    }
    if !is_required {
        label += ", optional";
    }
    label
}

fn kind(schema: &Value, mask: &dyn Mask) -> Option<FieldKind> {
    if let Some(choices) = choices(schema, mask) {
        return Some(FieldKind::One(choices));
    }
    match schema.get("type")?.as_str()? {
        "string" => Some(FieldKind::String),
        "integer" => Some(FieldKind::Integer),
        "number" => Some(FieldKind::Number),
        "boolean" => Some(FieldKind::Boolean),
        "array" => choices(schema.get("items")?, mask).map(FieldKind::Several),
        _ => None,
    }
}

/// Returns the values that a schema lists, with their names for people.
fn choices(schema: &Value, mask: &dyn Mask) -> Option<Vec<FieldChoice>> {
    let shown = |value: &Value| {
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        Shown::new(&text, mask).in_full().to_string()
    };
    if let Some(values) = schema.get("enum").and_then(Value::as_array) {
        let names = schema.get("enumNames").and_then(Value::as_array);
        let choice = |(index, value): (usize, &Value)| FieldChoice {
            value: value.clone(),
            label: shown(names.and_then(|names| names.get(index)).unwrap_or(value)),
        };
        return Some(values.iter().enumerate().map(choice).collect())
            .filter(|all: &Vec<_>| !all.is_empty());
    }
    let titled = schema.get("oneOf").or_else(|| schema.get("anyOf"))?.as_array()?;
    let choice = |option: &Value| {
        let value = option.get("const")?;
        Some(FieldChoice {
            value: value.clone(),
            label: shown(option.get("title").unwrap_or(value)),
        })
    };
    titled.iter().map(choice).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use dibber_lint::Privacy;
    use dibber_skill::names::{List, Roster};

    fn roster() -> Roster {
        List::parse("Zebulonka\n").0.roster()
    }

    #[test]
    fn labels_show_no_name_and_no_secret() {
        let schema = json!({"properties": {
            "for Zebulonka": {
                "type": "string",
                "description": format!("{}Zebulonka", "a".repeat(50) + "-"),
            },
            "which": {"title": "Zebulonka\n", "enum": ["Zebulonka", "sk_live_4eC39HqLyjWDarjtT1zdp7dcX"]},
            "of": {"type": "array", "items": {"oneOf": [{"const": {"a": "Zebulonka"}}]}},
        }});
        let roster = roster();
        let privacy = Privacy { roster: &roster };
        let fields = fields(schema.as_object().expect("a schema"), &privacy).expect("a form");
        let labels = fields.iter().flat_map(|field| {
            let choices = match &field.kind {
                FieldKind::One(choices) | FieldKind::Several(choices) => choices.as_slice(),
                _ => &[],
            };
            [&field.label].into_iter().chain(choices.iter().map(|choice| &choice.label))
        });
        let labels = labels.map(String::as_str).collect::<Vec<_>>().join("\n");
        // Five names, and a secret that is longer.
        assert_eq!(labels.matches("*********").count(), 5 + 2, "{labels}");
        for hidden in ["Zebul", "4eC39"] {
            assert!(!labels.contains(hidden), "{labels}");
        }
    }
}
