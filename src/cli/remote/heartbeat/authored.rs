//! The heartbeats of a `sprout.yaml`, with the arguments that they are created with.

use std::path::Path;

use crate::cli::drafted::Drafted;
use crate::cli::error::CommandError;
use crate::cli::remote::resolve::resolve;
use crate::cli::remote::session::Session;
use dibber_client::publish::{
    HeartbeatDraft, HeartbeatKey, LockFiles, LockKey, Published, PublishedHeartbeat,
    RemovedHeartbeat,
};
use dibber_skill::contract::{ChatId, ChildId, HeartbeatCreate, SkillId, TIME_ZONE_DEFAULT};
use dibber_skill::manifest::{Heartbeat, WireSchedule};

/// For whom heartbeats are, which is not in `sprout.yaml`.
#[derive(Clone, Copy, Default)]
pub(in crate::cli::remote) struct Audience<'a> {
    pub(in crate::cli::remote) child: Option<&'a ChildId>,
    pub(in crate::cli::remote) chat: Option<&'a ChatId>,
}

/// A skill with a `sprout.yaml`, and what it was published as.
pub(in crate::cli::remote) struct AuthoredSkill<'a> {
    pub(in crate::cli::remote) directory: &'a Path,
    pub(in crate::cli::remote) drafted: &'a Drafted,
    pub(in crate::cli::remote) key: &'a LockKey,
    pub(in crate::cli::remote) published: &'a Published,
}

impl AuthoredSkill<'_> {
    /// Returns the heartbeats of `sprout.yaml`.
    pub(in crate::cli::remote) fn heartbeats(&self) -> &[Heartbeat] {
        let manifest = self.drafted.draft.manifest.as_ref();
        manifest.map_or(&[], |manifest| &manifest.heartbeats)
    }

    /// Returns a heartbeat as it is published.
    pub(in crate::cli::remote) fn draft(
        &self,
        heartbeat: &Heartbeat,
        audience: Audience<'_>,
        session: &Session,
        locks: &mut LockFiles,
    ) -> Result<HeartbeatDraft, CommandError> {
        let name = heartbeat.name.value.clone();
        let known = self.published.heartbeats.get(&name).cloned();
        let key = Some(HeartbeatKey { skill: self.key.clone(), name });
        let assignment = heartbeat.assignment_skill.as_ref();
        let assignment =
            assignment.map(|it| assignment_id(it.value.trim(), self.directory, session, locks));
        let create = HeartbeatCreate {
            assignment_skill_id: assignment.transpose()?,
            child_id: audience.child.cloned(),
            source_chat_id: audience.chat.cloned(),
            ..self.arguments(heartbeat)
        };
        Ok(HeartbeatDraft { create, key, known })
    }

    /// Returns the arguments of a heartbeat, as far as they are in its file alone. Optional inputs
    /// without a value are empty strings, as at every other run.
    pub(in crate::cli::remote) fn arguments(&self, heartbeat: &Heartbeat) -> HeartbeatCreate {
        let mut values = heartbeat.input_values();
        for name in self.drafted.draft.optional_inputs() {
            values.entry(name).or_insert_with(|| "".into());
        }
        let WireSchedule { cron, time_zone } = heartbeat.wire_schedule();
        HeartbeatCreate {
            name: heartbeat.name.value.clone(),
            cron,
            tz: Some(time_zone.unwrap_or_else(|| TIME_ZONE_DEFAULT.to_owned())),
            run_skill_id: self.published.skill_id.clone(),
            skill_input: (!values.is_empty()).then_some(values),
            post_result_notify: heartbeat.post_result_notify.as_ref().map(|posts| posts.value),
            missed_fires: heartbeat.missed_fires.as_ref().map(|missed| missed.value),
            ..HeartbeatCreate::default()
        }
    }

    /// Returns the heartbeats that were published and that `sprout.yaml` no longer contains.
    pub(in crate::cli::remote) fn removed(&self) -> Vec<RemovedHeartbeat> {
        let is_removed = |(name, _): &(&String, &PublishedHeartbeat)| {
            self.heartbeats().iter().all(|heartbeat| heartbeat.name.value != **name)
        };
        let removed = self.published.heartbeats.iter().filter(is_removed);
        let removed = removed.map(|(name, known)| RemovedHeartbeat {
            key: HeartbeatKey { skill: self.key.clone(), name: name.clone() },
            known: known.clone(),
        });
        removed.collect()
    }
}

/// Returns the id of the skill that makes a schedule: the one in the directory of that name beside
/// this one, or else whatever the server has of that name.
fn assignment_id(
    name: &str,
    directory: &Path,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<SkillId, CommandError> {
    let directory = std::fs::canonicalize(directory).unwrap_or_else(|_| directory.to_owned());
    let is_one_part = !name.is_empty() && !name.contains(['/', '\\']) && !name.starts_with('.');
    let beside = directory.parent().filter(|_| is_one_part).map(|above| above.join(name));
    if let Some(beside) = beside {
        let key = LockKey::new(&beside);
        if let Some(published) = locks.get(&key)? {
            return Ok(published.skill_id);
        }
    }
    let id = resolve(name, session, locks);
    id.map_err(|error| error.with_context("the skill that assigns it"))
}
