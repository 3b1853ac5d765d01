//! The arguments of a call as they are typed, each with the type that the tool's schema names.

use std::borrow::Cow;
use std::slice;

use serde_json::{Map, Value, json};

use super::acceptance::{Acceptance, field};
use super::json_type::{JsonType, accepted_types, target};
use crate::cli::error::CommandError;
use crate::cli::inputs::pair;
use crate::cli::remote::schema_words::kind;
use dibber_client::ToolInfo;
use dibber_skill::names::Roster;
use dibber_skill::spec_hash;
use dibber_text::{closest_match, message, quote, quote_in_full};

/// An argument as it was typed.
pub(super) struct TypedArgument {
    name: String,
    value: TypedValue,
}

enum TypedValue {
    /// After `=`: its type is that of the schema.
    Text(String),
    /// After `:=`.
    Json(Value),
}

/// Whether the arguments of a call are checked against the schema of the tool.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SchemaCheck {
    Applied,
    Skipped,
}

/// Parses the arguments that were typed, each once.
pub(super) fn parse(typed: &[String]) -> Result<Vec<TypedArgument>, CommandError> {
    let mut arguments: Vec<TypedArgument> = Vec::new();
    for typed in typed {
        let (name, value) = pair(typed).map_err(|cause| {
            CommandError::new(message![
                "invalid argument `",
                quote(typed),
                "`: ",
                quote_in_full(&cause)
            ])
            .help("write `name=Jay`, or `name:=[\"a\"]` for JSON")
        })?;
        let is_json = typed.split_once('=').is_some_and(|(name, _)| name.ends_with(':'));
        let value = match value {
            Value::String(text) if !is_json => TypedValue::Text(text),
            value => TypedValue::Json(value),
        };
        if arguments.iter().any(|known| known.name == name) {
            return Err(CommandError::new(message!["duplicate argument `", quote(&name), "`"])
                .help("remove one; write a list as `name:=[\"a\", \"b\"]`"));
        }
        arguments.push(TypedArgument { name, value });
    }
    Ok(arguments)
}

/// Gives each argument the type that the schema of the tool names. What the schema says nothing
/// about is a string, and without a check so is what the schema does not accept.
pub(super) fn with_types(
    typed: Vec<TypedArgument>,
    tool: &ToolInfo,
    check: SchemaCheck,
    roster: &Roster,
) -> Result<Map<String, Value>, CommandError> {
    let root = Value::Object(tool.input_schema.clone());
    let mut acceptance = Acceptance::new(&root);
    let arguments = typed.into_iter().map(|TypedArgument { name, value }| {
        let value = match value {
            TypedValue::Json(value) => value,
            TypedValue::Text(text) => match field(&root, &name) {
                None => text.into(),
                Some(schema) => match with_type(&text, schema, &mut acceptance) {
                    Some(value) => value,
                    None if check == SchemaCheck::Skipped => text.into(),
                    None => {
                        let text = Value::from(text);
                        let (name, acceptance) = ((&*name, Place::Argument), &mut acceptance);
                        return Err(not_accepted(name, &text, schema, tool, acceptance, roster));
                    }
                },
            },
        };
        Ok((name, value))
    });
    arguments.collect()
}

/// Returns the value that what was typed means: the string if the schema accepts it, otherwise the
/// JSON. None means that it is not of a type that the schema names.
fn with_type(text: &str, schema: &Value, acceptance: &mut Acceptance<'_>) -> Option<Value> {
    let types = accepted_types(schema, acceptance.root());
    let string = types.is_empty() || types.contains(&JsonType::String);
    let string = string.then(|| Value::from(text));
    if let Some(string) = string.clone().filter(|string| acceptance.accepts(schema, string)) {
        return Some(string);
    }
    let json = spec_hash::parse_json(text).ok();
    if let Some(json) = json.clone().filter(|json| acceptance.accepts(schema, json)) {
        return Some(json);
    }
    // What only a bound or a choice excludes has the right type.
    string.or_else(|| json.filter(|json| types.iter().any(|known| known.accepts(json))))
}

