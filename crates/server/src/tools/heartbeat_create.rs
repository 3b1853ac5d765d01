//! `heartbeat_create`: a skill on a schedule.

use std::sync::LazyLock;

use serde_json::Value;

use crate::activity;
use crate::failure::Failure;
use crate::family_limits;
use crate::heartbeats::{self, Creation};
use crate::input_schema::InputSchema;
use crate::store::Writer;
use crate::tool::{Call, Run, Tool, success};
use dibber_skill::contract::{
    ActivityRefs, ActivityType, HEARTBEAT_CREATE, HeartbeatCreate, HeartbeatCreated, Scope,
    output_schema, write_input_schema,
};

pub(super) static TOOL: Tool = Tool {
    name: HEARTBEAT_CREATE,
    title: "Create a heartbeat",
    description: "Schedule a run skill with cron, at most 4 fires in any 24 hours. Call \
            heartbeat_describe first, and read its warnings back to the parent.",
    scope: Some(Scope::HeartbeatWrite),
    is_idempotent: false,
    is_destructive: false,
    input: InputSchema::new(write_input_schema::<HeartbeatCreate>),
    output: LazyLock::new(output_schema::<HeartbeatCreated>),
    run: Run::Write(run),
};

fn run(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let Creation { heartbeat, members, ignored_inputs, review } =
        heartbeats::plan_creation(call.parse_arguments()?, call, store)?;
    family_limits::check_heartbeats(store.heartbeat_count(&call.caller.family)?)?;
    store.add_heartbeat(&call.caller.family, &heartbeat, &members)?;
    let skill_id = Some(heartbeat.run_skill_id.clone());
    let refs = ActivityRefs { skill_id, ..activity::of_heartbeat(&heartbeat.id) };
    activity::record_call(call, store, ActivityType::HeartbeatCreated, refs)?;
    let mut next_step = if ignored_inputs.is_empty() {
        "Tell the parent when it fires next. heartbeat_update pauses, changes or cancels it."
    } else {
        "Tell the parent when it fires next. The skill has no inputs of the names in \
         ignoredInputs: check the spelling."
    }
    .to_owned();
    next_step += &heartbeats::review_in_words(&review);
    let answer = HeartbeatCreated {
        next_fire_at: heartbeats::next_fire(&heartbeat.cadence, call.now).unwrap_or_default(),
        heartbeat_id: heartbeat.id,
        chat_id: heartbeat.chat_id,
        ignored_inputs,
    };
    Ok(success(&answer, next_step))
}
