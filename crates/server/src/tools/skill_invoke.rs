//! `skill_invoke`: the prompt of a skill, filled in.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::call::{Call, Run, Tool, success};
use crate::failure::Failure;
use crate::fields::{CANVASES, IGNORED_INPUTS, SHORT_TEXT};
use crate::shape::{Kind, optional, required};
use crate::store::{Reader, Skill, Writer};
use crate::{canvases, skills};
use dibber_skill::contract::{
    Category, ErrorCode, InputVariable, Issue, Scope, SkillInvoke, SkillInvoked, ToolError,
};
use dibber_skill::draft::{self, MissingInputs};
use dibber_skill::skill::{PlaceholderKind, placeholders};
use dibber_text::{ellipsize, escape_line, json_pointer};

/// The most bytes of a prompt that is filled in (4 MiB): a value may stand in it often.
const RENDERED_BYTES_MAX: usize = 4 << 20;

/// The most inputs that are named in one sentence.
const NAMED_MAX: usize = 10;

pub(super) const TOOL: Tool = Tool {
    name: "skill_invoke",
    title: "Invoke a skill",
    description: "Renders a skill's prompt into the conversation, with its placeholders filled in. It \
            only renders: nobody is notified. A home_agent skill is refused.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: true,
    is_destructive: false,
    input: &[
        required("skillId", SHORT_TEXT, "The skill."),
        optional("input", Kind::AnyObject, "A value for each of the skill's inputs, by name."),
    ],
    output: &[
        required("renderedPrompt", Kind::Text { max: RENDERED_BYTES_MAX }, "The prompt to follow."),
        required("canvases", CANVASES, "The canvases that the skill links."),
        optional("ignoredInputs", IGNORED_INPUTS, "The values that no input asks for."),
    ],
    run: Run::ReadThenRecord { read, record },
};

fn read(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let SkillInvoke { skill_id, input } = call.parse_arguments()?;
    let skill = skills::find_active(call, store, &skill_id, Scope::SkillWrite)?;
    if skill.written.category == Some(Category::HomeAgent) {
        return Err(home_agent_only());
    }
    let rendered = render(&skill, &input.unwrap_or_default())?;
    let canvases = canvases::summaries(store, &call.caller.family, &skill.written.canvas_ids)?;
    let next_step = match rendered.ignored.len() {
        0 => "Follow the rendered prompt; deliver what comes of it with skill_post_result.",
        _ => {
            "Follow the rendered prompt. No input of the skill has the names in ignoredInputs: \
             skill_get shows those that it has."
        }
    };
    let invoked = SkillInvoked {
        rendered_prompt: rendered.prompt,
        canvases,
        ignored_inputs: rendered.ignored,
    };
    Ok(success(&invoked, next_step))
}

fn record(call: &Call, store: &dyn Writer) -> Result<(), Failure> {
    Ok(store.touch_skill(&call.caller.family, call.required_str("skillId"), call.millisecond())?)
}

fn home_agent_only() -> Failure {
    let message = "the skill is for the family's home agent alone, and does not run here";
    let fix = "run it in your own agent: skill_get has its prompt, and you fill it in yourself";
    let error = ToolError::new(ErrorCode::PermissionDenied, message, fix);
    error.reason("HOME_AGENT_ONLY").into()
}

fn render(skill: &Skill, input: &Map<String, Value>) -> Result<draft::Rendered, Failure> {
    let written = &skill.written;
    if rendered_bytes(&written.prompt, &written.input_variables, input) > RENDERED_BYTES_MAX {
        let message =
            format!("filled in, the prompt would have more than {RENDERED_BYTES_MAX} bytes");
        let fix = "give shorter values, or tell the agent where it finds them";
        return Err(Failure::bad_input("INPUT_TOO_LARGE", message, fix));
    }
    draft::render(&written.prompt, &written.input_variables, input).map_err(missing)
}

/// The bytes of the prompt once it is filled in, or a few more.
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

fn missing(MissingInputs(names): MissingInputs) -> Failure {
    let quoted: Vec<_> =
        names.iter().take(NAMED_MAX).map(|name| format!("`{}`", shown(name))).collect();
    let more = match names.len().saturating_sub(NAMED_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let word = if names.len() == 1 { "input" } else { "inputs" };
    let issues: Vec<_> = names.iter().map(|name| issue(name)).collect();
    ToolError::new(
        ErrorCode::BadInput,
        format!("the {word} {}{more} got no value", quoted.join(", ")),
        "give each a value in `input`, an empty text if there is nothing to say",
    )
    .reason(MISSING_INPUT)
    .details(json!({"missing": names, "issues": issues}))
    .into()
}

const MISSING_INPUT: &str = "MISSING_INPUT";

fn issue(name: &str) -> Issue {
    let shown = shown(name);
    Issue {
        path: json_pointer(["input", name]),
        reason: MISSING_INPUT.to_owned(),
        message: format!("the input `{shown}` got no value"),
        fix: format!("add `{shown}` to `input`"),
    }
}

fn shown(name: &str) -> String {
    escape_line(&ellipsize(name)).into_owned()
}
