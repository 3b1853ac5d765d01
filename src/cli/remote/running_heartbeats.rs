//! The heartbeats that run a skill which is to be archived, for people.

use super::session::Session;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::HeartbeatListItem;
use dibber_text::{Message, Quote, message, quote, quote_in_full};

/// The most heartbeats that a warning names.
const NAMED_MAX: usize = 5;

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

/// Warns of heartbeats that may run a skill which is archived: the server does not list what they
/// run.
pub(super) fn warn_of_unknown(unknown: &[HeartbeatListItem], session: &Session, ui: &mut Ui) {
    if unknown.is_empty() {
        return;
    }
    let server = quote_in_full(session.server.name());
    let options = quote_in_full(&session.server.typed_options);
    let (named, commands) = if unknown.len() > NAMED_MAX {
        let commands = message![
            "`dibber heartbeat cancel HEARTBEAT",
            options,
            "` cancels it for good, and `dibber heartbeat list",
            options,
            "` shows all of them"
        ];
        (message![unknown.len(), " heartbeats"], commands)
    } else {
        (named("the heartbeat", unknown), cancel_commands(unknown, options))
    };
    ui.warning(message![
        server,
        " does not list which skill runs with ",
        named,
        "; if it is one that is archived, ",
        commands
    ]);
}
