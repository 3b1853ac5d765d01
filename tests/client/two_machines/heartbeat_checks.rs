//! What has to be true of the heartbeats after every command.

use std::collections::BTreeSet;

use dibber_skill::contract::HeartbeatListItem;

use super::checks::{Run, Verdict, ensure};
use super::commands::{Command, PushMode};
use super::history::SeenHeartbeat;
use crate::support::machines::Heartbeat;

impl Run<'_> {
    /// Checks what became of the heartbeats of the server. `seen` are those that the machine may
    /// overwrite.
    pub(super) fn check_heartbeats(&self, seen: &BTreeSet<SeenHeartbeat>) -> Verdict {
        let Self { machine, command, before, after, .. } = *self;
        self.check_planned_heartbeats(seen)?;
        let is_forced = matches!(command, Command::Push { mode: PushMode::Force, .. });
        for (id, old) in &before.heartbeats {
            let content = Heartbeat::of_listed(old);
            if after.heartbeats.get(id).map(Heartbeat::of_listed).as_ref() == Some(&content) {
                continue;
            }
            ensure(command.is_push(), "a heartbeat was changed")?;
            let is_seen = seen.contains(&(id.clone(), content));
            ensure(is_forced || is_seen, &format!("{id} was overwritten or cancelled unseen"))?;
        }
        for new in after.heartbeats.values().filter(|it| !before.has_heartbeat(it)) {
            let is_twin = |old: &HeartbeatListItem| {
                old.heartbeat_id != new.heartbeat_id
                    && old.run_skill_id == new.run_skill_id
                    && Heartbeat::of_listed(old) == Heartbeat::of_listed(new)
            };
            ensure(!after.heartbeats.values().any(is_twin), "a heartbeat was made twice")?;
            let mut records = after.records[machine].iter();
            let is_planned = records.any(|record| {
                let planned = after.planned[machine].get(&record.path);
                record.heartbeats.values().any(|id| *id == new.heartbeat_id)
                    && planned.is_some_and(|it| it.contains(&Heartbeat::of_listed(new)))
            });
            ensure(is_planned, "a heartbeat was made that no folder has, or is not recorded")?;
        }
        Ok(())
    }

    /// Checks the heartbeats of the folders: what is new in one is what the server has, and what was
    /// there before is kept unless it was seen or is to be overwritten.
    fn check_planned_heartbeats(&self, seen: &BTreeSet<SeenHeartbeat>) -> Verdict {
        let Self { machine, command, before, after, .. } = *self;
        let listed = before.heartbeats.values().map(Heartbeat::of_listed);
        let listed: Vec<_> = listed.collect();
        for (path, new) in &after.planned[machine] {
            let Some(old) = before.planned[machine].get(path).filter(|old| *old != new) else {
                continue;
            };
            ensure(command.writes_files(), "the heartbeats of a folder were changed")?;
            let is_from = |sources: &[&Heartbeat], it: &Heartbeat| {
                sources.iter().any(|source| source.name == it.name)
                    && sources.iter().any(|source| source.cron == it.cron)
            };
            let sources: Vec<_> = old.iter().chain(&listed).collect();
            let is_known = new.iter().all(|it| is_from(&sources, it));
            ensure(is_known, "a heartbeat of neither the server nor the folder was written")?;
            let seen = seen.iter().map(|(_, content)| content);
            let kept: Vec<_> = new.iter().chain(seen).chain(&listed).collect();
            let is_kept = old.iter().all(|it| is_from(&kept, it));
            ensure(is_kept || command.overwrites_files(), "a heartbeat of a folder was lost")?;
        }
        Ok(())
    }

    /// Returns `true` if the heartbeats that a folder was published with are those that it has, and
    /// the server has the same. What others have cancelled may still be recorded.
    pub(super) fn has_planned_heartbeats(&self, path: &str) -> bool {
        let Self { machine, after, .. } = *self;
        let Some(record) = after.record(machine, path) else { return false };
        let planned = &after.planned[machine][path];
        let is_planned = |name: &String| planned.iter().any(|planned| planned.name == *name);
        let mut records = record.heartbeats.iter();
        records.all(|(name, id)| is_planned(name) || !after.heartbeats.contains_key(id))
            && planned.iter().all(|planned| {
                let id = record.heartbeats.get(&planned.name);
                let listed = id.and_then(|id| after.heartbeats.get(id));
                listed.is_some_and(|listed| {
                    listed.run_skill_id.as_ref() == Some(&record.skill_id)
                        && Heartbeat::of_listed(listed) == *planned
                })
            })
    }

    /// Returns the heartbeats that the machine has set, or has got into its folders.
    pub(super) fn seen_heartbeats(&self) -> BTreeSet<SeenHeartbeat> {
        let Self { machine, command, ended, after, .. } = *self;
        if !command.is_push() && !command.is_pull() {
            return BTreeSet::new();
        }
        // What was merged has the name or the schedule of the server.
        let is_merged = |planned: &Heartbeat, content: &Heartbeat| {
            command.is_pull()
                && ended.code == 0
                && (planned.name == content.name || planned.cron == content.cron)
        };
        let records = after.records[machine].iter();
        let recorded = records.flat_map(|record| {
            let planned = after.planned[machine].get(&record.path);
            record.heartbeats.values().filter_map(move |id| {
                let content = Heartbeat::of_listed(after.heartbeats.get(id)?);
                let is_seen = |it: &Heartbeat| *it == content || is_merged(it, &content);
                planned?.iter().any(is_seen).then(|| (id.clone(), content))
            })
        });
        recorded.collect()
    }
}
