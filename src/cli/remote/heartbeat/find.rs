//! Finds the heartbeat that an argument names.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use dibber_skill::contract::{HeartbeatId, HeartbeatListItem};
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// The most heartbeats of one name that are shown.
const SHOWN_MAX: usize = 10;

/// A heartbeat that was named.
pub(super) struct Named {
    pub(super) id: HeartbeatId,
    /// How the list shows it; none if the list does not have it.
    pub(super) item: Option<HeartbeatListItem>,
}

/// Returns a heartbeat by its id or its name.
pub(super) fn named(typed: &str, session: &Session) -> Result<Named, CommandError> {
    let items = session.wait(session.client.all_heartbeats())?.items;
    if let Ok(id) = typed.parse::<HeartbeatId>() {
        let item = items.into_iter().find(|item| item.heartbeat_id == id);
        return Ok(Named { id, item });
    }
    let found: Vec<_> = items
        .iter()
        .filter(|item| item.name.trim() == typed.trim() || item.heartbeat_id.as_str() == typed)
        .collect();
    let what = quote(typed);
    match &found[..] {
        [item] => Ok(Named { id: item.heartbeat_id.clone(), item: Some((*item).clone()) }),
        [] => {
            let error = CommandError::new(message!["unknown heartbeat `", what, "`"]);
            let error = error.exit(Exit::NotFound);
            Err(match closest_match(typed, items.iter().map(|item| item.name.as_str())) {
                Some(name) => error.help(message!["did you mean `", quote(name), "`?"]),
                None => error.help("`dibber heartbeat list` lists the heartbeats"),
            })
        }
        several => {
            let shown = several.iter().take(SHOWN_MAX);
            let shown = shown.map(|item| {
                let id = quote_in_full(item.heartbeat_id.as_str());
                message!["  ", id, "  ", quote(&item.cadence_text)]
            });
            let message = message![several.len(), " heartbeats are named `", what, "`"];
            Err(CommandError::new(message)
                .excerpt(Message::join(shown, "\n"))
                .help("write the id of one of them"))
        }
    }
}
