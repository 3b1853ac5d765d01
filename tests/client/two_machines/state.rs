//! The server and the machines between two steps.

use std::collections::{BTreeMap, BTreeSet};

use dibber_skill::contract::{HeartbeatId, HeartbeatListItem, SkillId, StoredSkill};

use crate::support::machines::{Content, Folder, Heartbeat, Machine, Record};
use crate::support::writers::{Snapshot, World};

/// All that there is.
pub(super) struct State {
    /// The skills of the server, those that are archived too.
    pub(super) skills: BTreeMap<SkillId, StoredSkill>,
    /// The heartbeats of the server.
    pub(super) heartbeats: BTreeMap<HeartbeatId, HeartbeatListItem>,
    /// The folders of each machine, by their paths.
    pub(super) folders: Vec<BTreeMap<String, Content>>,
    /// The heartbeats in the folders of each machine, by the paths of these.
    pub(super) planned: Vec<BTreeMap<String, Vec<Heartbeat>>>,
    /// The words in all folders.
    pub(super) folder_words: BTreeSet<String>,
    pub(super) records: Vec<Vec<Record>>,
    /// The lock file of each machine.
    locks: Vec<Option<String>>,
}

impl State {
    /// Reads the server and the machines.
    pub(super) fn read(world: &World, machines: &[Machine]) -> Self {
        let Snapshot { skills, heartbeats } = world.snapshot_with_archived();
        let folders: Vec<_> = machines.iter().map(Machine::folders).collect();
        let folder_words =
            folders.iter().flatten().flat_map(|folder| folder.words.clone()).collect();
        let by_path = |folders: Vec<Folder>| {
            folders.into_iter().map(|Folder { path, content, .. }| (path, content)).collect()
        };
        let planned = folders.iter().map(|folders| {
            let planned = folders.iter();
            planned.map(|folder| (folder.path.clone(), folder.heartbeats.clone())).collect()
        });
        let heartbeats = heartbeats.into_iter();
        Self {
            planned: planned.collect(),
            heartbeats: heartbeats.map(|item| (item.heartbeat_id.clone(), item)).collect(),
            skills: skills.into_iter().map(|skill| (skill.skill_id.clone(), skill)).collect(),
            folders: folders.into_iter().map(by_path).collect(),
            folder_words,
            records: machines.iter().map(Machine::records).collect(),
            locks: machines.iter().map(Machine::lock).collect(),
        }
    }

    /// Returns the record of a folder.
    pub(super) fn record(&self, machine: usize, path: &str) -> Option<&Record> {
        self.records[machine].iter().find(|record| record.path == path)
    }

    /// Returns `true` if the server has a heartbeat.
    pub(super) fn has_heartbeat(&self, listed: &HeartbeatListItem) -> bool {
        self.heartbeats.contains_key(&listed.heartbeat_id)
    }

    /// Returns `true` if a machine is as it was: its folders and its record.
    pub(super) fn has_same_machine(&self, other: &Self, machine: usize) -> bool {
        self.folders[machine] == other.folders[machine]
            && self.planned[machine] == other.planned[machine]
            && self.locks[machine] == other.locks[machine]
    }
}
