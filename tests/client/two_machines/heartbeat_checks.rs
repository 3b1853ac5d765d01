//! What has to be true of the heartbeats after every command.

use std::collections::BTreeSet;

use dibber_skill::contract::{HeartbeatId, HeartbeatListItem};

use super::checks::{Run, Verdict, ensure};
use super::commands::{Command, PushMode};
use super::history::SeenHeartbeat;
use crate::support::machines::{Heartbeat, Record};

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
            let is_duplicate = |old: &HeartbeatListItem| {
                old.heartbeat_id != new.heartbeat_id
                    && old.run_skill_id == new.run_skill_id
                    && Heartbeat::of_listed(old) == Heartbeat::of_listed(new)
            };
            ensure(!after.heartbeats.values().any(is_duplicate), "a heartbeat was made twice")?;
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

    /// Checks the heartbeats of the folders: the name and the schedule of each that is new in one are
    /// those that the same heartbeat had there or has on the server, and what was there before is kept
    /// unless it was seen or is to be overwritten. The record says which are the same.
    fn check_planned_heartbeats(&self, seen: &BTreeSet<SeenHeartbeat>) -> Verdict {
        let Self { machine, command, before, after, .. } = *self;
        for (path, new) in &after.planned[machine] {
            let Some(old) = before.planned[machine].get(path).filter(|old| *old != new) else {
                continue;
            };
            ensure(command.writes_files(), "the heartbeats of a folder were changed")?;
            let record = after.record(machine, path);
            // A folder that was moved is still recorded where it was.
            let is_same_skill =
                |other: &&Record| record.is_some_and(|it| it.skill_id == other.skill_id);
            let former = before.record(machine, path);
            let former = former.or_else(|| before.records[machine].iter().find(is_same_skill));
            let records = [former, record];
            let [old, new] = [(old, records), (new, [records[1], records[0]])]
                .map(|(planned, records)| with_ids(planned, records));
            let is_known = new.iter().all(|(id, it)| {
                let there = id.and_then(|id| before.heartbeats.get(id)).map(Heartbeat::of_listed);
                let here =
                    old.iter().filter(|(other, old)| other == id && (id.is_some() || old == it));
                is_from(here.map(|(_, old)| *old).chain(&there), it)
            });
            ensure(is_known, "a heartbeat of neither the server nor the folder was written")?;
            let is_kept = old.iter().all(|(id, it)| {
                let there = id.and_then(|id| before.heartbeats.get(id)).map(Heartbeat::of_listed);
                let is_same = |other: Option<&HeartbeatId>| id.is_some() && other == *id;
                let here = new.iter().filter(|(other, new)| is_same(*other) || new == it);
                let seen = seen.iter().filter(|(other, _)| is_same(Some(other)));
                let kept = here.map(|(_, new)| *new).chain(seen.map(|(_, seen)| seen));
                is_from(kept.chain(&there), it)
            });
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

/// Returns heartbeats of a folder with the ids that the first of these records has for their names.
fn with_ids<'a>(
    planned: &'a [Heartbeat],
    records: [Option<&'a Record>; 2],
) -> Vec<(Option<&'a HeartbeatId>, &'a Heartbeat)> {
    let id = |it: &Heartbeat| {
        let mut records = records.into_iter().flatten();
        records.find_map(|record| record.heartbeats.get(&it.name))
    };
    planned.iter().map(|it| (id(it), it)).collect()
}

/// Returns `true` if the name of a heartbeat, and its schedule, are those of one of these.
fn is_from<'a>(sources: impl Iterator<Item = &'a Heartbeat>, it: &Heartbeat) -> bool {
    let sources: Vec<_> = sources.collect();
    sources.iter().any(|source| source.name == it.name)
        && sources.iter().any(|source| source.cron == it.cron)
}
