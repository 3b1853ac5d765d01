//! The arguments of a call as they are typed, each with the type that the tool's schema names.

use std::borrow::Cow;

use serde_json::{Map, Value, json};

use super::acceptance::Acceptance;
use super::branches::choices;
use super::json_type::{JsonType, accepted_types, field};
use crate::cli::error::CommandError;
use crate::cli::inputs::pair;
use crate::cli::remote::schema_words::{kind, target};
use crate::cli::typed_json::{self, is_too_large, number_with_too_many_digits};
use dibber_client::ToolInfo;
use dibber_skill::names::Roster;
use dibber_text::{closest_match, message, quote, quote_in_full};

/// The deepest object in the example of a value: a schema may be its own part.
const EXAMPLE_DEPTH_MAX: usize = 3;

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
            if let Some((name, json)) = typed.split_once(":=")
                && let Some(error) = unsendable_number(name, json)
            {
                return error;
            }
            let cause = quote_in_full(&cause);
            CommandError::new(message!["invalid argument `", quote(typed), "`: ", cause]).help(
                "write `name=Jay` for a string or a number, and `'name:=[\"a\"]'` or \
                 `'name:={\"a\": 1}'` for JSON, with the quotes around it for the shell",
            )
        })?;
        let is_json = typed.split_once('=').is_some_and(|(name, _)| name.ends_with(':'));
        let value = match value {
            Value::String(text) if !is_json => TypedValue::Text(text),
            value => TypedValue::Json(value),
        };
        if arguments.iter().any(|known| known.name == name) {
            return Err(CommandError::new(message!["duplicate argument `", quote(&name), "`"])
                .help("remove one; write a list as `'name:=[\"a\", \"b\"]'`"));
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
                        if let Some(error) = unsendable_number(&name, &text) {
                            return Err(error);
                        }
                        let text = Value::from(text);
                        let (name, acceptance) = ((&*name, Place::Argument), &mut acceptance);
                        let error = not_accepted(name, &text, schema, tool, acceptance, roster);
                        return Err(offer_no_check(error));
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
    let mut json = typed_json::parse(text).ok();
    if types.contains(&JsonType::Integer) && !types.contains(&JsonType::Number) {
        json = json.map(as_integer);
    }
    if let Some(json) = json.clone().filter(|json| acceptance.accepts(schema, json)) {
        return Some(json);
    }
    // What only a bound or a choice excludes has the right type.
    string.or_else(|| json.filter(|json| types.iter().any(|known| known.accepts(json))))
}

/// Returns a number without a fraction as an integer, if it fits into one.
fn as_integer(value: Value) -> Value {
    let whole = value.as_f64().filter(|number| value.is_f64() && number.fract() == 0.0);
    let integer = whole.and_then(|number| format!("{number:.0}").parse::<i64>().ok());
    integer.map_or(value, Value::from)
}

/// Returns the error of JSON with a number that would be sent with other digits, or is too large.
fn unsendable_number(name: &str, json: &str) -> Option<CommandError> {
    let argument = quote(name);
    if is_too_large(json) {
        let message =
            message!["the argument `", argument, "` is too large a number: `", quote(json), "`"];
        return Some(CommandError::new(message).help("numbers up to about 1.8e308 can be sent"));
    }
    let number = quote_in_full(number_with_too_many_digits(json)?);
    Some(
        CommandError::new(message![
            "the argument `",
            argument,
            "` has a number with too many digits to be sent unchanged: `",
            number,
            "`"
        ])
        .help(message![
            "write it as a string if the tool accepts one: `\"",
            number,
            "\"`"
        ]),
    )
}

