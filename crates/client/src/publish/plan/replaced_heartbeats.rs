//! Finds the heartbeat that took the place of a recorded one which is not listed any more.

use super::possible_duplicates::unknown;
use crate::publish::heartbeat_forms::{is_same_cron, is_same_name};
use crate::publish::lock_files::LockFiles;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatListItem, SkillId};

/// Returns the heartbeat that took the place of one that is not listed any more: one of its skill, by
/// the name or else the only one by the schedule; or else, if the server does not list the skill, the
/// only one of its name. `is_candidate` filters those of the skill.
pub(super) fn replacement<'a>(
    create: &HeartbeatCreate,
    skill_id: &SkillId,
    listed: &'a [HeartbeatListItem],
    locks: &LockFiles,
    is_candidate: impl Fn(&HeartbeatListItem) -> bool,
) -> Option<&'a HeartbeatListItem> {
    let is_of_skill = |item: &&HeartbeatListItem| {
        item.run_skill_id.as_ref() == Some(skill_id)
            && !locks.is_heartbeat_recorded(&item.heartbeat_id)
            && is_candidate(item)
    };
    let of_skill = || listed.iter().filter(is_of_skill);
    of_skill()
        .find(|item| is_same_name(&item.name, &create.name))
        .or_else(|| only(of_skill().filter(|item| is_same_cron(&create.cron, &item.cron))))
        .or_else(|| only_of_same_name(create, listed, locks))
}

/// Returns the only heartbeat of the name of one that is not listed any more: another machine may
/// have put it in its place.
pub(super) fn only_of_same_name<'a>(
    create: &HeartbeatCreate,
    listed: &'a [HeartbeatListItem],
    locks: &LockFiles,
) -> Option<&'a HeartbeatListItem> {
    only(unknown(listed, locks).filter(|item| is_same_name(&item.name, &create.name)))
}

fn only<T>(mut items: impl Iterator<Item = T>) -> Option<T> {
    let first = items.next()?;
    items.next().is_none().then_some(first)
}
