//! The heartbeats of a pull as data: what is written, what is recorded, and what is not possible.

use std::collections::BTreeMap;

use super::heartbeat_part::HeartbeatPart;
use crate::publish::published::PublishedHeartbeat;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatId, HeartbeatListItem, TIME_ZONE_DEFAULT};
use dibber_skill::revision::NewHeartbeat;

/// The heartbeats of a server and of a directory.
#[derive(Clone, Copy, Debug)]
pub struct HeartbeatSides<'a> {
    /// Those of the server.
    pub listed: &'a [HeartbeatListItem],
    /// Whether the server has listed all of them.
    pub is_complete: bool,
    /// Those of the `sprout.yaml` of the directory, as they would be published.
    pub drafts: &'a [HeartbeatCreate],
    /// The names of those of the `sprout.yaml` whose `assignmentSkill` the server does not have.
    pub undrafted: &'a [String],
    /// The inputs that are empty strings where a heartbeat has no value for them.
    pub optional_inputs: &'a [String],
    /// Whether changes of the directory stay.
    pub keeps_changes: bool,
}

/// What a pull does with the heartbeats of a skill.
#[derive(Clone, Debug, Default)]
pub struct PulledHeartbeats {
    /// What is recorded of those that the file then has in common with the server, by their names.
    pub records: Vec<(String, PublishedHeartbeat)>,
    /// Those whose records are removed: the server does not have them any more.
    pub cancelled: Vec<HeartbeatId>,
    /// Those that both sides have changed. The file keeps its own.
    pub conflicts: Vec<HeartbeatConflict>,
    /// Whether changes of the file are overwritten.
    pub loses_changes: bool,
    /// Those of the server that cannot be written.
    pub unwritten: Vec<UnwrittenHeartbeat>,
}

impl PulledHeartbeats {
    /// Makes the heartbeats that are recorded of a skill those that the pull records.
    pub fn record_in(&self, heartbeats: &mut BTreeMap<String, PublishedHeartbeat>) {
        let is_other = |known: &PublishedHeartbeat| {
            let mut records = self.records.iter();
            !self.cancelled.contains(&known.heartbeat_id)
                && !records.any(|(_, record)| record.heartbeat_id == known.heartbeat_id)
        };
        heartbeats.retain(|_, known| is_other(known));
        heartbeats.extend(self.records.iter().cloned());
    }
}

/// A heartbeat that both sides have changed.
#[derive(Clone, Debug)]
pub struct HeartbeatConflict {
    /// Its name here, or if it is only there, on the server.
    pub name: String,
    /// What both sides did.
    pub kind: HeartbeatConflictKind,
    /// The one here; none if it was removed.
    pub ours: Option<Box<HeartbeatCreate>>,
    /// The one of the server; none if it was cancelled.
    pub theirs: Option<Box<HeartbeatListItem>>,
}

/// What both sides did with a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeartbeatConflictKind {
    /// Both changed these parts. Empty if it is not known which.
    Changed(Vec<HeartbeatPart>),
    /// It was changed here, and cancelled on the server.
    Cancelled,
    /// It was removed here, and changed on the server.
    Removed,
    /// Both created one of this name.
    Created,
    /// The server has another one in its place, and does not list all of it.
    Replaced,
    /// Its name or its schedule on the server is none that can be published from a file.
    Invalid,
}

/// A heartbeat of the server that is not written to `sprout.yaml`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnwrittenHeartbeat {
    /// The heartbeat.
    pub heartbeat_id: HeartbeatId,
    /// Its name on the server.
    pub name: String,
    /// Why.
    pub reason: UnwrittenReason,
}

/// Why a heartbeat is not written to `sprout.yaml`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnwrittenReason {
    /// The server does not list its time zone.
    TimeZone,
    /// The server does not list all that it runs with, such as its inputs.
    Inputs,
    /// It runs another skill now.
    OtherSkill,
    /// Its name or its schedule is none that can be published from a file.
    Invalid,
    /// The file has another heartbeat of its name.
    NameTaken,
    /// The file is written in a way that cannot be edited.
    Notation,
    /// The file names an `assignmentSkill` that the server does not have.
    UnknownAssignment,
    /// The server does not list what it creates.
    Unlisted,
    /// The server does not list it, and leaves out what is damaged in its database.
    MayBeDamaged,
}

/// Returns a heartbeat as the file gets it: without the values of optional inputs that are empty.
pub(super) fn new_heartbeat(create: &HeartbeatCreate, optional_inputs: &[String]) -> NewHeartbeat {
    let mut input = create.skill_input.clone().unwrap_or_default();
    input.retain(|name, value| value != "" || !optional_inputs.contains(name));
    NewHeartbeat {
        name: create.name.clone(),
        cron: create.cron.clone(),
        time_zone: create.tz.clone().unwrap_or_else(|| TIME_ZONE_DEFAULT.to_owned()),
        input,
        posts_result: create.post_result_notify.unwrap_or_default(),
        missed_fires: create.missed_fires.unwrap_or_default(),
    }
}
