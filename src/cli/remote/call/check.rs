//! Whether the arguments of a call are those that the schema of the tool describes.

use serde_json::{Map, Value, json};

use super::acceptance::Acceptance;
use super::arguments::{Place, not_accepted, offer_no_check};
use super::json_type::{JsonType, accepted_types};
use super::mismatch::{LengthLimit, Mismatch, Problem, WrongLength};
use crate::cli::error::CommandError;
use crate::cli::remote::schema_words::kind;
use crate::cli::term::wording::quantity;
use dibber_client::ToolInfo;
use dibber_skill::names::Roster;
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// The most names of arguments that are listed.
const NAMES_SHOWN_MAX: usize = 20;

/// Refuses arguments that the tool does not have, that have a value which it does not accept, or
/// that are missing; and the same in what they contain.
pub(super) fn check(
    arguments: &Map<String, Value>,
    tool: &ToolInfo,
    roster: &Roster,
) -> Result<(), CommandError> {
    let root = Value::Object(tool.input_schema.clone());
    let mut acceptance = Acceptance::new(&root);
    match acceptance.find_mismatch(arguments) {
        None => Ok(()),
        Some(mismatch) => Err(offer_no_check(error(&mismatch, tool, &mut acceptance, roster))),
    }
}

fn error(
    mismatch: &Mismatch<'_>,
    tool: &ToolInfo,
    acceptance: &mut Acceptance<'_>,
    roster: &Roster,
) -> CommandError {
    let path = mismatch.path();
    let of = || message!["the argument `", quote(&path), "` of `", quote(&tool.name), "`"];
    match &mismatch.problem {
        Problem::Value { value, schema } => {
            let place = if mismatch.is_argument() { Place::Argument } else { Place::Inside };
            not_accepted((&path, place), value, schema, tool, acceptance, roster)
        }
        Problem::Choice { value, choices } => {
            let schema = json!({"enum": choices});
            not_accepted((&path, Place::Inside), value, &schema, tool, acceptance, roster)
        }
        Problem::Pattern { text, pattern } => {
            let message = message![of(), " does not match its pattern: `", quote(text), "`"];
            let help = message!["the pattern is `", quote_in_full(pattern), "`"];
            CommandError::new(message).help(help)
        }
        Problem::Length(wrong) => wrong_length(wrong, of()),
        Problem::UnknownField { name, object } if mismatch.is_argument() => {
            unknown_field(name, object, tool_of(tool), "argument")
        }
        Problem::UnknownField { name, object } => unknown_field(name, object, of(), "field"),
        Problem::MissingField { name, schema } => {
            let (owner, word, form) = match schema {
                _ if !mismatch.is_argument() => (of(), "field", ["`", "`"]),
                Some(schema) if is_written_as_json(schema, acceptance.root()) => {
                    (tool_of(tool), "argument", ["`'", ":=…'`"])
                }
                _ => (tool_of(tool), "argument", ["`", "=…`"]),
            };
            let message = message![owner, " needs the ", word, " `", quote(name), "`"];
            let wanted = schema.map(|schema| kind(schema, acceptance.root(), roster));
            let wanted = wanted.map(|wanted| message![": ", quote_in_full(&wanted)]);
            let add = message!["add ", form[0], quote(name), form[1], wanted.unwrap_or_default()];
            CommandError::new(message).help(add)
        }
    }
}

/// Returns `true` if every value that a schema accepts is a list or an object.
fn is_written_as_json(schema: &Value, root: &Value) -> bool {
    let types = accepted_types(schema, root);
    let is_json = |known: &JsonType| matches!(known, JsonType::List | JsonType::Object);
    !types.is_empty() && types.iter().all(is_json)
}

fn tool_of(tool: &ToolInfo) -> Message {
    message!["`", quote(&tool.name), "`"]
}

fn wrong_length(wrong: &WrongLength, argument: Message) -> CommandError {
    let WrongLength { length, unit: [one, several], limit } = wrong;
    let counted = |count: u64| quantity(usize::try_from(count).unwrap_or(usize::MAX), one, several);
    let (limit, help) = match limit {
        LengthLimit::AtLeast(min) => (format!("at least {min}"), "write a longer one"),
        LengthLimit::AtMost(max) => (format!("at most {max}"), "write a shorter one"),
    };
    let length = counted(*length);
    let message =
        message![argument, " has ", quote_in_full(&length), ", expected ", quote_in_full(&limit)];
    CommandError::new(message).help(help)
}

/// Returns the error of a field that an object, or a call, does not have.
fn unknown_field(name: &str, object: &Value, owner: Message, word: &'static str) -> CommandError {
    let properties = object.get("properties").and_then(Value::as_object);
    let known: Vec<_> = properties.into_iter().flat_map(Map::keys).map(String::as_str).collect();
    let help = match closest_match(name, known.iter().copied()) {
        Some(meant) => message!["did you mean `", quote(meant), "`?"],
        None if known.is_empty() => message!["it takes no ", word, "s"],
        None => {
            let mut names = Message::default();
            for (index, name) in known.iter().take(NAMES_SHOWN_MAX).enumerate() {
                names.push(message![if index > 0 { ", `" } else { "`" }, quote(name), "`"]);
            }
            let rest = if known.len() > NAMES_SHOWN_MAX { ", …" } else { "" };
            message!["its ", word, "s are ", names, rest]
        }
    };
    CommandError::new(message![owner, " has no ", word, " `", quote(name), "`"]).help(help)
}
