//! Whether the arguments of a call are those that the schema of the tool describes. What it says
//! about the parts of a list or an object is left to the server.

use serde_json::{Map, Value};

use super::arguments::{not_accepted, own_types, property, target};
use crate::cli::error::CommandError;
use crate::cli::remote::schema_words::kind;
use dibber_client::ToolInfo;
use dibber_skill::names::Roster;
use dibber_skill::string_pattern::StringPattern;
use dibber_text::{closest_match, message, quote, quote_in_full};

/// The most names of arguments that are listed.
const NAMES_SHOWN_MAX: usize = 20;
/// The deepest schema that is looked into: one may be its own part.
const DEPTH_MAX: usize = 8;
/// The most schemas, types and choices that are looked into for one call: a schema may be its own
/// part several times. What comes after them is left to the server.
const NODES_MAX: usize = 10_000;

/// Refuses arguments that the tool does not have, that have a value which it does not accept, or
/// that are missing.
pub(super) fn check(
    arguments: &Map<String, Value>,
    tool: &ToolInfo,
    roster: &Roster,
) -> Result<(), CommandError> {
    find_fault(arguments, tool, roster).map_err(|error| {
        // The schema of a server may be wrong.
        let help = error.help_text().cloned().unwrap_or_default();
        error.help(message![help, " (or add `--no-check` to send the call as it is)"])
    })
}

fn find_fault(
    arguments: &Map<String, Value>,
    tool: &ToolInfo,
    roster: &Roster,
) -> Result<(), CommandError> {
    let root = Value::Object(tool.input_schema.clone());
    let mut acceptance = Acceptance { root: &root, nodes_left: NODES_MAX };
    for (name, value) in arguments {
        let Some(schema) = property(tool, name) else {
            check_name(name, tool)?;
            continue;
        };
        // What may be left out may usually be null instead.
        if !value.is_null() && !acceptance.accepts(schema, value, DEPTH_MAX) {
            return Err(not_accepted(name, value, schema, tool, roster));
        }
        check_pattern(name, value, schema, tool)?;
    }
    check_required(arguments, &root, tool, roster)
}

fn check_name(name: &str, tool: &ToolInfo) -> Result<(), CommandError> {
    let is_closed = tool.input_schema.get("additionalProperties") == Some(&Value::Bool(false))
        && !tool.input_schema.contains_key("patternProperties");
    if !is_closed {
        return Ok(());
    }
    let message = message!["`", quote(&tool.name), "` has no argument `", quote(name), "`"];
    let properties = tool.input_schema.get("properties").and_then(Value::as_object);
    let known: Vec<_> = properties.into_iter().flat_map(Map::keys).map(String::as_str).collect();
    let help = match closest_match(name, known.iter().copied()) {
        Some(meant) => message!["did you mean `", quote(meant), "`?"],
        None if known.is_empty() => message!["it takes no arguments"],
        None => {
            let shown = known[..known.len().min(NAMES_SHOWN_MAX)].join(", ");
            let rest = if known.len() > NAMES_SHOWN_MAX { ", …" } else { "" };
            message!["its arguments are ", quote_in_full(&shown), rest]
        }
    };
    Err(CommandError::new(message).help(help))
}

/// Refuses a string that does not match the `pattern` of its argument. A pattern that this program
/// does not support is left to the server, and so is a `format`, which only describes a value.
fn check_pattern(
    name: &str,
    value: &Value,
    schema: &Value,
    tool: &ToolInfo,
) -> Result<(), CommandError> {
    let (Some(text), Some(written)) = (value.as_str(), schema.get("pattern")) else {
        return Ok(());
    };
    let Some(written) = written.as_str() else { return Ok(()) };
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
    let help = message!["the pattern is `", quote_in_full(written), "`"];
    Err(CommandError::new(message).help(help))
}

fn check_required(
    arguments: &Map<String, Value>,
    root: &Value,
    tool: &ToolInfo,
    roster: &Roster,
) -> Result<(), CommandError> {
    let required = root.get("required").and_then(Value::as_array).into_iter().flatten();
    let mut names = required.filter_map(Value::as_str);
    let Some(name) = names.find(|name| !arguments.contains_key(*name)) else { return Ok(()) };
    let message = message!["`", quote(&tool.name), "` needs the argument `", quote(name), "`"];
    let schema = property(tool, name);
    let wanted = schema.map(|schema| kind(target(schema, root).unwrap_or(schema), roster));
    let add = match &wanted {
        Some(wanted) => message!["add `", quote(name), "=…`: ", quote_in_full(wanted)],
        None => message!["add `", quote(name), "=…`"],
    };
    Err(CommandError::new(message).help(add))
}

/// Whether the schemas of a tool accept values.
struct Acceptance<'a> {
    root: &'a Value,
    /// How many more schemas, types and choices are looked into.
    nodes_left: usize,
}

impl Acceptance<'_> {
    /// Returns `true` if a schema accepts a value, as far as its types, its choices and its bounds
    /// say.
    fn accepts(&mut self, schema: &Value, value: &Value, depth: usize) -> bool {
        if depth == 0 || self.nodes_left == 0 {
            return true;
        }
        let list = |name: &str| schema.get(name).and_then(Value::as_array);
        let values: usize = ["type", "enum"].into_iter().filter_map(list).map(Vec::len).sum();
        self.nodes_left = self.nodes_left.saturating_sub(1 + values);
        let root = self.root;
        let mut is_part = |part: &Value| self.accepts(part, value, depth - 1);
        has_type(schema, value)
            && list("enum").is_none_or(|choices| choices.contains(value))
            && schema.get("const").is_none_or(|only| only == value)
            && is_in_bounds(schema, value)
            && ["anyOf", "oneOf"]
                .iter()
                .all(|of| list(of).is_none_or(|parts| parts.iter().any(&mut is_part)))
            && list("allOf").is_none_or(|parts| parts.iter().all(&mut is_part))
            && target(schema, root).is_none_or(is_part)
    }
}

fn has_type(schema: &Value, value: &Value) -> bool {
    // An integer may be written with a fraction of zero.
    let is_whole = value.as_f64().is_some_and(|number| number.fract() == 0.0);
    let whole = Value::from(0);
    let mut types = own_types(schema).peekable();
    types.peek().is_none() || types.any(|it| it.accepts(value) || (is_whole && it.accepts(&whole)))
}

fn is_in_bounds(schema: &Value, value: &Value) -> bool {
    let Some(number) = value.as_f64() else { return true };
    let bound = |name: &str| schema.get(name).and_then(Value::as_f64);
    bound("minimum").is_none_or(|min| number >= min)
        && bound("maximum").is_none_or(|max| number <= max)
        && bound("exclusiveMinimum").is_none_or(|min| number > min)
        && bound("exclusiveMaximum").is_none_or(|max| number < max)
}
