//! `heartbeat_list`: the heartbeats of the family, page by page.

use std::sync::LazyLock;

use jiff::Timestamp;
use serde_json::{Value, json};

use crate::cursor::{self, Listing};
use crate::failure::Failure;
use crate::heartbeats;
use crate::input_schema::InputSchema;
use crate::store::{Heartbeat, HeartbeatList, HeartbeatState, Member, Reader};
use crate::times;
use crate::tool::{Call, Run, Tool, success};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    HeartbeatCreate, HeartbeatListArguments, HeartbeatListItem, HeartbeatMember, ListedHeartbeat,
    MissedFires, OpenEnum, Page, Scope, input_schema, output_schema,
};
use dibber_skill::spec_hash::canonical_json;

/// The most bytes of the inputs of a heartbeat that are listed, as JSON: a page has many heartbeats.
const INPUT_BYTES_MAX: usize = 4_096;

pub(super) static TOOL: Tool = Tool {
    name: "heartbeat_list",
    title: "List heartbeats",
    description: "Lists the family's heartbeats, oldest first, without cancelled ones.",
    scope: Some(Scope::HeartbeatRead),
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(input_schema::<HeartbeatListArguments>),
    output: LazyLock::new(output_schema::<Page<ListedHeartbeat>>),
    run: Run::Read(run),
};

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let HeartbeatListArguments { cursor, limit } = call.parse_arguments()?;
    let family = &call.caller.family;
    let listing = Listing { tool: TOOL.name, family, filter: json!({}) };
    let limit = cursor::page_limit(limit);
    let after = cursor.map(|cursor| listing.decode(&cursor)).transpose()?;
    if let Some(id) = &after {
        store.heartbeat(family, id)?.ok_or_else(cursor::invalid_cursor)?;
    }
    let found = store.heartbeats(family, &HeartbeatList { after, limit: limit + 1 })?;
    let found = cursor::split_page(found, limit, |heartbeat| &heartbeat.id);
    let mut damaged = found.damaged;
    let mut items = Vec::new();
    for heartbeat in &found.items {
        let members = store.members(family, &heartbeat.id)?;
        damaged += members.damaged.len();
        items.push(item(heartbeat, members.rows, call.now)?);
    }
    let next_cursor = found.last.map(|id| listing.encode(&id));
    let next_step = match next_cursor {
        Some(_) => "Call again with nextCursor as the cursor for the next page.",
        None => "This is the last page. heartbeat_update changes one of them.",
    };
    let next_step = cursor::with_damage(next_step, damaged);
    let page = Page { items, next_cursor, damaged_items: cursor::damaged_items(damaged) };
    Ok(success(&page, next_step))
}

/// Returns a heartbeat as it is listed.
pub(crate) fn item(
    heartbeat: &Heartbeat,
    members: Vec<Member>,
    now: Timestamp,
) -> Result<ListedHeartbeat, Failure> {
    let cadence = &heartbeat.cadence;
    let enabled = heartbeat.state == HeartbeatState::Active;
    let next = enabled.then(|| heartbeats::next_fire(cadence, now)).flatten();
    let last = heartbeat.last_run_at.map(|at| times::format_stored(at, &cadence.schedule().zone));
    let members = members.into_iter();
    let members = members.map(|Member { user_id, role }| {
        let role = OpenEnum::Known(role);
        HeartbeatMember { user_id, role }
    });
    let item = HeartbeatListItem {
        heartbeat_id: heartbeat.id.clone(),
        name: heartbeat.name.clone(),
        cron: cadence.cron().to_owned(),
        tz: Some(cadence.time_zone().to_owned()),
        cadence_text: heartbeats::in_words(cadence),
        enabled,
        next_run_at: next,
        last_run_at: last.transpose()?,
        chat_id: heartbeat.chat_id.clone(),
        run_skill_id: Some(heartbeat.run_skill_id.clone()),
        child_id: heartbeat.child_id.clone(),
        content_hash: Some(ContentHash::of_heartbeat(&arguments_of(heartbeat)).to_string()),
        skill_input: Some(&heartbeat.skill_input)
            .filter(|input| canonical_json(input).len() <= INPUT_BYTES_MAX)
            .cloned(),
        post_result_notify: Some(heartbeat.post_result_notify),
        missed_fires: Some(OpenEnum::Known(heartbeat.missed_fires)),
        members: members.collect(),
    };
    Ok(item.into())
}

/// Returns the arguments that create the heartbeat as it is now.
fn arguments_of(heartbeat: &Heartbeat) -> HeartbeatCreate {
    HeartbeatCreate {
        name: heartbeat.name.clone(),
        cron: heartbeat.cadence.cron().to_owned(),
        tz: Some(heartbeat.cadence.time_zone().to_owned()),
        run_skill_id: heartbeat.run_skill_id.clone(),
        assignment_skill_id: heartbeat.assignment_skill_id.clone(),
        child_id: heartbeat.child_id.clone(),
        source_chat_id: None,
        skill_input: Some(heartbeat.skill_input.clone()),
        post_result_notify: Some(heartbeat.post_result_notify),
        // What is not written is the same as the default, and has the same hash.
        missed_fires: Some(heartbeat.missed_fires).filter(|it| *it != MissedFires::default()),
    }
}
