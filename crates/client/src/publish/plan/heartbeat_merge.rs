//! Merging the changes that were made of a heartbeat here and on the server.

use std::collections::BTreeMap;

use super::heartbeat_missed::MISSED_FIRES;
use super::heartbeat_part::HeartbeatPart;
use super::heartbeat_run::is_as_recorded;
use crate::publish::published::PublishedHeartbeat;
use dibber_skill::content_hash::heartbeat_field_hashes;
use dibber_skill::contract::HeartbeatCreate;

/// Returns a heartbeat with the name, the schedule and what runs of missed times, as one of the sides
/// has changed them.
///
/// # Errors
/// If both have changed one of them, in another way. Empty if it is not known which.
pub(super) fn merge(
    draft: &HeartbeatCreate,
    listed: &HeartbeatCreate,
    record: &PublishedHeartbeat,
) -> Result<HeartbeatCreate, Vec<HeartbeatPart>> {
    let (ours, theirs) = (heartbeat_field_hashes(draft), heartbeat_field_hashes(listed));
    if record.fields.is_empty() && !is_as_recorded(draft, record) {
        return Err(Vec::new());
    }
    // A heartbeat that was not changed here is what is recorded.
    let base = |field: &'static str| record.fields.get(field).unwrap_or(&ours[field]);
    let is_theirs = |fields: &[&'static str]| {
        let differs = |side: &BTreeMap<&'static str, String>| {
            fields.iter().any(|field| side[field] != *base(field))
        };
        let is_equal = fields.iter().all(|field| ours[field] == theirs[field]);
        match (differs(&ours), differs(&theirs)) {
            (true, true) if !is_equal => None,
            (_, has_theirs) => Some(has_theirs),
        }
    };
    let mut merged = draft.clone();
    let mut colliding = Vec::new();
    match is_theirs(&["name"]) {
        Some(true) => merged.name.clone_from(&listed.name),
        Some(false) => {}
        None => colliding.push(HeartbeatPart::Name),
    }
    match is_theirs(&["cron", "tz"]) {
        Some(true) => {
            merged.cron.clone_from(&listed.cron);
            merged.tz.clone_from(&listed.tz);
        }
        Some(false) => {}
        None => colliding.push(HeartbeatPart::Schedule),
    }
    match is_theirs(&[MISSED_FIRES]) {
        Some(true) => merged.missed_fires = listed.missed_fires,
        Some(false) => {}
        None => colliding.push(HeartbeatPart::MissedFires),
    }
    if colliding.is_empty() { Ok(merged) } else { Err(colliding) }
}
