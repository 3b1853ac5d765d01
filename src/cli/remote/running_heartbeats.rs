//! The heartbeats that run a skill which is to be archived, for people.

use dibber_skill::contract::HeartbeatListItem;
use dibber_text::{Message, Quote, message, quote, quote_in_full};

/// Returns the name, the schedule and the id of a heartbeat.
pub(super) fn title(item: &HeartbeatListItem) -> Message {
    let id = quote_in_full(item.heartbeat_id.as_str());
    message!["`", quote(item.name.trim()), "` (", quote(&item.cadence_text), ", ", id, ")"]
}

/// Returns the names and the schedules of heartbeats, after these words for one of them.
pub(super) fn named(words: &'static str, items: &[HeartbeatListItem]) -> Message {
    let named = items.iter().map(title);
    message![words, if items.len() == 1 { " " } else { "s " }, Message::join(named, ", ")]
}

/// Says that heartbeats run a skill, as the end of a sentence.
pub(super) fn reason(running: &[HeartbeatListItem]) -> Message {
    let verb = if running.len() == 1 { " still runs it" } else { " still run it" };
    message![named("the heartbeat", running), verb]
}

/// Says how heartbeats are cancelled, as the beginning of a sentence.
pub(super) fn cancel_commands(running: &[HeartbeatListItem], options: Quote<'_>) -> Message {
    let command = |item: &HeartbeatListItem| {
        let id = quote_in_full(item.heartbeat_id.as_str());
        message!["`dibber heartbeat cancel ", id, options, "`"]
    };
    let verb = if running.len() == 1 { " cancels it for good" } else { " cancel them for good" };
    message![Message::join(running.iter().map(command), ", "), verb]
}
