//! `skill_get`: a whole skill, with its canvases.

use std::sync::LazyLock;

use serde_json::Value;

use crate::failure::Failure;
use crate::input_schema::InputSchema;
use crate::store::Reader;
use crate::tool::{Call, Run, Tool, success};
use crate::{canvases, cursor, skills, times};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    Category, Scope, SkillFound, SkillGet, StoredSkill, input_schema, output_schema,
};

pub(super) static TOOL: Tool = Tool {
    name: "skill_get",
    title: "Get a skill",
    description: "Returns a whole skill of the family, with its canvases as they are now.",
    scope: Some(Scope::SkillRead),
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(input_schema::<SkillGet>),
    output: LazyLock::new(output_schema::<SkillFound>),
    run: Run::Read(run),
};

pub(crate) fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let SkillGet { skill_id } = call.parse_arguments()?;
    let skill = skills::find(call, store, &skill_id, Scope::SkillRead)?;
    let family = &call.caller.family;
    let zone = times::family_zone(store, family)?;
    let last = skill.last_triggered_at;
    let last_triggered_at = last.map(|at| times::format_stored(at, &zone)).transpose()?;
    let written = skill.written;
    let canvases = canvases::summaries(store, family, &written.canvas_ids)?;
    let content_hash = Some(ContentHash::of_write(&written).to_string());
    let next_step = match (skill.is_archived, written.category.unwrap_or_default()) {
        (true, _) => "The skill is archived; write it again with skill_write if it is needed.",
        (false, Category::Generic) => {
            "Invoke it with skill_invoke({skillId, input}), or change it with skill_update."
        }
        (false, Category::HomeAgent) => {
            "Fill the placeholders of the prompt and run it in your own agent."
        }
    };
    let skill = StoredSkill {
        skill_id: skill.id,
        name: written.name,
        description: written.description,
        category: written.category.unwrap_or_default(),
        prompt: written.prompt,
        hands_referenced: written.hands_referenced,
        input_variables: written.input_variables,
        kid_callable: written.kid_callable.unwrap_or_default(),
        age_range: written.age_range,
        canvas_ids: written.canvas_ids,
        response_model: written.response_model.into(),
        archived: Some(skill.is_archived),
        last_triggered_at,
        content_hash,
    };
    let next_step = cursor::with_damage(next_step, canvases.damaged.len());
    Ok(success(&SkillFound { skill, canvases: canvases.rows }, next_step))
}
