//! Heartbeats that are recorded under several names, as one each.

use std::collections::BTreeSet;

use super::heartbeat_step::{HeartbeatDraft, RemovedHeartbeat};
use crate::publish::published::PublishedHeartbeat;

/// Lets each heartbeat belong to one of the drafts or the removed ones of a skill. A draft whose
/// heartbeat belongs to another one is new.
pub(super) fn separate(drafts: &mut [HeartbeatDraft], removed: &mut Vec<RemovedHeartbeat>) {
    let mut taken = BTreeSet::new();
    let mut is_free = |skill: String, known: &PublishedHeartbeat| {
        taken.insert((skill, known.heartbeat_id.clone()))
    };
    for draft in drafts {
        let skill = draft.key.as_ref().map(|key| key.skill.subject()).unwrap_or_default();
        draft.known.take_if(|known| !is_free(skill, known));
    }
    removed.retain(|removed| is_free(removed.key.skill.subject(), &removed.known));
}
