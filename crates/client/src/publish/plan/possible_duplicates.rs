//! Heartbeats of a server that may be the same as a new one, and those that do the same
//! as one that is up to date.

use super::heartbeat_content::time_zone;
use super::heartbeat_step::{
    HeartbeatCreation, HeartbeatStep, PlannedHeartbeat, PossibleDuplicate,
};
use crate::publish::heartbeat_forms::{is_same_cron, is_same_name};
use crate::publish::lock_files::LockFiles;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatListItem};

/// Returns a heartbeat that does the same as one that is created; or else those with its name or its
/// schedule of which it is not known what they run.
pub(super) fn possible_duplicate(
    create: &HeartbeatCreate,
    listed: &[HeartbeatListItem],
    locks: &LockFiles,
) -> Option<PossibleDuplicate> {
    let is_duplicate =
        |item: &&HeartbeatListItem| is_duplicate(&listed_like(create, item), item, locks);
    if let Some(duplicate) = listed.iter().find(is_duplicate) {
        return Some(PossibleDuplicate::Same(duplicate.heartbeat_id.clone()));
    }
    let similar = unknown(listed, locks).filter(|item| {
        is_same_name(&item.name, &create.name) || is_same_cron(&create.cron, &item.cron)
    });
    let similar: Vec<_> =
        similar.map(|item| (item.heartbeat_id.clone(), item.name.clone())).collect();
    (!similar.is_empty()).then_some(PossibleDuplicate::Similar(similar))
}

/// Returns a new heartbeat as a server lists it that lists `other`.
fn listed_like(create: &HeartbeatCreate, other: &HeartbeatListItem) -> HeartbeatListItem {
    HeartbeatListItem {
        name: create.name.clone(),
        cron: create.cron.clone(),
        tz: other.tz.is_some().then(|| time_zone(create).to_owned()),
        run_skill_id: Some(create.run_skill_id.clone()),
        child_id: create.child_id.clone(),
        skill_input: create.skill_input.clone().filter(|_| other.skill_input.is_some()),
        ..other.clone()
    }
}

/// Returns `true` if a heartbeat that is not recorded does the same as this one, under any name, so
/// that its skill runs twice.
fn is_duplicate(
    heartbeat: &HeartbeatListItem,
    other: &HeartbeatListItem,
    locks: &LockFiles,
) -> bool {
    does_the_same(heartbeat, other)
        && other.enabled
        && !locks.is_heartbeat_recorded(&other.heartbeat_id)
}

/// Returns `true` if two heartbeats are known to run the same skill at the same times, with the same
/// inputs as far as they are listed.
pub(super) fn does_the_same(heartbeat: &HeartbeatListItem, other: &HeartbeatListItem) -> bool {
    heartbeat.run_skill_id.is_some()
        && heartbeat.run_skill_id == other.run_skill_id
        && heartbeat.child_id == other.child_id
        && heartbeat.skill_input == other.skill_input
        && heartbeat.tz == other.tz
        && is_same_cron(&heartbeat.cron, &other.cron)
}

/// Returns a heartbeat that the plan of a new one did not know, and that may be the same: as far as
/// the server lists it, it runs the same skill for the same child, under the same name or at the same
/// times.
pub(in crate::publish) fn appeared<'a>(
    creation: &HeartbeatCreation,
    listed: &'a [HeartbeatListItem],
    locks: &LockFiles,
) -> Option<&'a HeartbeatListItem> {
    let HeartbeatCreation { create, existing, .. } = creation;
    let is_other = |item: &HeartbeatListItem| {
        let children = create.child_id.as_ref().zip(item.child_id.as_ref());
        item.run_skill_id.as_ref().is_some_and(|id| *id != create.run_skill_id)
            || children.is_some_and(|(ours, theirs)| ours != theirs)
    };
    listed.iter().find(|item| {
        !existing.contains(&item.heartbeat_id)
            && !locks.is_heartbeat_recorded(&item.heartbeat_id)
            && !is_other(item)
            && (is_same_name(&create.name, &item.name) || is_same_cron(&create.cron, &item.cron))
    })
}

/// Finds the heartbeats that do the same as one that is up to date: an interrupted run may have made
/// them, or another machine. `others` are those of the server that belong to no step.
pub(super) fn find_duplicates(
    planned: &mut [PlannedHeartbeat],
    others: &[HeartbeatListItem],
    locks: &LockFiles,
) {
    for planned in planned {
        let HeartbeatStep::Unchanged(unchanged) = &mut planned.step else { continue };
        let duplicates =
            others.iter().filter(|other| is_duplicate(&unchanged.listed, other, locks));
        let duplicates = duplicates.map(|duplicate| duplicate.heartbeat_id.clone());
        unchanged.duplicates = duplicates.collect();
    }
}

/// Returns the heartbeats that are not recorded, and of which it is not known what they run.
pub(super) fn unknown<'a>(
    listed: &'a [HeartbeatListItem],
    locks: &LockFiles,
) -> impl Iterator<Item = &'a HeartbeatListItem> {
    listed.iter().filter(|item| {
        item.run_skill_id.is_none() && !locks.is_heartbeat_recorded(&item.heartbeat_id)
    })
}
