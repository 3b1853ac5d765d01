//! `heartbeat_list`: the heartbeats of the family, page by page.

use serde_json::{Value, json};

use crate::call::{Call, Run, Tool, success};
use crate::cursor::{self, Listing};
use crate::failure::Failure;
use crate::fields::{LIMIT, NEXT_CURSOR, SHORT_TEXT, TIME};
use crate::heartbeats;
use crate::shape::{Field, Kind, optional, required};
use crate::store::{Heartbeat, HeartbeatList, HeartbeatState, Reader};
use crate::times;
use dibber_skill::contract::{HeartbeatListItem, ListArguments, PAGE_ITEMS_MAX, Page, Scope};

const OPTIONAL_TIME: Kind = Kind::Nullable(&TIME);

const ITEM: &[Field] = &[
    required("heartbeatId", SHORT_TEXT, ""),
    required("name", SHORT_TEXT, ""),
    required("cron", SHORT_TEXT, ""),
    required("cadenceText", SHORT_TEXT, "Its schedule in words."),
    required("enabled", Kind::Boolean, "Whether it fires; a paused one does not."),
    required("nextRunAt", OPTIONAL_TIME, "When it fires next; null while it is paused."),
    required("lastRunAt", OPTIONAL_TIME, "When it fired last."),
    required("chatId", SHORT_TEXT, ""),
];

pub(super) const TOOL: Tool = Tool {
    name: "heartbeat_list",
    title: "List heartbeats",
    description: "Lists the family's heartbeats in the order of their making, page by page. Those that \
            are cancelled are left out.",
    scope: Some(Scope::HeartbeatRead),
    is_idempotent: true,
    is_destructive: false,
    input: &[
        optional("cursor", SHORT_TEXT, "nextCursor of the page before."),
        optional("limit", LIMIT, "The most items; 50 when left out."),
    ],
    output: &[
        required(
            "items",
            Kind::List { of: &Kind::Object(ITEM), max: PAGE_ITEMS_MAX },
            "The heartbeats.",
        ),
        required("nextCursor", NEXT_CURSOR, "Where the next page begins; null after the last one."),
    ],
    run: Run::Read(run),
};

fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let ListArguments { cursor, limit, .. } = call.parse_arguments()?;
    let family = &call.caller.family;
    let listing = Listing { tool: TOOL.name, family, filter: json!({}) };
    let limit = cursor::limit(limit);
    let after = cursor.map(|cursor| listing.id(&cursor)).transpose()?;
    if let Some(id) = &after {
        store.heartbeat(family, id)?.ok_or_else(cursor::invalid_cursor)?;
    }
    let found = store.heartbeats(family, &HeartbeatList { after, limit: limit + 1 })?;
    let (found, last) = cursor::cut(found, limit, |heartbeat| &heartbeat.id);
    let items = found.iter().map(|heartbeat| item(heartbeat, call)).collect::<Result<_, _>>()?;
    let next_cursor = last.map(|id| listing.cursor(&id));
    let next_step = match next_cursor {
        Some(_) => "Call again with nextCursor as the cursor for the next page.",
        None => "These are all. heartbeat_update changes one of them.",
    };
    Ok(success(&Page::<HeartbeatListItem> { items, next_cursor }, next_step))
}

fn item(heartbeat: &Heartbeat, call: &Call) -> Result<HeartbeatListItem, Failure> {
    let schedule = heartbeats::of_heartbeat(heartbeat)?;
    let enabled = heartbeat.state == HeartbeatState::Active;
    let next = enabled.then(|| heartbeats::next_fire(&schedule, call.now)).flatten();
    let last = heartbeat.last_run_at.map(|at| times::stored_shown(at, &schedule.zone));
    Ok(HeartbeatListItem {
        heartbeat_id: heartbeat.id.clone(),
        name: heartbeat.name.clone(),
        cron: heartbeat.cron.clone(),
        cadence_text: heartbeats::cadence(&schedule),
        enabled,
        next_run_at: next,
        last_run_at: last.transpose()?,
        chat_id: heartbeat.chat_id.clone(),
    })
}
