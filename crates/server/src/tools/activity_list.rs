//! `activity_list`: what has happened in the family, page by page.

use std::sync::LazyLock;

use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use crate::cursor::{self, Listing};
use crate::failure::Failure;
use crate::input_schema::InputSchema;
use crate::store::{EventList, EventOrder, NumberedEvent, Reader};
use crate::times;
use crate::tool::{Call, Run, Tool, success};
use dibber_skill::contract::{
    ACTIVITY_LIST, ActivityActor, ActivityEvent, ActivityListArguments, EventId, OpenEnum, Page,
    Scope, input_schema, output_schema,
};

/// The beginning of the id of an event; the rest is its number.
const EVENT_PREFIX: &str = "ev_";

pub(super) static TOOL: Tool = Tool {
    name: ACTIVITY_LIST,
    title: "List what happened",
    description: "Lists what happened in the family, newest first. With since, what came after it, \
            oldest first: poll with the eventId that you read last.",
    scope: Some(Scope::FamilyRead),
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(input_schema::<ActivityListArguments>),
    // The guide describes the fields of an event: every agent reads this schema.
    output: LazyLock::new(output_schema::<Page<Map<String, Value>>>),
    run: Run::Read(run),
};

pub(crate) fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let ActivityListArguments { since, cursor, limit } = call.parse_arguments()?;
    let family = &call.caller.family;
    let listing = Listing { tool: TOOL.name, family, filter: json!({"since": since}) };
    let limit = cursor::page_limit(limit);
    let mut list = EventList { limit: limit + 1, ..EventList::default() };
    if let Some(since) = since {
        list.order = EventOrder::OldestFirst;
        match since.strip_prefix(EVENT_PREFIX) {
            Some(number) => list.after = Some(known_number(call, store, number)?),
            None => list.since = Some(time(&since)?.as_millisecond()),
        }
    }
    if let Some(cursor) = cursor {
        list.after = Some(number(&listing.decode(&cursor)?).ok_or_else(cursor::invalid_cursor)?);
    }
    let zone = times::family_zone(store, family)?;
    let found = store.events(family, &list)?;
    let found = cursor::split_page_by(found, limit, |event| event_id(event.number));
    let items =
        found.items.into_iter().map(|event| item(event, &zone)).collect::<Result<_, _>>()?;
    let next_cursor = found.last.map(|id| listing.encode(&id));
    let next_step = match (&next_cursor, list.order) {
        (Some(_), _) => "Call again with nextCursor as the cursor for the next page.",
        (None, EventOrder::NewestFirst) => {
            "This is the last page. Later, call with the eventId of the first event as since."
        }
        (None, EventOrder::OldestFirst) => {
            "This is the last page. Later, call with the eventId of the last event as since."
        }
    };
    let next_step = cursor::with_damage(next_step, found.damaged);
    let damaged_items = cursor::damaged_items(found.damaged);
    Ok(success(&Page { items, next_cursor, damaged_items }, next_step))
}

fn event_id(number: i64) -> EventId {
    EventId::from(format!("{EVENT_PREFIX}{number}"))
}

/// Returns the number in the id of an event.
fn number(id: &EventId) -> Option<i64> {
    id.as_str().strip_prefix(EVENT_PREFIX)?.parse().ok()
}

/// Returns the number of an event that there has been. An event with a later number would be missed
/// by a caller who waits for those after it, as when the database was restored from a copy.
fn known_number(call: &Call, store: &dyn Reader, number: &str) -> Result<i64, Failure> {
    let newest = store.newest_event(&call.caller.family)?;
    number.parse().ok().filter(|number| (0..=newest).contains(number)).ok_or_else(|| {
        let message = "`since` is not an event of this family";
        let fix = "list without since, and go on with the eventId of the first event";
        Failure::bad_input("UNKNOWN_EVENT", message, fix)
    })
}

fn time(since: &str) -> Result<Timestamp, Failure> {
    since.parse().map_err(|_| {
        let message = "`since` is neither the id of an event nor a time with an offset";
        let fix = "write an eventId, or a time as 2026-05-24T08:00:00Z";
        Failure::bad_input("INVALID_SINCE", message, fix)
    })
}

fn item(event: NumberedEvent, zone: &TimeZone) -> Result<ActivityEvent, Failure> {
    let NumberedEvent { number, event } = event;
    let actor = event.actor.map(|user_id| ActivityActor::User { user_id });
    Ok(ActivityEvent {
        event_id: event_id(number),
        kind: OpenEnum::Known(event.kind),
        actor: actor.unwrap_or_default(),
        refs: event.refs,
        payload: event.payload,
        timestamp: times::format_stored(event.at, zone)?,
    })
}
