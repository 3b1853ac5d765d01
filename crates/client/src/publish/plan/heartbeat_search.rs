//! Finds the heartbeat of a server that one of `sprout.yaml` is.

use super::heartbeat_content::{has_equal_content, in_form_of};
use super::heartbeat_step::{HeartbeatKey, RemovedHeartbeat, UnrecordedHeartbeats};
use super::heartbeats::Comparer;
use super::renamed_heartbeats::is_renamed_here;
use crate::error::ClientError;
use crate::publish::heartbeat_forms::{is_same_cron, is_same_name};
use crate::publish::published::PublishedHeartbeat;
use dibber_skill::contract::{
    DescribedWarning, HeartbeatCreate, HeartbeatId, HeartbeatListItem, HeartbeatWarning,
};

impl Comparer<'_> {
    /// Takes the paused heartbeat that this one is under another name, with another schedule:
    /// cancelled and created, it would fire again.
    pub(super) fn take_paused(
        &mut self,
        create: &HeartbeatCreate,
        key: &HeartbeatKey,
    ) -> Option<(HeartbeatListItem, PublishedHeartbeat)> {
        let is_paused = |removed: &RemovedHeartbeat| {
            let mut items = self.listed.items.iter();
            items.any(|item| item.heartbeat_id == removed.known.heartbeat_id && !item.enabled)
        };
        let is_pair = |removed: &RemovedHeartbeat| {
            is_paused(removed) && self.renamed.has_pair(create, key, removed)
        };
        let index = self.removed.iter().position(is_pair)?;
        let known = self.removed.remove(index).known;
        Some((self.take(&known.heartbeat_id)?, known))
    }

    /// Returns the heartbeat that this one is under another name, if it is not listed.
    pub(super) fn renamed_and_unlisted(
        &self,
        create: &HeartbeatCreate,
        key: &HeartbeatKey,
    ) -> Option<PublishedHeartbeat> {
        let is_it = |removed: &&RemovedHeartbeat| {
            let RemovedHeartbeat { key: earlier, known } = removed;
            earlier.skill == key.skill
                && self.listed.items.iter().all(|listed| listed.heartbeat_id != known.heartbeat_id)
                && is_renamed_here(create, removed)
        };
        self.removed.iter().find(is_it).map(|removed| removed.known.clone())
    }

    /// Takes a heartbeat that is recorded from the list.
    pub(super) fn take_recorded(
        &mut self,
        id: &HeartbeatId,
    ) -> Result<Option<HeartbeatListItem>, ClientError> {
        self.listed.find(id)?;
        Ok(self.take(id))
    }

    /// Takes a heartbeat from the list.
    pub(super) fn take(&mut self, id: &HeartbeatId) -> Option<HeartbeatListItem> {
        let index = self.listed.items.iter().position(|item| item.heartbeat_id == *id)?;
        Some(self.listed.items.remove(index))
    }

    /// Takes the heartbeat that another machine has made from the same `sprout.yaml`: one of the
    /// same skill, preferably with the same content, or else with the same name.
    pub(super) async fn take_same(
        &mut self,
        create: &HeartbeatCreate,
    ) -> Result<Option<HeartbeatListItem>, ClientError> {
        if self.policy.unrecorded == UnrecordedHeartbeats::Create {
            return Ok(None);
        }
        let is_free = |item: &&HeartbeatListItem| {
            !self.locks.is_heartbeat_recorded(&item.heartbeat_id)
                && (item.run_skill_id.is_none()
                    || item.run_skill_id.as_ref() == Some(&create.run_skill_id))
        };
        let free = || self.listed.items.iter().filter(is_free);
        let is_same = |item: &&HeartbeatListItem| {
            let is_of_skill = item.run_skill_id.is_some() || item.content_hash.is_some();
            is_of_skill && has_equal_content(create, &in_form_of(create, item, None), None)
        };
        let id = if let Some(same) = free().find(is_same) {
            Some(same.heartbeat_id.clone())
        } else {
            let has_same_name = |item: &&HeartbeatListItem| {
                item.run_skill_id.is_some()
                    && is_same_name(&create.name, &item.name)
                    && item.child_id == create.child_id
            };
            free().find(has_same_name).map(|item| item.heartbeat_id.clone())
        };
        if let Some(id) = id {
            return Ok(self.take(&id));
        }
        // A server that does not list what a heartbeat runs warns that there is one for the skill.
        let is_similar = |item: &&HeartbeatListItem| {
            item.run_skill_id.is_none()
                && is_same_name(&create.name, &item.name)
                && is_same_cron(&create.cron, &item.cron)
        };
        let similar: Vec<_> = free().filter(is_similar).collect();
        let [similar] = similar[..] else { return Ok(None) };
        let description = self.client.describe_create(create).await?;
        let assigned = DescribedWarning::Known(HeartbeatWarning::AlreadyAssigned);
        let is_same = description.warnings.contains(&assigned)
            && description.cadence_text == similar.cadence_text;
        let id = similar.heartbeat_id.clone();
        Ok(is_same.then(|| self.take(&id)).flatten())
    }
}
