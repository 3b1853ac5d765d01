//! The heartbeats that interrupted runs of `heartbeat create` have created, which no lock file records.

use super::created_heartbeat::{is_as_sent, new_heartbeats};
use super::heartbeat_step::HeartbeatDraft;
use crate::error::JournalError;
use crate::journal::Intent;
use crate::publish::lock_files::LockFiles;
use crate::publish::publisher::Publisher;
use dibber_skill::contract::{HEARTBEAT_CREATE, HeartbeatListItem};

/// Removes from a list what interrupted runs have created of these heartbeats: it is reported as theirs
/// when the creation is resumed, and is no duplicate.
pub(super) fn remove_interrupted(
    listed: &mut Vec<HeartbeatListItem>,
    drafts: &[HeartbeatDraft],
    publisher: Publisher<'_>,
    locks: &LockFiles,
) -> Result<(), JournalError> {
    for HeartbeatDraft { create, .. } in drafts.iter().filter(|draft| draft.key.is_none()) {
        let arguments = serde_json::json!(create);
        let intent = Intent::new(publisher.server, HEARTBEAT_CREATE, &arguments);
        let Some(begun) = publisher.journal.find(&intent)? else { continue };
        let existed = |id: &str| begun.existing.iter().any(|existing| existing == id);
        let mut found = new_heartbeats(existed, listed, locks);
        found.retain(|item| is_as_sent(create, item));
        if let [only] = found[..] {
            let id = only.heartbeat_id.clone();
            listed.retain(|item| item.heartbeat_id != id);
        }
    }
    Ok(())
}
