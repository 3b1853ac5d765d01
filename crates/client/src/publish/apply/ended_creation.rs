//! Ending the creation of a heartbeat that was cancelled on purpose.

use crate::error::JournalError;
use crate::journal::UnfinishedDetails;
use crate::publish::plan::is_as_sent;
use crate::publish::publisher::Publisher;
use dibber_skill::contract::{HEARTBEAT_CREATE, HeartbeatCreate, HeartbeatId, HeartbeatListItem};

/// Ends the creation of a heartbeat that was cancelled since on purpose: the same command makes it
/// again. `before` is the heartbeat as it was listed, if it was.
pub(super) fn end_creation(
    id: &HeartbeatId,
    before: Option<&HeartbeatListItem>,
    publisher: Publisher<'_>,
) -> Result<(), JournalError> {
    for unfinished in publisher.journal.unfinished()? {
        let is_it = |details: &UnfinishedDetails| {
            let is_created = || before.is_some_and(|before| has_created(details, before));
            (details.answered.as_deref() == Some(id.as_str()) || is_created())
                && publisher.server.keys().any(|key| key == details.server)
        };
        if unfinished.details.as_ref().is_some_and(is_it) {
            publisher.journal.discard(&unfinished)?;
        }
    }
    Ok(())
}

/// Returns `true` if a write was to create a heartbeat like this one, which was not there before it.
fn has_created(write: &UnfinishedDetails, item: &HeartbeatListItem) -> bool {
    let existed = write.existing.iter().any(|id| id == item.heartbeat_id.as_str());
    let sent = || serde_json::from_value(write.arguments.clone().into());
    write.tool == HEARTBEAT_CREATE
        && !existed
        && sent().is_ok_and(|create: HeartbeatCreate| is_as_sent(&create, item))
}
