//! The arguments of a call as they are typed, each with the type that the tool's schema names.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use crate::cli::error::CommandError;
use crate::cli::inputs::pair;
use crate::cli::remote::schema_words::kind;
use dibber_client::ToolInfo;
use dibber_skill::names::Roster;
use dibber_skill::spec_hash;
use dibber_skill::string_pattern::StringPattern;
use dibber_text::{message, quote, quote_in_full};

/// The deepest schema that is looked into: one may be its own part.
const DEPTH_MAX: usize = 8;

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
enum JsonType {
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
        check_pattern(&name, &value, tool)?;
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
    let mut types = BTreeSet::new();
    collect_types(schema, &root, DEPTH_MAX, &mut types);
    let example = match types.first() {
        Some(first) if !types.contains(&JsonType::String) => first.example(),
        _ => return Ok(text.into()),
    };
    let accepted = |value: &Value| types.iter().any(|known| known.accepts(value));
    let value = spec_hash::parse_json(&text).ok().filter(accepted);
    value.ok_or_else(|| {
        let schema = target(schema, &root).unwrap_or(schema);
        let values = schema.get("enum").and_then(Value::as_array);
        let example = values
            .and_then(|values| values.first())
            .map_or_else(|| example.to_owned(), Value::to_string);
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
        CommandError::new(message).help(message![
            "write `",
            quote(name),
            "=",
            quote_in_full(&example),
            "`"
        ])
    })
}

/// Refuses a string that does not match the `pattern` of its argument. A pattern that this program
/// does not support is left to the server, and so is a `format`, which only describes a value.
fn check_pattern(name: &str, value: &Value, tool: &ToolInfo) -> Result<(), CommandError> {
    let (Some(text), Some(schema)) = (value.as_str(), property(tool, name)) else { return Ok(()) };
    let Some(written) = schema.get("pattern").and_then(Value::as_str) else { return Ok(()) };
    let Ok(pattern) = StringPattern::parse(written) else { return Ok(()) };
    if pattern.is_match(text) {
        return Ok(());
    }
    let message = message![
        "the argument `",
        quote(name),
        "` of `",
        quote(&tool.name),
        "` does not match its pattern: `",
        quote(text),
        "`"
    ];
    Err(CommandError::new(message).help(message!["the pattern is `", quote_in_full(written), "`"]))
}

fn property<'a>(tool: &'a ToolInfo, name: &str) -> Option<&'a Value> {
    tool.input_schema.get("properties")?.get(name)
}

/// Collects the types that a schema accepts; none if it does not say.
fn collect_types(schema: &Value, root: &Value, depth: usize, types: &mut BTreeSet<JsonType>) {
    if depth == 0 {
        return;
    }
    match schema.get("type") {
        Some(Value::String(name)) => types.extend(JsonType::from_name(name)),
        Some(Value::Array(names)) => {
            types.extend(names.iter().filter_map(|name| JsonType::from_name(name.as_str()?)));
        }
        _ => {}
    }
    let values = schema.get("enum").and_then(Value::as_array).into_iter().flatten();
    types.extend(values.chain(schema.get("const")).map(JsonType::of_value));
    for several in ["anyOf", "oneOf", "allOf"] {
        for part in schema.get(several).and_then(Value::as_array).into_iter().flatten() {
            collect_types(part, root, depth - 1, types);
        }
    }
    if let Some(target) = target(schema, root) {
        collect_types(target, root, depth - 1, types);
    }
}

/// Returns the schema that a schema refers to.
fn target<'a>(schema: &Value, root: &'a Value) -> Option<&'a Value> {
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

    fn accepts(self, value: &Value) -> bool {
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
        "integer" | "any" => format!("an {kind}").into(),
        "one" | "null" => kind.into(),
        _ => format!("a {kind}").into(),
    }
}
