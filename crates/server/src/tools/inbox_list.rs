//! `inbox_list`: the cards of the family's inbox, page by page.

use std::sync::LazyLock;

use jiff::tz::TimeZone;
use serde_json::{Map, Value, json};

use crate::caller::{EntityKind, not_found_in_family};
use crate::cursor::{self, Listing};
use crate::failure::Failure;
use crate::input_schema::InputSchema;
use crate::store::{Card, CardList, Reader, StoreError};
use crate::times;
use crate::tool::{Call, Run, Tool, success};
use dibber_skill::contract::{
    INBOX_LIST, InboxCard, InboxListArguments, OpenEnum, Page, RESULT_SUMMARY, ResultId, Scope,
    input_schema, output_schema,
};

/// The most bytes of a result in a page, as JSON: a page has many cards.
pub(crate) const RESULT_BYTES_MAX: usize = 4_096;

/// The most characters of a summary in a page. One that was posted before summaries had a limit may
/// be longer.
const SUMMARY_CHARACTERS_MAX: usize = 4_000;

pub(super) static TOOL: Tool = Tool {
    name: INBOX_LIST,
    title: "Read the inbox",
    description: "Lists the cards of the family's inbox, newest first.",
    scope: Some(Scope::FamilyRead),
    is_idempotent: true,
    is_destructive: false,
    input: InputSchema::new(input_schema::<InboxListArguments>),
    // The guide describes the fields of a card: every agent reads this schema.
    output: LazyLock::new(output_schema::<Page<Map<String, Value>>>),
    run: Run::Read(run),
};

pub(crate) fn run(call: &Call, store: &dyn Reader) -> Result<Value, Failure> {
    let InboxListArguments { state, thread_id, result_id, cursor, limit } =
        call.parse_arguments()?;
    let family = &call.caller.family;
    let zone = times::family_zone(store, family)?;
    if let Some(id) = result_id {
        return one(call, store, &id, &zone);
    }
    if let Some(thread) = &thread_id
        && !store.has_chat(family, thread)?
        && !store.has_cards(family, thread)?
    {
        return Err(not_found_in_family(Scope::FamilyRead, EntityKind::Chat));
    }
    let filter = json!({"state": state, "threadId": thread_id});
    let listing = Listing { tool: TOOL.name, family, filter };
    let limit = cursor::page_limit(limit);
    let after = cursor.map(|cursor| listing.decode(&cursor)).transpose()?;
    let list = CardList { after, limit: limit + 1, state, thread: thread_id };
    let found = cursor::split_page(store.cards(family, &list)?, limit, |card| &card.id);
    let items = found.items.into_iter().map(|card| item(card, RESULT_BYTES_MAX, &zone));
    let items = items.collect::<Result<_, _>>()?;
    let next_cursor = found.last.map(|id| listing.encode(&id));
    let next_step = match next_cursor {
        Some(_) => "Call again with nextCursor as the cursor for the next page.",
        None => "This is the last page. inbox_update marks cards as read, or archives them.",
    };
    let next_step = cursor::with_damage(next_step, found.damaged);
    let damaged_items = cursor::damaged_items(found.damaged);
    Ok(success(&Page { items, next_cursor, damaged_items }, next_step))
}

/// Returns one card as a page.
fn one(call: &Call, store: &dyn Reader, id: &ResultId, zone: &TimeZone) -> Result<Value, Failure> {
    let card = store.card(&call.caller.family, id)?;
    let card = card.ok_or_else(|| not_found_in_family(Scope::FamilyRead, EntityKind::Card))?;
    let items = vec![item(card, usize::MAX, zone)?];
    let next_step = "Tell the parent what it says; inbox_update marks it as read.";
    Ok(success(&Page { items, next_cursor: None, damaged_items: None }, next_step))
}

/// Returns a card as it is listed, with its result if that has at most so many bytes.
pub(crate) fn item(
    card: Card,
    result_bytes_max: usize,
    zone: &TimeZone,
) -> Result<InboxCard, Failure> {
    let summary = card.result.get(RESULT_SUMMARY).and_then(Value::as_str).unwrap_or_default();
    let bytes = serde_json::to_string(&card.result).map_err(StoreError::new)?.len();
    let is_short = bytes <= result_bytes_max;
    Ok(InboxCard {
        summary: summary.chars().take(SUMMARY_CHARACTERS_MAX).collect(),
        result_id: card.id,
        thread_id: card.thread_id,
        skill_id: card.skill_id,
        heartbeat_id: card.heartbeat_id,
        run_id: card.run_id,
        kind: OpenEnum::Known(card.kind),
        state: OpenEnum::Known(card.state),
        posted_at: times::format_stored(card.posted_at, zone)?,
        result: is_short.then_some(card.result),
    })
}
