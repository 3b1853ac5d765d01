//! `skill_archive`: archives or unarchives a skill.

use std::sync::LazyLock;

use serde_json::Value;

use crate::failure::Failure;
use crate::input_schema::InputSchema;
use crate::skills;
use crate::store::Writer;
use crate::tool::{Call, Run, Tool, success};
use dibber_skill::contract::{
    SKILL_ARCHIVE, Scope, SkillArchive, SkillArchived, output_schema, write_input_schema,
};

pub(super) static TOOL: Tool = Tool {
    name: SKILL_ARCHIVE,
    title: "Archive a skill",
    description: "Archives a skill (archived true) or unarchives it (archived false). An archived \
            one can only be read; one that a heartbeat runs cannot be archived.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(write_input_schema::<SkillArchive>),
    output: LazyLock::new(output_schema::<SkillArchived>),
    run: Run::Write(run),
};

fn run(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let SkillArchive { skill_id, archived } = call.parse_arguments()?;
    let mut skill = skills::find(call, store, &skill_id, Scope::SkillWrite)?;
    let by = (Some(&call.caller.user_id), call.millisecond());
    skills::set_archived(store, &call.caller.family, &mut skill, archived, by)?;
    let next_step = if archived {
        "It is archived: skill_list shows it with includeArchived, and archived false \
         unarchives it."
    } else {
        "It is active again: skill_get({skillId}) shows it."
    };
    Ok(success(&SkillArchived { skill_id, archived }, next_step))
}
