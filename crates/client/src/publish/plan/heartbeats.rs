//! What has to be done for each heartbeat.

use super::recover;
use super::step::Step;
use crate::client::Client;
use crate::error::ClientError;
use crate::publish::lock_file::LockFileError;
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::LockKey;
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::contract::{
    HeartbeatChange, HeartbeatCreate, HeartbeatDescription, HeartbeatId, HeartbeatListItem,
    HeartbeatUpdate, TIME_ZONE_DEFAULT,
};

/// Where a heartbeat of `sprout.yaml` is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeartbeatKey {
    /// Its skill.
    pub skill: LockKey,
    /// Its name in `sprout.yaml`.
    pub name: String,
}

impl HeartbeatKey {
    /// Returns the heartbeat as a subject of the journal.
    pub fn subject(&self) -> String {
        format!("heartbeat `{}` of {}", self.name, self.skill.subject())
    }

    /// Records the heartbeat with that id, if its skill is recorded.
    pub(crate) fn record(
        &self,
        id: &HeartbeatId,
        locks: &mut LockFiles,
    ) -> Result<(), LockFileError> {
        locks.record_heartbeat(&self.skill, &self.name, id).map(|_is_recorded| ())
    }
}

/// A heartbeat to publish.
#[derive(Clone, Debug)]
pub struct HeartbeatDraft {
    /// The arguments that it is created with.
    pub create: HeartbeatCreate,
    /// Where it is recorded, if it is one of `sprout.yaml`.
    pub key: Option<HeartbeatKey>,
    /// The heartbeat that was created from it before.
    pub known_id: Option<HeartbeatId>,
}

/// What has to be done for a heartbeat.
pub type HeartbeatStep<B = ClientError> =
    Step<HeartbeatCreation, HeartbeatEdit, HeartbeatUnchanged, B>;

/// A heartbeat that is created.
#[derive(Clone, Debug)]
pub struct HeartbeatCreation {
    /// The arguments.
    pub create: Box<HeartbeatCreate>,
    /// Where it is recorded, if it is one of `sprout.yaml`.
    pub key: Option<HeartbeatKey>,
    /// What the server says of it.
    pub description: HeartbeatDescription,
}

/// A heartbeat that exists and is changed.
#[derive(Clone, Debug)]
pub struct HeartbeatEdit {
    /// The heartbeat.
    pub id: HeartbeatId,
    /// The changes, in their order.
    pub updates: Vec<HeartbeatUpdate>,
    /// The heartbeat as it is listed now.
    pub listed: Box<HeartbeatListItem>,
    /// What the server says of it after the change.
    pub description: HeartbeatDescription,
}

/// A heartbeat that exists and needs no change.
#[derive(Clone, Debug)]
pub struct HeartbeatUnchanged {
    /// The heartbeat.
    pub id: HeartbeatId,
    /// What the server says of it.
    pub description: HeartbeatDescription,
}

/// Finds the heartbeats that an interrupted run has created, records them, and sets their
/// `known_id`. Returns the indices of their drafts.
pub async fn recover_heartbeats(
    drafts: &mut [&mut HeartbeatDraft],
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<Vec<usize>, PublishError> {
    let mut unfinished = publisher.unfinished()?;
    let mut recovered = Vec::new();
    for (index, draft) in drafts.iter_mut().enumerate() {
        let Some(key) = &draft.key else { continue };
        let begun = unfinished.remove(&key.subject()).and_then(|mut begun| begun.pop());
        let Some(begun) = begun else { continue };
        let listed = publisher.client.all_heartbeats().await?.items;
        if let Some(created) = recover::created_heartbeat(&begun, &listed) {
            key.record(&created.heartbeat_id, locks)?;
            publisher.discard_unfinished(&key.subject())?;
            draft.known_id = Some(created.heartbeat_id.clone());
            recovered.push(index);
        }
    }
    Ok(recovered)
}

/// Plans heartbeats: asks the server about each. The steps are in the order of the drafts.
pub async fn plan_heartbeats(
    drafts: Vec<HeartbeatDraft>,
    client: &Client,
) -> Result<Vec<HeartbeatStep>, ClientError> {
    let is_known = drafts.iter().any(|draft| draft.known_id.is_some());
    let listed = if is_known { client.all_heartbeats().await?.items } else { Vec::new() };
    let mut steps = Vec::new();
    for draft in drafts {
        steps.push(plan_heartbeat(draft, &listed, client).await.unwrap_or_else(Step::Blocked));
    }
    Ok(steps)
}

async fn plan_heartbeat(
    draft: HeartbeatDraft,
    listed: &[HeartbeatListItem],
    client: &Client,
) -> Result<HeartbeatStep, ClientError> {
    let HeartbeatDraft { create, key, known_id } = draft;
    let listed = known_id.and_then(|id| listed.iter().find(|item| item.heartbeat_id == id));
    let Some(listed) = listed else {
        let description = client.describe_create(&create).await?;
        return Ok(Step::Create(HeartbeatCreation { create: Box::new(create), key, description }));
    };
    let id = listed.heartbeat_id.clone();
    let update = |change| HeartbeatUpdate { heartbeat_id: id.clone(), change };
    let has_same_cron = create.cron == listed.cron;
    let tz = create.tz.unwrap_or_else(|| TIME_ZONE_DEFAULT.to_owned());
    let schedule = update(HeartbeatChange::EditSchedule { cron: Some(create.cron), tz: Some(tz) });
    let description = client.describe_update(&schedule).await?;
    let mut updates = Vec::new();
    // The list does not contain the zone, but the words and the next fire depend on it.
    let is_same = has_same_cron
        && description.cadence_text == listed.cadence_text
        && (!listed.enabled || description.next_fire_at == listed.next_run_at);
    if !is_same {
        updates.push(schedule);
    }
    if create.name != listed.name {
        updates.push(update(HeartbeatChange::EditName { name: create.name }));
    }
    Ok(if updates.is_empty() {
        Step::Unchanged(HeartbeatUnchanged { id, description })
    } else {
        let listed = Box::new(listed.clone());
        Step::Update(HeartbeatEdit { id, updates, listed, description })
    })
}
