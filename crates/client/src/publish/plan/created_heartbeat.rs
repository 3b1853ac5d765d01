//! Finding what a creation of a heartbeat without an answer has made.

use super::heartbeat_run::other_run;
use crate::publish::heartbeat_forms::{is_same_cron, is_same_name};
use crate::publish::lock_files::LockFiles;
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatListItem};

/// Returns the heartbeats that may have been created with these arguments: those that are not
/// recorded, did not exist before and have the content that was sent; or else, where a server does
/// not list that, the name, the schedule and what it lists of what the heartbeat runs.
pub(in crate::publish) fn created_heartbeats<'a>(
    create: &HeartbeatCreate,
    existed: impl Fn(&str) -> bool,
    listed: &'a [HeartbeatListItem],
    locks: &LockFiles,
) -> Vec<&'a HeartbeatListItem> {
    let content = ContentHash::of_heartbeat(create);
    let is_sent = |item: &&HeartbeatListItem| {
        let is_equal = match &item.content_hash {
            Some(hash) => hash == content.as_str(),
            None => {
                is_same_name(&create.name, &item.name)
                    && is_same_cron(&create.cron, &item.cron)
                    && other_run(create, item).is_empty()
            }
        };
        let id = &item.heartbeat_id;
        is_equal && !existed(id.as_str()) && !locks.is_heartbeat_recorded(id)
    };
    listed.iter().filter(is_sent).collect()
}
