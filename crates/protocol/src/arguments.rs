//! The arguments of a run, checked with the input schema of its skill.

use dibber_skill::contract::Issue;
use dibber_skill::contract::skills_protocol::{RpcError, RpcReason};
use dibber_skill::response_model::{ModelIssue, check_data};
use dibber_text::{message, quote_in_full};
use serde_json::{Map, Value};

use crate::refusal::refused;

/// The code of each issue of an argument.
const ISSUE_REASON: &str = "INVALID_ARGUMENT";

/// Checks arguments. The paths of the issues begin at the arguments, and the message names the first
/// of them.
pub(crate) fn check(
    skill: &str,
    schema: &Map<String, Value>,
    arguments: &Map<String, Value>,
) -> Result<(), RpcError> {
    let Err(issues) = check_data(schema, &Value::Object(arguments.clone())) else { return Ok(()) };
    let first = issues.first().map(sentence).unwrap_or_default();
    let message = message![
        "the arguments of `",
        quote_in_full(skill),
        "` are not valid: ",
        quote_in_full(&first)
    ];
    let help = message![
        "call describe_skill with `",
        quote_in_full(skill),
        "`: `input_schema` of its manifest says which arguments it takes"
    ];
    let mut error = refused(RpcReason::InvalidArguments, message, help);
    if let Some(data) = &mut error.data {
        data.issues = issues.into_iter().map(issue).collect();
    }
    Err(error)
}

/// Returns an issue in words, such as "`/date`: the value is not of type \"string\"".
fn sentence(issue: &ModelIssue) -> String {
    if issue.path.is_empty() {
        issue.message.clone()
    } else {
        format!("`{}`: {}", issue.json_pointer(), issue.message)
    }
}

fn issue(issue: ModelIssue) -> Issue {
    Issue {
        path: issue.json_pointer(),
        reason: ISSUE_REASON.to_owned(),
        message: issue.message,
        fix: "write it as the input schema of the skill has it".to_owned(),
    }
}