/// Adds to an error how to send the call all the same: the schema of a server may be wrong.
pub(super) fn offer_no_check(error: CommandError) -> CommandError {
    let help = error.help_text().cloned().unwrap_or_default();
    error.help(message![help, " (or add `--no-check` to send the call as it is)"])
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
    let words = kind(schema, root, roster);
    let schema = target(schema, root).unwrap_or(schema);
    let text = typed_form(value);
    let message = message![
        "the argument `",
        quote(name),
        "` of `",
        quote(&tool.name),
        "` is ",
        quote_in_full(&with_article(&words)),
        ", not `",
        quote(&text),
        "`"
    ];
    let choices = choices(schema, root);
    if let Some(meant) = closest_match(&text, choices.iter().filter_map(Value::as_str)) {
        return CommandError::new(message).help(message!["did you mean `", quote(meant), "`?"]);
    }
    let example = example(schema, &text, acceptance, EXAMPLE_DEPTH_MAX);
    let written = typed_form(&example);
    let (name, written) = (quote(name), quote_in_full(&written));
    CommandError::new(message).help(if place == Place::Inside {
        let example = example.to_string();
        message!["a value that it accepts is `", quote_in_full(&example), "`"]
    } else if example.is_array() || example.is_object() {
        // A shell removes the quotation marks that it finds inside.
        message!["write `'", name, ":=", written, "'`, with the quotes around it for the shell"]
    } else {
        message!["write `", name, "=", written, "`"]
    })
}

/// Returns a value as it is typed.
fn typed_form(value: &Value) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Returns a value that a schema accepts, as far as possible made of what was typed.
fn example(schema: &Value, typed: &str, acceptance: &mut Acceptance<'_>, depth: usize) -> Value {
    let schema = target(schema, acceptance.root()).unwrap_or(schema);
    let bound = schema.get("minimum").or_else(|| schema.get("maximum"));
    if let Some(choice) = choices(schema, acceptance.root()).first() {
        return choice.clone();
    }
    let part = if schema.get("type").is_none() { first_part(schema) } else { None };
    if let Some(part) = part.filter(|_| depth > 0) {
        return example(part, typed, acceptance, depth - 1);
    }
    match accepted_types(schema, acceptance.root()).first() {
        Some(JsonType::Integer | JsonType::Number) if bound.is_some_and(Value::is_number) => {
            bound.cloned().unwrap_or_default()
        }
        Some(JsonType::List) => example_list(schema.get("items"), typed, acceptance, depth),
        Some(JsonType::Object) => example_object(schema, acceptance, depth),
        Some(first) => first.example(),
        None => JsonType::String.example(),
    }
}

/// Returns the first of several schemas, but that of null only if there is no other.
fn first_part(schema: &Value) -> Option<&Value> {
    let parts = ["anyOf", "oneOf"].iter().find_map(|name| schema.get(name)?.as_array())?;
    parts.iter().find(|part| part.get("type") != Some(&Value::from("null"))).or(parts.first())
}

/// Returns an object with the fields that a schema requires, or one with any field.
fn example_object(schema: &Value, acceptance: &mut Acceptance<'_>, depth: usize) -> Value {
    let required = schema.get("required").and_then(Value::as_array).into_iter().flatten();
    let required: Vec<_> = required.filter_map(Value::as_str).collect();
    if required.is_empty() || depth == 0 {
        return JsonType::Object.example();
    }
    let mut field_of = |name: &str| match field(schema, name) {
        Some(field) => example(field, "", acceptance, depth - 1),
        None => JsonType::String.example(),
    };
    required.into_iter().map(|name| (name.to_owned(), field_of(name))).collect()
}

/// Returns a list whose items a schema accepts: those that were typed between commas, or one other.
fn example_list(
    items: Option<&Value>,
    typed: &str,
    acceptance: &mut Acceptance<'_>,
    depth: usize,
) -> Value {
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
    let accepted = accepted_types(items, acceptance.root());
    let is_string = matches!(accepted.first(), None | Some(JsonType::String));
    match depth.checked_sub(1) {
        Some(depth) if !is_string || !choices(items, acceptance.root()).is_empty() => {
            vec![example(items, "", acceptance, depth)].into()
        }
        _ => json!(["a", "b"]),
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
