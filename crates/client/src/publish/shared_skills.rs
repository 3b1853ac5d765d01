//! The records of one skill at several paths: two directories are linked to it, or one was moved.

use std::collections::BTreeMap;

use super::lock::Lock;
use super::published::{Published, PublishedHeartbeat};
use dibber_skill::contract::SkillId;

impl Lock {
    /// Removes the records of a skill at other paths for which `is_gone` returns `true`. Their
    /// heartbeats are recorded at this path.
    pub(super) fn merge_others(
        &mut self,
        path: &str,
        server: &str,
        skill_id: &SkillId,
        is_gone: impl Fn(&str) -> bool,
    ) {
        let is_other = |(other, on): &(String, String), published: &mut Published| {
            other != path && on == server && published.skill_id == *skill_id && is_gone(other)
        };
        let others: Vec<_> = self.entries.extract_if(.., is_other).collect();
        if let Some(published) = self.entries.get_mut(&(path.to_owned(), server.to_owned())) {
            for (_, other) in others {
                add_heartbeats(published, other.heartbeats);
            }
        }
    }

    /// Does the same for every skill that is recorded at several paths: the record at the first of
    /// them for which `has_skill` returns `true` remains.
    pub(super) fn merge_missing(&mut self, server: &str, has_skill: impl Fn(&str) -> bool) {
        let mut paths_of: BTreeMap<SkillId, Vec<String>> = BTreeMap::new();
        for ((path, on), published) in &self.entries {
            if on == server {
                paths_of.entry(published.skill_id.clone()).or_default().push(path.clone());
            }
        }
        for (skill_id, paths) in paths_of.iter().filter(|(_, paths)| paths.len() > 1) {
            if let Some(remaining) = paths.iter().find(|path| has_skill(path)) {
                self.merge_others(remaining, server, skill_id, |path| !has_skill(path));
            }
        }
    }

    /// Removes a record. Its heartbeats are recorded at another path of the same skill for which
    /// `has_skill` returns `true`, if there is one.
    pub(super) fn unlink(&mut self, path: &str, server: &str, has_skill: impl Fn(&str) -> bool) {
        let Some(published) = self.remove(path, server) else { return };
        let remaining = self.entries.iter_mut().find(|((other, on), record)| {
            on == server && record.skill_id == published.skill_id && has_skill(other)
        });
        if let Some((_, remaining)) = remaining {
            add_heartbeats(remaining, published.heartbeats);
        }
    }
}

/// Records heartbeats of a skill that are not recorded yet.
fn add_heartbeats(published: &mut Published, heartbeats: BTreeMap<String, PublishedHeartbeat>) {
    for (name, heartbeat) in heartbeats {
        let mut known = published.heartbeats.values();
        if known.all(|known| known.heartbeat_id != heartbeat.heartbeat_id) {
            published.heartbeats.entry(name).or_insert(heartbeat);
        }
    }
}
