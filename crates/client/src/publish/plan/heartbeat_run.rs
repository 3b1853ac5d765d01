//! What heartbeats run, and with what: no update can change it.
//!
//! Servers of another make may list the skill and the inputs, and may let their users change them.
//! What they listed after a write is recorded, so that such a change is seen.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::heartbeat_part::HeartbeatPart;
use super::heartbeat_step::Assumed;
use crate::publish::published::{PublishedHeartbeat, to_recorded_fields};
use dibber_skill::content_hash::{ContentHash, field_hash, heartbeat_field_hashes};
use dibber_skill::contract::{HeartbeatCreate, HeartbeatListItem};

/// The field of what an update cannot change.
pub(super) const RUN: &str = "run";
/// The skill, as one of the parts of it that a server may list.
const SKILL: &str = "runSkillId";
/// The inputs.
const INPUTS: &str = "skillInput";

/// Returns the names of what a heartbeat runs with, and the server lists otherwise.
pub(super) fn other_run(create: &HeartbeatCreate, listed: &HeartbeatListItem) -> Vec<&'static str> {
    let input = listed.skill_input.as_ref();
    let posts = create.post_result_notify.unwrap_or_default();
    let child = create.child_id.as_ref().zip(listed.child_id.as_ref());
    let parts = [
        (SKILL, listed.run_skill_id.as_ref().is_some_and(|id| *id != create.run_skill_id)),
        (INPUTS, input.is_some_and(|input| values(input) != sent_values(create))),
        ("childId", child.is_some_and(|(sent, there)| sent != there)),
        ("postResultNotify", listed.post_result_notify.is_some_and(|there| there != posts)),
    ];
    parts.into_iter().filter(|(_, is_other)| *is_other).map(|(name, _)| name).collect()
}

fn sent_values(create: &HeartbeatCreate) -> BTreeMap<&str, String> {
    create.skill_input.as_ref().map(values).unwrap_or_default()
}

/// Returns the values of inputs as strings, which is how some servers store them. One that is empty
/// is none.
fn values(input: &Map<String, Value>) -> BTreeMap<&str, String> {
    let text = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let values = input.iter().map(|(name, value)| (name.as_str(), text(value)));
    values.filter(|(_, value)| !value.is_empty()).collect()
}

/// Returns the hashes of what a server of another make lists of what a heartbeat runs.
pub(super) fn listed_run(listed: &HeartbeatListItem) -> BTreeMap<&'static str, String> {
    let skill = listed.run_skill_id.as_ref().map(|id| (SKILL, field_hash(id)));
    let inputs = listed.skill_input.as_ref().map(|input| (INPUTS, field_hash(&values(input))));
    skill.into_iter().chain(inputs).collect()
}

/// Returns the hashes of what a server lists of what a heartbeat runs, if it stores it as it is sent.
pub(super) fn sent_run(create: &HeartbeatCreate) -> BTreeMap<&'static str, String> {
    let inputs = field_hash(&sent_values(create));
    BTreeMap::from([(SKILL, field_hash(&create.run_skill_id)), (INPUTS, inputs)])
}

/// Returns the parts of what a heartbeat runs that a server lists otherwise than after the last
/// write. What it did not list then, or does not list now, is not compared.
pub(super) fn changed_run(
    listed: &HeartbeatListItem,
    known: &PublishedHeartbeat,
) -> Vec<&'static str> {
    let there = if listed.content_hash.is_some() { BTreeMap::new() } else { listed_run(listed) };
    let is_changed =
        |name: &str, hash: &String| known.stored.get(name).is_some_and(|it| it != hash);
    let changed = there.into_iter().filter(|(name, hash)| is_changed(name, hash));
    changed.map(|(name, _)| name).collect()
}

/// Returns the part of a heartbeat that a part of what it runs belongs to.
pub(super) fn part_of_run(name: &str) -> HeartbeatPart {
    if name == SKILL { HeartbeatPart::Skill } else { HeartbeatPart::Inputs }
}

/// Returns `true` if what a heartbeat runs was changed on a server, to something else than this one
/// runs.
pub(super) fn has_foreign_run(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
    known: &PublishedHeartbeat,
) -> bool {
    let other = other_run(create, listed);
    if listed.content_hash.is_some() {
        return !other.is_empty() && has_run_since_recorded(create, listed, known);
    }
    changed_run(listed, known).iter().any(|part| other.contains(part))
}

