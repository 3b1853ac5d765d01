//! Finding what a creation of a heartbeat without an answer has made.

use super::heartbeat_run::other_run;
use crate::publish::heartbeat_forms::{is_same_cron, is_same_name};
use crate::publish::lock_files::LockFiles;
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatListItem};

/// Returns the heartbeats that did not exist before, and that are not recorded.
pub(in crate::publish) fn new_heartbeats<'a>(
    existed: impl Fn(&str) -> bool,
    listed: &'a [HeartbeatListItem],
    locks: &LockFiles,
) -> Vec<&'a HeartbeatListItem> {
    let is_new = |item: &&HeartbeatListItem| {
        let id = &item.heartbeat_id;
        !existed(id.as_str()) && !locks.is_heartbeat_recorded(id)
    };
    listed.iter().filter(is_new).collect()
}

/// Returns `true` if a heartbeat is as it was sent: it has the same content; or else, where a server
/// does not list that, the name, the schedule and what it lists of what the heartbeat runs.
pub(in crate::publish) fn is_as_sent(create: &HeartbeatCreate, item: &HeartbeatListItem) -> bool {
    match &item.content_hash {
        Some(hash) => hash == ContentHash::of_heartbeat(create).as_str(),
        None => {
            is_same_name(&create.name, &item.name)
                && is_same_cron(&create.cron, &item.cron)
                && other_run(create, item).is_empty()
        }
    }
}
