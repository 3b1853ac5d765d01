//! `skill_post_result`: the result of a run, for the family's inbox.

use std::sync::LazyLock;

use serde_json::Value;

use crate::failure::Failure;
use crate::family_limits::FAMILY_RESULTS_MAX;
use crate::input_schema::InputSchema;
use crate::store::{Posted, StoreError, Writer};
use crate::tool::{Call, Run, Tool, success};
use crate::{id, skills, times};
use dibber_skill::contract::{
    ResultPosted, Scope, SkillPostResult, output_schema, write_input_schema,
};

/// The most bytes of a result, as JSON without spaces (256 KiB).
const RESULT_BYTES_MAX: usize = 256 << 10;

pub(super) static TOOL: Tool = Tool {
    name: "skill_post_result",
    title: "Post a skill's result",
    description: "Posts the result of a run that you made yourself to the family's inbox, as a card \
            that a parent reads.",
    scope: Some(Scope::SkillWrite),
    is_idempotent: false,
    is_destructive: false,
    input: InputSchema::new(write_input_schema::<SkillPostResult>),
    output: LazyLock::new(output_schema::<ResultPosted>),
    run: Run::Write(run),
};

fn run(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let SkillPostResult { skill_id, result } = call.parse_arguments()?;
    let family = &call.caller.family;
    let skill = skills::find_active(call, store, &skill_id, Scope::SkillWrite)?;
    let bytes = Value::Object(result.clone()).to_string().len();
    if bytes > RESULT_BYTES_MAX {
        let message = format!("the result has {bytes} bytes; the maximum is {RESULT_BYTES_MAX}");
        let fix = "post a summary, and keep the data elsewhere";
        return Err(Failure::bad_input("RESULT_TOO_LARGE", message, fix));
    }
    let row = store.family(family)?;
    let row = row.ok_or(StoreError::Damaged)?;
    let zone = times::family_zone(store, family)?;
    let posted = Posted {
        id: id::new(),
        skill_id: skill.id,
        thread_id: row.chat_id,
        user_id: call.caller.user_id.clone(),
        posted_at: call.millisecond(),
        result,
    };
    store.add_result(family, &posted, FAMILY_RESULTS_MAX)?;
    // A home agent runs skills without invoking them here.
    store.touch_skill(family, &posted.skill_id, posted.posted_at)?;
    let answer = ResultPosted {
        result_id: posted.id,
        thread_id: posted.thread_id,
        posted_at: times::format_time(call.now, &zone),
    };
    Ok(success(&answer, "It is in the family's inbox; tell the parent in a sentence."))
}