/// Returns `true` if a server with content hashes lists that a heartbeat runs something else than is
/// recorded. What it does not list is taken to be as it is here.
fn has_run_since_recorded(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
    known: &PublishedHeartbeat,
) -> bool {
    let there = HeartbeatCreate {
        run_skill_id: listed.run_skill_id.as_ref().unwrap_or(&create.run_skill_id).clone(),
        child_id: listed.child_id.clone(),
        skill_input: listed.skill_input.clone().or_else(|| create.skill_input.clone()),
        post_result_notify: listed.post_result_notify.or(create.post_result_notify),
        ..create.clone()
    };
    known.content_hash != listed.content_hash && !has_run_of(&there, known)
}

/// Returns what both sides have changed, if what a heartbeat runs was changed on a server and the
/// heartbeat was changed here: the inputs, or nothing if other parts were changed here.
pub(super) fn colliding_run(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
    known: &PublishedHeartbeat,
) -> Option<Vec<HeartbeatPart>> {
    let is_changed_here = !is_as_recorded(create, known);
    let parts = if has_run_of(create, known) { Vec::new() } else { vec![HeartbeatPart::Inputs] };
    (is_changed_here && has_foreign_run(create, listed, known)).then_some(parts)
}

/// Returns `true` if a heartbeat of the directory is as it was last published.
pub(super) fn is_as_recorded(draft: &HeartbeatCreate, record: &PublishedHeartbeat) -> bool {
    if record.fields.is_empty() {
        return record.content_hash == Some(content_of(draft));
    }
    to_recorded_fields(heartbeat_field_hashes(draft)) == record.fields
}

/// Returns `true` if a heartbeat runs what is recorded.
fn has_run_of(create: &HeartbeatCreate, known: &PublishedHeartbeat) -> bool {
    let recorded = known.fields.get(RUN);
    recorded.is_none_or(|recorded| heartbeat_field_hashes(create).get(RUN) == Some(recorded))
}

/// Keeps what is recorded of what a server lists of what a heartbeat runs: a change there is still
/// to be taken over.
pub(super) fn keep_recorded_run(left: &mut PublishedHeartbeat, record: &PublishedHeartbeat) {
    for part in [SKILL, INPUTS] {
        let recorded = record.stored.get(part);
        left.stored.extend(recorded.map(|hash| (part.to_owned(), hash.clone())));
    }
}

/// Returns `true` if a server lists all that a heartbeat runs with, and it is the same as here.
/// `as_listed` is the one here with everything that is listed and that an update can change.
pub(super) fn lists_equal_run(as_listed: &HeartbeatCreate, listed: &HeartbeatListItem) -> bool {
    if let Some(is_equal) = lists_equal_hash(as_listed, listed) {
        return is_equal;
    }
    let lists_all = listed.skill_input.is_some() && listed.post_result_notify.is_some();
    lists_all && other_run(as_listed, listed).is_empty()
}

/// Returns what is assumed of a heartbeat that runs the same skill and is not recorded.
pub(super) fn assumed_of(create: &HeartbeatCreate, listed: &HeartbeatListItem) -> Assumed {
    let has_inputs = create.skill_input.as_ref().is_some_and(|inputs| !inputs.is_empty());
    let is_listed = listed.content_hash.is_some() || listed.skill_input.is_some();
    if has_inputs && !is_listed { Assumed::Inputs } else { Assumed::Nothing }
}

/// Returns `true` if a listed heartbeat runs the same, with the same inputs, as this one.
/// `as_listed` is this one with everything that is listed and that an update can change.
pub(super) fn has_equal_run(
    as_listed: &HeartbeatCreate,
    listed: &HeartbeatListItem,
    known: Option<&PublishedHeartbeat>,
) -> bool {
    if let Some(is_equal) = lists_equal_hash(as_listed, listed) {
        return is_equal;
    }
    let Some(known) = known else { return true };
    !has_foreign_run(as_listed, listed, known) && has_run_of(as_listed, known)
}

/// Returns whether a server lists the content hash of a heartbeat; none if it lists no hash.
fn lists_equal_hash(as_listed: &HeartbeatCreate, listed: &HeartbeatListItem) -> Option<bool> {
    listed.content_hash.as_ref().map(|hash| *hash == content_of(as_listed))
}

/// Returns the content hash of the heartbeat that these arguments create.
pub(super) fn content_of(create: &HeartbeatCreate) -> String {
    ContentHash::of_heartbeat(create).to_string()
}
