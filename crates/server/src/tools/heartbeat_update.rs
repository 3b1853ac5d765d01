//! `heartbeat_update`: one action on a heartbeat.

use std::sync::LazyLock;

use serde_json::Value;

use crate::activity;
use crate::failure::Failure;
use crate::family_limits::FAMILY_CANCELLED_MAX;
use crate::firing::{self, SkipReason};
use crate::heartbeats::{self, MemberChange};
use crate::input_schema::InputSchema;
use crate::store::{HeartbeatState, Writer};
use crate::tool::{Call, Run, Tool, success};
use dibber_skill::contract::{
    ActivityRefs, ActivityType, HeartbeatChange, HeartbeatUpdate, HeartbeatUpdateArguments,
    HeartbeatUpdated, Scope, output_schema, write_input_schema,
};

pub(super) static TOOL: Tool = Tool {
    name: "heartbeat_update",
    title: "Change a heartbeat",
    description: "Do one thing with a heartbeat: edit_schedule (cron, tz or both), edit_name (name), \
            edit_inputs (skillInput), edit_missed_fires (missedFires), pause, resume, cancel, or add_member, remove_member and promote_admin \
            (targetUserId). Admins may not cancel, and members only \
            leave. Cancelling is final.",
    scope: Some(Scope::HeartbeatWrite),
    is_idempotent: true,
    is_destructive: true,
    input: InputSchema::new(write_input_schema::<HeartbeatUpdateArguments>),
    output: LazyLock::new(output_schema::<HeartbeatUpdated>),
    run: Run::Write(run),
};

fn run(call: &Call, store: &dyn Writer) -> Result<Value, Failure> {
    let family = &call.caller.family;
    let arguments: HeartbeatUpdateArguments = call.parse_arguments()?;
    let update = heartbeats::parse_change(arguments, "")?;
    let change = heartbeats::plan_change(&update, "", Scope::HeartbeatWrite, call, store)?;
    let heartbeat = change.heartbeat;
    store.put_heartbeat(family, &heartbeat)?;
    if let Some(reason) = withdrawal(&update.change) {
        firing::withdraw(store, family, &heartbeat.id, reason, call.now)?;
    }
    if heartbeat.state == HeartbeatState::Cancelled {
        store.remove_cancelled_beyond(family, FAMILY_CANCELLED_MAX)?;
    }
    match change.members {
        MemberChange::None => {}
        MemberChange::Put(member) => store.put_member(family, &heartbeat.id, &member)?,
        MemberChange::Remove(user) => store.remove_member(family, &heartbeat.id, &user)?,
    }
    if change.is_change {
        record(call, store, &update)?;
    }
    let mut next_step = change.effect.done.to_owned();
    if matches!(update.change, HeartbeatChange::EditSchedule { .. } | HeartbeatChange::Resume)
        && heartbeat.state == HeartbeatState::Active
        && let Some(next) = heartbeats::next_fire(&heartbeat.cadence, call.now)
    {
        next_step += &format!(" It fires next at {next}.");
    }
    next_step += &heartbeats::review_in_words(&change.review);
    let answer = HeartbeatUpdated { heartbeat_id: heartbeat.id, status: "updated".to_owned() };
    Ok(success(&answer, next_step))
}

/// Returns why runs that have not started do not start after a change, if it is one that they follow.
const fn withdrawal(change: &HeartbeatChange) -> Option<SkipReason> {
    match change {
        HeartbeatChange::EditSchedule { .. } => Some(SkipReason::Edited),
        HeartbeatChange::Pause => Some(SkipReason::Paused),
        HeartbeatChange::Cancel => Some(SkipReason::Cancelled),
        _ => None,
    }
}

fn record(call: &Call, store: &dyn Writer, update: &HeartbeatUpdate) -> Result<(), Failure> {
    let kind = match update.change {
        HeartbeatChange::EditSchedule { .. }
        | HeartbeatChange::EditInputs { .. }
        | HeartbeatChange::EditMissedFires { .. }
        | HeartbeatChange::EditText { .. }
        | HeartbeatChange::EditName { .. } => ActivityType::HeartbeatUpdated,
        HeartbeatChange::Pause => ActivityType::HeartbeatPaused,
        HeartbeatChange::Resume => ActivityType::HeartbeatResumed,
        HeartbeatChange::Cancel => ActivityType::HeartbeatCancelled,
        HeartbeatChange::AddMember { .. } => ActivityType::MemberAdded,
        HeartbeatChange::RemoveMember { .. } => ActivityType::MemberRemoved,
        HeartbeatChange::PromoteAdmin { .. } => ActivityType::MemberPromoted,
    };
    let user_id = update.change.target_user_id().cloned();
    let refs = ActivityRefs { user_id, ..activity::of_heartbeat(&update.heartbeat_id) };
    Ok(activity::record_call(call, store, kind, refs)?)
}
