//! The arguments of a call as they are typed, each with the type that the tool's schema names.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::{ptr, slice};

use serde_json::{Map, Value};

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

/// A type of JSON, in the order in which examples are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum JsonType {
    Integer,
    Number,
    Boolean,
    List,
    Object,
    Null,
    String,
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
/// about is a string.
pub(super) fn with_types(
    typed: Vec<TypedArgument>,
    tool: &ToolInfo,
    roster: &Roster,
) -> Result<Map<String, Value>, CommandError> {
    let arguments = typed.into_iter().map(|TypedArgument { name, value }| {
        let value = match value {
            TypedValue::Json(value) => value,
            TypedValue::Text(text) => with_type(&name, text, tool, roster)?,
        };
        Ok((name, value))
    });
    arguments.collect()
}

fn with_type(
    name: &str,
    text: String,
    tool: &ToolInfo,
    roster: &Roster,
) -> Result<Value, CommandError> {
    let Some(schema) = property(tool, name) else { return Ok(text.into()) };
    let root = Value::Object(tool.input_schema.clone());
    let types = accepted_types(schema, &root);
    if types.is_empty() || types.contains(&JsonType::String) {
        return Ok(text.into());
    }
    let accepted = |value: &Value| types.iter().any(|known| known.accepts(value));
    let value = spec_hash::parse_json(&text).ok().filter(accepted);
    value.ok_or_else(|| not_accepted(name, &Value::from(text.as_str()), schema, tool, roster))
}

/// Returns the error of a value that the schema of its argument does not accept.
pub(super) fn not_accepted(
    name: &str,
    value: &Value,
    schema: &Value,
    tool: &ToolInfo,
    roster: &Roster,
) -> CommandError {
    let root = Value::Object(tool.input_schema.clone());
    let schema = target(schema, &root).unwrap_or(schema);
    let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
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
    let choices = schema.get("enum").and_then(Value::as_array).map_or(&[][..], Vec::as_slice);
    if let Some(meant) = closest_match(&text, choices.iter().filter_map(Value::as_str)) {
        return CommandError::new(message).help(message!["did you mean `", quote(meant), "`?"]);
    }
    let types = accepted_types(schema, &root);
    let example = match choices.first() {
        Some(choice) => choice.as_str().map_or_else(|| choice.to_string(), str::to_owned),
        None => example(types.first().copied(), schema, &text),
    };
    let (name, example) = (quote(name), quote_in_full(&example));
    CommandError::new(message).help(match types.first() {
        // A shell removes the quotation marks that it finds inside.
        Some(JsonType::List | JsonType::Object) if choices.is_empty() => {
            message!["write `'", name, "=", example, "'`, with the quotes around it for the shell"]
        }
        _ => message!["write `", name, "=", example, "`"],
    })
}

/// Returns a value that a schema accepts, which may be made of what was typed.
fn example(first: Option<JsonType>, schema: &Value, typed: &str) -> String {
    let bound = schema.get("minimum").or_else(|| schema.get("maximum"));
    match first {
        Some(JsonType::Integer | JsonType::Number) if bound.is_some() => {
            bound.map(ToString::to_string).unwrap_or_default()
        }
        Some(JsonType::List) if !typed.is_empty() && !typed.starts_with(['[', '{']) => {
            Value::from(vec![typed]).to_string()
        }
        Some(first) => first.example().to_owned(),
        None => JsonType::String.example().to_owned(),
    }
}

pub(super) fn property<'a>(tool: &'a ToolInfo, name: &str) -> Option<&'a Value> {
    tool.input_schema.get("properties")?.get(name)
}

/// Returns the types that a schema and its parts name; none if they do not say.
fn accepted_types(schema: &Value, root: &Value) -> BTreeSet<JsonType> {
    let mut types = BTreeSet::new();
    // A schema may be its own part.
    let mut seen = HashSet::new();
    let mut parts = vec![schema];
    while let Some(part) = parts.pop() {
        if !seen.insert(ptr::from_ref(part)) {
            continue;
        }
        types.extend(own_types(part));
        let list = |name: &str| part.get(name).and_then(Value::as_array).into_iter().flatten();
        types.extend(list("enum").chain(part.get("const")).map(JsonType::of_value));
        parts.extend(["anyOf", "oneOf", "allOf"].into_iter().flat_map(list));
        parts.extend(target(part, root));
    }
    types
}

/// Returns the types that a schema names itself.
pub(super) fn own_types(schema: &Value) -> impl Iterator<Item = JsonType> {
    let names = match schema.get("type") {
        Some(Value::Array(names)) => &names[..],
        Some(name) => slice::from_ref(name),
        None => &[],
    };
    names.iter().filter_map(|name| JsonType::from_name(name.as_str()?))
}

/// Returns the schema that a schema refers to.
pub(super) fn target<'a>(schema: &Value, root: &'a Value) -> Option<&'a Value> {
    root.pointer(schema.get("$ref")?.as_str()?.strip_prefix('#')?)
}

impl JsonType {
    fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "string" => Self::String,
            "number" => Self::Number,
            "integer" => Self::Integer,
            "boolean" => Self::Boolean,
            "null" => Self::Null,
            "array" => Self::List,
            "object" => Self::Object,
            _ => return None,
        })
    }

    fn of_value(value: &Value) -> Self {
        match value {
            Value::String(_) => Self::String,
            Value::Number(number) if number.is_f64() => Self::Number,
            Value::Number(_) => Self::Integer,
            Value::Bool(_) => Self::Boolean,
            Value::Null => Self::Null,
            Value::Array(_) => Self::List,
            Value::Object(_) => Self::Object,
        }
    }

    pub(super) fn accepts(self, value: &Value) -> bool {
        let actual = Self::of_value(value);
        actual == self || (self, actual) == (Self::Number, Self::Integer)
    }

    const fn example(self) -> &'static str {
        match self {
            Self::Integer => "5",
            Self::Number => "0.5",
            Self::Boolean => "true",
            Self::List => "[\"a\", \"b\"]",
            Self::Object => "{\"a\": 1}",
            Self::Null => "null",
            Self::String => "text",
        }
    }
}

fn with_article(kind: &str) -> Cow<'_, str> {
    match kind.split(' ').next().unwrap_or_default() {
        "one" | "null" | "any" => kind.into(),
        word if word.starts_with(['a', 'e', 'i', 'o', 'u']) => format!("an {kind}").into(),
        _ => format!("a {kind}").into(),
    }
}
