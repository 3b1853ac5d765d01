//! The writes of heartbeats in the journal.

use super::publisher::Publisher;
use crate::error::JournalError;
use crate::journal::{Intent, Repeat, Unfinished};
use dibber_skill::contract::{HEARTBEAT_UPDATE, HeartbeatId, HeartbeatListItem};

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

/// Returns the heartbeat of a name, in any case, of which a cancellation was begun and has not ended:
/// its id, and its name as it was listed. None if there are several.
pub fn find_cancelled(
    name: &str,
    publisher: Publisher<'_>,
) -> Result<Option<(HeartbeatId, String)>, JournalError> {
    let unfinished = publisher.unfinished()?;
    let cancellations = unfinished.values().flatten().filter(|it| is_cancellation(it));
    let details = cancellations.filter_map(|it| it.details.as_ref());
    let mut found: Vec<(HeartbeatId, String)> = details
        .filter_map(|write| {
            let id = write.arguments.get("heartbeatId")?.as_str()?.parse().ok()?;
            Some((id, state_name(&write.base)?))
        })
        .filter(|(_, listed)| listed.trim().to_lowercase() == name.trim().to_lowercase())
        .collect();
    found.dedup_by(|a, b| a.0 == b.0);
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// Returns what the list shows of a heartbeat that a change can start from.
pub(super) fn state(item: &HeartbeatListItem) -> String {
    let HeartbeatListItem { name, cron, cadence_text, enabled, .. } = item;
    serde_json::json!([name, cron, cadence_text, enabled]).to_string()
}

/// Returns the name of a heartbeat in such a state.
fn state_name(state: &str) -> Option<String> {
    let parts: Vec<serde_json::Value> = serde_json::from_str(state).ok()?;
    parts.first()?.as_str().map(str::to_owned)
}

/// Returns the pause of a heartbeat that takes the place of a paused one as a subject of the journal.
/// `heartbeat` is the subject of its creation: it has no id yet.
pub(super) fn pause_subject(heartbeat: &str) -> String {
    format!("pause of {heartbeat}")
}

/// Begins the pause of a heartbeat that takes the place of a paused one, before that is cancelled.
/// Until it ends, every plan leads to a paused heartbeat.
pub(super) fn begin_pause(heartbeat: &str, publisher: Publisher<'_>) -> Result<(), JournalError> {
    let (subject, arguments) = (pause_subject(heartbeat), serde_json::json!({"action": "pause"}));
    let intent = Intent {
        subject: Some(&subject),
        repeat: Repeat::Sets,
        ..Intent::new(publisher.server, HEARTBEAT_UPDATE, &arguments)
    };
    publisher.journal.begin(&intent, (publisher.clock)()).map(drop)
}

/// Ends the pause of a heartbeat that took the place of a paused one.
pub(super) fn end_pause(heartbeat: &str, publisher: Publisher<'_>) -> Result<(), JournalError> {
    publisher.discard_unfinished(&pause_subject(heartbeat))
}
