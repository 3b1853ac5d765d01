//! The arguments of a run, checked with the input schema of its skill.

use dibber_skill::contract::Issue;
use dibber_skill::contract::skills_protocol::{RpcError, RpcReason};
use dibber_skill::response_model::{ModelIssue, check_data};
use dibber_text::{Message, message, quote_in_full};
use serde_json::{Map, Value};

use crate::refusal::{refused, shown};

/// The code of each issue of an argument.
const ISSUE_REASON: &str = "INVALID_ARGUMENT";

/// The most bytes of a schema that help quotes.
const SCHEMA_BYTES_SHOWN: usize = 120;

/// Checks arguments. The paths of the issues begin at the parameters of the call, and the message names
/// the first of them.
pub(crate) fn check(
    skill: &str,
    schema: &Map<String, Value>,
    arguments: &Map<String, Value>,
) -> Result<(), RpcError> {
    let arguments = Value::Object(arguments.clone());
    let Err(found) = check_data(schema, &arguments) else { return Ok(()) };
    let schema = Value::Object(schema.clone());
    let issues: Vec<_> = found.iter().map(|found| issue(found, &schema, &arguments)).collect();
    let first = found.first().map(sentence).unwrap_or_default();
    let message = message![
        "the arguments of `",
        quote_in_full(skill),
        "` are not valid: ",
        quote_in_full(&first)
    ];
    let begin = match issues.as_slice() {
        [one] => one.fix.clone(),
        _ => "correct every argument in `issues`".to_owned(),
    };
    let help = format!("{begin}; describe_skill returns the whole `input_schema`");
    let error = refused(RpcReason::InvalidArguments, message, quote_in_full(&help));
    Err(error.with_issues(issues))
}

/// Returns an issue in words, such as "`/args/date`: the value is not of type \"string\"".
fn sentence(issue: &ModelIssue) -> String {
    if issue.path.is_empty() {
        issue.message.clone()
    } else {
        format!("`{}`: {}", path(issue), issue.message)
    }
}

/// Returns the path of an issue from the parameters of the call.
fn path(issue: &ModelIssue) -> String {
    format!("/args{}", issue.json_pointer())
}

fn issue(found: &ModelIssue, schema: &Value, arguments: &Value) -> Issue {
    Issue {
        path: path(found),
        reason: ISSUE_REASON.to_owned(),
        message: found.message.clone(),
        fix: shown(&fix(found, schema, arguments)),
    }
}

/// Returns what to write: what is missing, or what the schema wants in this place, if that is short.
fn fix(issue: &ModelIssue, schema: &Value, arguments: &Value) -> Message {
    let path = path(issue);
    let Some(wanted) = schema_at(schema, &issue.path) else {
        return message!["write `", quote_in_full(&path), "` as the input schema has it"];
    };
    let value = arguments.pointer(&issue.json_pointer());
    let is_missing = |name: &&str| value.is_none_or(|value| value.get(name).is_none());
    let required = wanted.get("required").and_then(Value::as_array).into_iter().flatten();
    if let Some(name) = required.filter_map(Value::as_str).find(is_missing) {
        let property = wanted.get("properties").and_then(|all| all.get(name));
        return message![
            "add `",
            quote_in_full(name),
            "` to `",
            quote_in_full(&path),
            "`; ",
            has_to_match(name, property)
        ];
    }
    has_to_match(&path, Some(wanted))
}

/// Returns what a value has to be: the schema, if that is short.
fn has_to_match(value: &str, schema: Option<&Value>) -> Message {
    let json = schema.map(Value::to_string).filter(|json| json.len() <= SCHEMA_BYTES_SHOWN);
    let wanted = match json {
        Some(json) => message!["`", quote_in_full(&json), "`"],
        None => "the input schema".into(),
    };
    message!["`", quote_in_full(value), "` has to match ", wanted]
}

/// Returns the schema of a place in the arguments, as far as it is written in the place of that.
fn schema_at<'s>(schema: &'s Value, path: &[String]) -> Option<&'s Value> {
    path.iter().try_fold(schema, |schema, name| {
        let property = schema.get("properties").and_then(|all| all.get(name));
        property.or_else(|| schema.get("items").filter(|_| name.parse::<usize>().is_ok()))
    })
}
