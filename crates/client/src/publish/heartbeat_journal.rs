//! The writes of heartbeats in the journal.

use super::publisher::Publisher;
use crate::error::JournalError;
use crate::journal::Unfinished;
use dibber_skill::contract::HeartbeatId;

/// Returns a heartbeat as a subject of the journal.
pub fn heartbeat_subject(id: &HeartbeatId) -> String {
    format!("heartbeat {id}")
}

/// Returns `true` if a cancellation of a heartbeat was begun and has not ended.
pub fn is_cancel_unfinished(
    id: &HeartbeatId,
    publisher: Publisher<'_>,
) -> Result<bool, JournalError> {
    let unfinished = publisher.unfinished()?.remove(&heartbeat_subject(id)).unwrap_or_default();
    Ok(unfinished.iter().any(is_cancellation))
}

/// Returns `true` if a write cancels a heartbeat.
pub(super) fn is_cancellation(unfinished: &Unfinished) -> bool {
    let arguments = unfinished.details.as_ref().map(|write| &write.arguments);
    arguments.and_then(|arguments| arguments.get("action")) == Some(&"cancel".into())
}
