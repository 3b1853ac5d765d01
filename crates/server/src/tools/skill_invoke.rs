//! `skill_invoke`: the prompt of a skill, filled in.

use std::sync::LazyLock;

use serde_json::Value;

use crate::activity;
use crate::failure::Failure;
use crate::input_schema::InputSchema;
use crate::store::{Reader, Writer};
use crate::tool::{Call, Run, Tool, success};
use crate::{canvases, cursor, rendering, skills};
use dibber_skill::contract::{
    ActivityType, Category, ErrorCode, Scope, SkillInvoke, SkillInvoked, ToolError, input_schema,
    output_schema,
};

pub(super) static TOOL: Tool = Tool {
    name: "skill_invoke",
    title: "Invoke a skill",
    description: "Renders a skill's prompt into the conversation, with its placeholders filled in. It \
            sends no notification. A home_agent skill is refused.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(input_schema::<SkillInvoke>),
    output: LazyLock::new(output_schema::<SkillInvoked>),
    run: Run::ReadThenRecord { read, record },
};

fn read(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let SkillInvoke { skill_id, input } = call.parse_arguments()?;
    let skill = skills::find_active(call, store, &skill_id, Scope::SkillWrite)?;
    if skill.written.category == Some(Category::HomeAgent) {
        return Err(home_agent_only());
    }
    let rendered = rendering::render(&skill, &input.unwrap_or_default())?;
    let canvases = canvases::summaries(store, &call.caller.family, &skill.written.canvas_ids)?;
    let next_step = match rendered.ignored.len() {
        0 => "Follow the rendered prompt; deliver the result with skill_post_result.",
        _ => {
            "Follow the rendered prompt. No input of the skill has the names in ignoredInputs: \
             skill_get shows those that it has."
        }
    };
    let invoked = SkillInvoked {
        rendered_prompt: rendered.prompt,
        canvases: canvases.rows,
        ignored_inputs: rendered.ignored,
    };
    Ok(success(&invoked, cursor::with_damage(next_step, canvases.damaged.len())))
}

fn record(call: &Call, store: &dyn Writer) -> Result<(), Failure> {
    let SkillInvoke { skill_id, .. } = call.parse_arguments()?;
    store.touch_skill(&call.caller.family, &skill_id, call.millisecond())?;
    let refs = activity::of_skill(&skill_id);
    Ok(activity::record_call(call, store, ActivityType::SkillInvoked, refs)?)
}

fn home_agent_only() -> Failure {
    let message = "the skill runs only in the family's home agent";
    let fix = "run it in your own agent: skill_get has its prompt";
    let error = ToolError::new(ErrorCode::PermissionDenied, message, fix);
    error.reason("HOME_AGENT_ONLY").into()
}