/// Where a value is that is not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It is an argument.
    Argument,
    /// It is a part of the JSON of an argument.
    Inside,
}

/// Returns the error of a value that the schema of its argument, or of a part of one, does not
/// accept.
pub(super) fn not_accepted(
    (name, place): (&str, Place),
    value: &Value,
    schema: &Value,
    tool: &ToolInfo,
    acceptance: &mut Acceptance<'_>,
    roster: &Roster,
) -> CommandError {
    let root = acceptance.root();
    let schema = target(schema, root).unwrap_or(schema);
    let text = typed_form(value);
    let message = message![
        "the argument `",
        quote(name),
        "` of `",
        quote(&tool.name),
        "` is ",
        quote_in_full(&with_article(&kind(schema, roster))),
        ", not `",
        quote(&text),
        "`"
    ];
    let choices = choices(schema);
    if let Some(meant) = closest_match(&text, choices.iter().filter_map(Value::as_str)) {
        return CommandError::new(message).help(message!["did you mean `", quote(meant), "`?"]);
    }
    let example = example(schema, &text, acceptance);
    let written = typed_form(&example);
    let (name, written) = (quote(name), quote_in_full(&written));
    CommandError::new(message).help(if place == Place::Inside {
        let example = example.to_string();
        message!["a value that it accepts is `", quote_in_full(&example), "`"]
    } else if example.is_array() || example.is_object() {
        // A shell removes the quotation marks that it finds inside.
        message!["write `'", name, "=", written, "'`, with the quotes around it for the shell"]
    } else {
        message!["write `", name, "=", written, "`"]
    })
}

/// Returns a value as it is typed.
fn typed_form(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

fn choices(schema: &Value) -> &[Value] {
    let only = schema.get("const").map(slice::from_ref);
    only.or(schema.get("enum").and_then(Value::as_array).map(Vec::as_slice)).unwrap_or_default()
}

/// Returns a value that a schema accepts, as far as possible made of what was typed.
fn example(schema: &Value, typed: &str, acceptance: &mut Acceptance<'_>) -> Value {
    let bound = schema.get("minimum").or_else(|| schema.get("maximum"));
    if let Some(choice) = choices(schema).first() {
        return choice.clone();
    }
    match accepted_types(schema, acceptance.root()).first() {
        Some(JsonType::Integer | JsonType::Number) if bound.is_some_and(Value::is_number) => {
            bound.cloned().unwrap_or_default()
        }
        Some(JsonType::List) => example_list(schema.get("items"), typed, acceptance),
        Some(first) => first.example(),
        None => JsonType::String.example(),
    }
}

/// Returns a list whose items a schema accepts: those that were typed between commas, or one other.
fn example_list(items: Option<&Value>, typed: &str, acceptance: &mut Acceptance<'_>) -> Value {
    let any = Value::Bool(true);
    let items = items.unwrap_or(&any);
    let items = target(items, acceptance.root()).unwrap_or(items);
    let typed = typed.trim();
    if !typed.is_empty() && !typed.starts_with(['[', '{']) {
        let typed = typed.split(',').map(|item| {
            let value = with_type(item.trim(), items, acceptance);
            value.filter(|value| acceptance.accepts(items, value))
        });
        if let Some(values) = typed.collect::<Option<Vec<_>>>() {
            return values.into();
        }
    }
    match choices(items).first() {
        Some(choice) => vec![choice.clone()].into(),
        // A list of lists is shown without items of its own.
        None => match accepted_types(items, acceptance.root()).first() {
            None | Some(JsonType::String) => json!(["a", "b"]),
            Some(first) => vec![first.example()].into(),
        },
    }
}

fn with_article(kind: &str) -> Cow<'_, str> {
    match kind.split(' ').next().unwrap_or_default() {
        "one" | "null" | "any" | "true" | "false" => kind.into(),
        word if !word.starts_with(char::is_alphabetic) => kind.into(),
        word if word.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {kind}").into(),
        _ => format!("a {kind}").into(),
    }
}
