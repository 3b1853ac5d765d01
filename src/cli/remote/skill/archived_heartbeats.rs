//! The heartbeats of a skill that is archived: they are cancelled before it.

use std::path::Path;

use crate::cli::error::CommandError;
use crate::cli::remote::running_heartbeats;
use crate::cli::remote::session::Session;
use dibber_client::publish::{CurrentHeartbeats, update_heartbeat};
use dibber_skill::contract::{HeartbeatChange, HeartbeatListItem, HeartbeatUpdate};
use dibber_text::{Message, message, quote_in_full};

/// Cancels a heartbeat, and returns what became of it. The folder of the skill may still have it: an
/// archived skill is not published.
pub(super) fn cancel(item: &HeartbeatListItem, session: &Session) -> Result<Message, CommandError> {
    let heartbeat_id = item.heartbeat_id.clone();
    let update = HeartbeatUpdate { heartbeat_id, change: HeartbeatChange::Cancel };
    let current = CurrentHeartbeats::new(&session.client);
    let sent = update_heartbeat(&update, Some(item), &current, session.publisher()?);
    let title = running_heartbeats::title(item);
    if session.block_on(sent)?.is_still_listed {
        let server = quote_in_full(session.server.name());
        return Ok(message![title, ": cancelled; ", server, " still lists it, paused"]);
    }
    session.locks()?.forget_heartbeat(Path::new("."), &item.heartbeat_id)?;
    Ok(message![title, ": cancelled"])
}

/// Returns what [`cancel`] would do.
pub(super) fn planned(item: &HeartbeatListItem) -> Message {
    message![running_heartbeats::title(item), ": would be cancelled for good"]
}
