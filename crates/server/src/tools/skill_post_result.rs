//! `skill_post_result`: the result of a run, for the family's inbox.

use std::sync::LazyLock;

use serde_json::Value;

use crate::caller::{EntityKind, not_found_in_family};
use crate::failure::Failure;
use crate::inbox::{self, NewCard};
use crate::input_schema::InputSchema;
use crate::run_result::{RunResult, RunResultError};
use crate::store::{Skill, StoreError, Writer};
use crate::tool::{Call, Run, Tool, success};
use crate::{roster, skills, times};
use dibber_skill::contract::{
    CardKind, ChatId, HeartbeatId, ResultPosted, Scope, SkillPostResult, output_schema,
    write_input_schema,
};

pub(super) static TOOL: Tool = Tool {
    name: "skill_post_result",
    title: "Post a skill's result",
    description: "Posts the result of a run that you made yourself to the family's inbox, as a card \
            that a parent reads. heartbeat_due posts that of a run that you claimed.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: false,
    is_destructive: false,
    input: InputSchema::new(write_input_schema::<SkillPostResult>),
    output: LazyLock::new(output_schema::<ResultPosted>),
    run: Run::Write(run),
};

fn run(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let SkillPostResult { skill_id, result, heartbeat_id } = call.parse_arguments()?;
    let family = &call.caller.family;
    let skill = skills::find_active(call, store, &skill_id, Scope::SkillWrite)?;
    let result = RunResult::parse(result).map_err(RunResultError::into_failure)?;
    result.check_data(&skill, &roster::load(store, family)?)?;
    let thread_id = thread(call, store, &skill, heartbeat_id.as_ref())?;
    let zone = times::family_zone(store, family)?;
    let card = NewCard {
        skill_id: skill.id.clone(),
        thread_id,
        user_id: call.caller.user_id.clone(),
        actor: Some(call.caller.user_id.clone()),
        heartbeat_id,
        run_id: None,
        kind: CardKind::Result,
        result: result.into_map(),
        at: call.millisecond(),
    };
    let posted = inbox::post(store, family, card)?;
    // A home agent runs skills without invoking them here.
    store.touch_skill(family, &skill.id, call.millisecond())?;
    let answer = ResultPosted {
        result_id: posted.id,
        thread_id: posted.thread_id,
        posted_at: times::format_time(call.now, &zone),
    };
    Ok(success(&answer, "It is in the family's inbox; tell the parent in a sentence."))
}

/// Returns the chat in which the result is shown: that of the heartbeat, or of the family.
fn thread(
    call: &Call,
    store: &dyn Writer,
    skill: &Skill,
    heartbeat: Option<&HeartbeatId>,
) -> Result<ChatId, Failure> {
    let family = &call.caller.family;
    let Some(id) = heartbeat else {
        let row = store.family(family)?;
        return Ok(row.ok_or(StoreError::Damaged)?.chat_id);
    };
    let heartbeat = store.heartbeat(family, id)?;
    let heartbeat = heartbeat
        .ok_or_else(|| not_found_in_family(Scope::HeartbeatWrite, EntityKind::Heartbeat))?;
    if heartbeat.run_skill_id != skill.id {
        let message = "the heartbeat runs another skill";
        let fix =
            "name the heartbeat that runs the skill, or none; heartbeat_list shows runSkillId";
        return Err(Failure::bad_input("HEARTBEAT_OF_OTHER_SKILL", message, fix));
    }
    Ok(heartbeat.chat_id)
}
