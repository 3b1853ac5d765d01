//! Heartbeats that got another name and another schedule at once.

use super::heartbeat_content::with_name;
use super::heartbeat_run::is_as_recorded;
use super::heartbeat_step::{HeartbeatDraft, HeartbeatKey, RemovedHeartbeat};
use dibber_skill::content_hash::heartbeat_field_hashes;
use dibber_skill::contract::HeartbeatCreate;

/// The heartbeats that are new in a file which lacks one that was published, by their subjects.
pub(super) struct RenamedHeartbeats(Vec<String>);

impl RenamedHeartbeats {
    /// Finds them: the only new one and the only missing one of a skill. Among several it is not
    /// known which is which.
    pub(super) fn find(drafts: &[HeartbeatDraft], removed: &[RemovedHeartbeat]) -> Self {
        let is_new = |draft: &&HeartbeatDraft| draft.known.is_none();
        let new: Vec<_> =
            drafts.iter().filter(is_new).filter_map(|draft| draft.key.as_ref()).collect();
        let is_only = |key: &&&HeartbeatKey| {
            new.iter().filter(|other| other.skill == key.skill).count() == 1
                && removed.iter().filter(|removed| removed.key.skill == key.skill).count() == 1
        };
        Self(new.iter().filter(is_only).map(|key| key.subject()).collect())
    }

    /// Returns `true` if a heartbeat is a published one under another name, with another schedule:
    /// it runs the same.
    pub(super) fn has_pair(
        &self,
        create: &HeartbeatCreate,
        key: &HeartbeatKey,
        removed: &RemovedHeartbeat,
    ) -> bool {
        let run = |create: &HeartbeatCreate| heartbeat_field_hashes(create).remove("run");
        removed.key.skill == key.skill
            && removed.known.fields.contains_key("run")
            && run(create).as_ref() == removed.known.fields.get("run")
            && self.0.contains(&key.subject())
    }
}

/// Returns `true` if a heartbeat is one that was published, under another name.
pub(super) fn is_renamed_here(create: &HeartbeatCreate, removed: &RemovedHeartbeat) -> bool {
    is_as_recorded(&with_name(create, &removed.key.name), &removed.known)
}
