//! Heartbeats that are recorded under several names or for several directories, as one each.

use std::collections::{BTreeMap, BTreeSet};

use super::heartbeat_step::{HeartbeatDraft, RemovedHeartbeat};
use crate::publish::heartbeat_forms::{is_same_cron, is_same_name};
use crate::publish::lock_key::LockKey;
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

/// Returns for each draft the directory of another one that is the same heartbeat: both directories
/// are recorded as the same skill, so that the heartbeat would be made twice. The first one keeps it,
/// preferably one that has it recorded.
pub(super) fn owners(drafts: &[HeartbeatDraft]) -> Vec<Option<LockKey>> {
    let mut owners = vec![None; drafts.len()];
    let mut of_skill: BTreeMap<&str, Vec<(&LockKey, &HeartbeatDraft)>> = BTreeMap::new();
    let (recorded, others): (Vec<_>, Vec<_>) =
        drafts.iter().zip(&mut owners).partition(|(draft, _)| draft.known.is_some());
    for (draft, owner) in recorded.into_iter().chain(others) {
        let Some(directory) = draft.key.as_ref().map(|key| &key.skill) else { continue };
        let skill_id = draft.create.run_skill_id.as_str();
        // A skill that is not published yet has no id.
        if skill_id.is_empty() {
            continue;
        }
        let earlier = of_skill.entry(skill_id).or_default();
        let mut others = earlier.iter().filter(|(other, _)| *other != directory);
        *owner = others.find(|(_, it)| is_same(draft, it)).map(|(other, _)| (*other).clone());
        earlier.push((directory, draft));
    }
    owners
}

/// Returns `true` if two drafts of a skill are one heartbeat: the recorded one, or as far as none is
/// recorded, one of the same name or schedule.
fn is_same(one: &HeartbeatDraft, other: &HeartbeatDraft) -> bool {
    if let (Some(one), Some(other)) = (&one.known, &other.known) {
        return one.heartbeat_id == other.heartbeat_id;
    }
    let (one, other) = (&one.create, &other.create);
    one.child_id == other.child_id
        && (is_same_name(&one.name, &other.name) || is_same_cron(&one.cron, &other.cron))
}
