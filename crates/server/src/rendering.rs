//! The prompt of a skill with its placeholders filled in, within a limit.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::failure::Failure;
use super::store::Skill;
use dibber_skill::contract::{ErrorCode, InputVariable, Issue, ToolError};
use dibber_skill::draft::{self, MissingInputs};
use dibber_skill::skill::{PlaceholderKind, placeholders};
use dibber_text::{Shown, json_pointer};

/// The most bytes of a prompt that is filled in (4 MiB): a value may occur in it often.
const RENDERED_BYTES_MAX: usize = 4 << 20;

/// The most inputs that are named in one sentence.
const NAMED_MAX: usize = 10;

/// Fills in the prompt of a skill. It is refused if an input has no value, or if the prompt would be too
/// long.
pub(super) fn render(
    skill: &Skill,
    input: &Map<String, Value>,
) -> Result<draft::Rendered, Failure> {
    let written = &skill.written;
    if rendered_bytes(&written.prompt, &written.input_variables, input) > RENDERED_BYTES_MAX {
        let message =
            format!("the prompt with its values has more than {RENDERED_BYTES_MAX} bytes");
        let fix = "use shorter values, or tell the agent where to find them";
        return Err(Failure::bad_input("INPUT_TOO_LARGE", message, fix));
    }
    draft::render(&written.prompt, &written.input_variables, input).map_err(missing_inputs)
}

/// Returns the bytes of the prompt once it is filled in, or a few more.
fn rendered_bytes(prompt: &str, inputs: &[InputVariable], input: &Map<String, Value>) -> usize {
    let bytes = |value: &Value| match value {
        Value::String(text) => text.len(),
        other => other.to_string().len(),
    };
    let declared = inputs.iter().filter_map(|variable| {
        let value = input.get(&variable.name)?;
        Some((variable.name.as_str(), bytes(value)))
    });
    let declared: BTreeMap<_, _> = declared.collect();
    let filled = placeholders(prompt).into_iter().map(|placeholder| match placeholder.kind {
        PlaceholderKind::Input(name) => declared.get(name.as_str()).copied().unwrap_or_default(),
        _ => 0,
    });
    filled.fold(prompt.len(), usize::saturating_add)
}

fn missing_inputs(MissingInputs(names): MissingInputs) -> Failure {
    let quoted: Vec<_> = names
        .iter()
        .take(NAMED_MAX)
        .map(|name| format!("`{}`", Shown::to_be_masked(name)))
        .collect();
    let more = match names.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let word = if names.len() == 1 { "input" } else { "inputs" };
    let issues: Vec<_> = names.iter().map(|name| issue(name)).collect();
    ToolError::new(
        ErrorCode::BadInput,
        format!("the {word} {}{more} got no value", quoted.join(", ")),
        "add a value for each to `input`, an empty string if there is none",
    )
    .reason(MISSING_INPUT)
    .details(json!({"missing": names, "issues": issues}))
    .into()
}

const MISSING_INPUT: &str = "MISSING_INPUT";

fn issue(name: &str) -> Issue {
    let shown = Shown::to_be_masked(name);
    Issue {
        path: json_pointer(["input", name]),
        reason: MISSING_INPUT.to_owned(),
        message: format!("the input `{shown}` has no value"),
        fix: format!("add `{shown}` to `input`"),
    }
}
