//! What has to be done for each heartbeat.

use std::collections::BTreeMap;

use super::heartbeat_step::{
    HeartbeatBlocked, HeartbeatCreation, HeartbeatDraft, HeartbeatEdit, HeartbeatKey,
    HeartbeatPolicy, HeartbeatStep, HeartbeatUnchanged, PlannedHeartbeat, RemovedHeartbeat,
    RemovedHeartbeats, UnrecordedHeartbeats,
};
use super::skill_step::ForeignChanges;
use crate::client::Client;
use crate::error::ClientError;
use crate::journal::Unfinished;
use crate::publish::heartbeat_journal::{heartbeat_subject, is_cancellation};
use crate::publish::lock_files::LockFiles;
use crate::publish::published::PublishedHeartbeat;
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    DescribedWarning, HeartbeatChange, HeartbeatCreate, HeartbeatId, HeartbeatListItem,
    HeartbeatUpdate, HeartbeatWarning, TIME_ZONE_DEFAULT,
};

/// Plans heartbeats: compares them with those of the server, and asks it about each that changes.
/// The steps of the drafts come first, in their order; then those of the removed ones that are
/// cancelled.
///
/// # Errors
/// If the server does not list its heartbeats, or the journal cannot be read.
pub async fn plan_heartbeats(
    drafts: Vec<HeartbeatDraft>,
    removed: Vec<RemovedHeartbeat>,
    policy: HeartbeatPolicy,
    publisher: Publisher<'_>,
    locks: &LockFiles,
) -> Result<Vec<PlannedHeartbeat>, PublishError> {
    if drafts.is_empty() && removed.is_empty() {
        return Ok(Vec::new());
    }
    let listed = publisher.client.all_heartbeats().await?.items;
    let unfinished = publisher.unfinished()?;
    let mut comparer =
        Comparer { listed, unfinished, removed, policy, locks, client: publisher.client };
    let mut planned = Vec::new();
    for draft in drafts {
        let (name, key) = (draft.create.name.clone(), draft.key.clone());
        let step = Box::pin(comparer.plan(draft)).await.unwrap_or_else(HeartbeatStep::Blocked);
        planned.push(PlannedHeartbeat { name, key, step });
    }
    if policy.removed == RemovedHeartbeats::Cancel {
        for removed in std::mem::take(&mut comparer.removed) {
            // A heartbeat that is not listed is cancelled already.
            let Some(listed) = comparer.take(&removed.known.heartbeat_id) else { continue };
            let step = comparer.cancellation(listed, &removed.known).await;
            let step = step.unwrap_or_else(HeartbeatStep::Blocked);
            let name = removed.key.name.clone();
            planned.push(PlannedHeartbeat { name, key: Some(removed.key), step });
        }
    }
    Ok(planned)
}

/// What the steps are planned from.
struct Comparer<'a> {
    /// The heartbeats of the server that belong to no step yet.
    listed: Vec<HeartbeatListItem>,
    /// The writes that were begun and have not ended, by their subjects.
    unfinished: BTreeMap<String, Vec<Unfinished>>,
    /// The recorded heartbeats that `sprout.yaml` does not contain, as far as none of them was
    /// found under another name.
    removed: Vec<RemovedHeartbeat>,
    policy: HeartbeatPolicy,
    locks: &'a LockFiles,
    client: &'a Client,
}

impl Comparer<'_> {
    async fn plan(&mut self, draft: HeartbeatDraft) -> Result<HeartbeatStep, HeartbeatBlocked> {
        let HeartbeatDraft { create, key, known } = draft;
        let Some(key) = key else { return self.creation(create).await };
        if let Some(known) = known {
            if let Some(listed) = self.take(&known.heartbeat_id) {
                return self.comparison(create, listed, Some(&known)).await;
            }
            // Another machine may have created it again.
            if let Some(listed) = self.take_same(&create).await? {
                return self.comparison(create, listed, None).await;
            }
            if self.is_cancelled_elsewhere(&known.heartbeat_id) {
                let heartbeat_id = known.heartbeat_id;
                return Err(HeartbeatBlocked::CancelledElsewhere { heartbeat_id });
            }
            return self.creation(create).await;
        }
        let is_renamed = |removed: &RemovedHeartbeat| {
            removed.key.skill == key.skill
                && self.listed.iter().any(|listed| {
                    listed.heartbeat_id == removed.known.heartbeat_id
                        && has_equal_content(&with_name(&create, &listed.name), listed)
                })
        };
        if let Some(index) = self.removed.iter().position(is_renamed) {
            let RemovedHeartbeat { known, .. } = self.removed.remove(index);
            let listed = self.take(&known.heartbeat_id).expect("it was found in the list");
            return self.comparison(create, listed, Some(&known)).await;
        }
        if let Some(listed) = self.take_same(&create).await? {
            return self.comparison(create, listed, None).await;
        }
        if let Some(heartbeat_id) = self.renamed_and_cancelled(&create, &key) {
            return Err(HeartbeatBlocked::CancelledElsewhere { heartbeat_id });
        }
        self.creation(create).await
    }

    /// Returns the heartbeat that this one is under another name, if another writer has cancelled
    /// it.
    fn renamed_and_cancelled(
        &self,
        create: &HeartbeatCreate,
        key: &HeartbeatKey,
    ) -> Option<HeartbeatId> {
        let is_it = |removed: &&RemovedHeartbeat| {
            let RemovedHeartbeat { key: earlier, known } = removed;
            earlier.skill == key.skill
                && self.listed.iter().all(|listed| listed.heartbeat_id != known.heartbeat_id)
                && known.content_hash == Some(content_of(&with_name(create, &earlier.name)))
                && self.is_cancelled_elsewhere(&known.heartbeat_id)
        };
        self.removed.iter().find(is_it).map(|removed| removed.known.heartbeat_id.clone())
    }

    /// Takes a heartbeat from the list.
    fn take(&mut self, id: &HeartbeatId) -> Option<HeartbeatListItem> {
        let index = self.listed.iter().position(|item| item.heartbeat_id == *id)?;
        Some(self.listed.remove(index))
    }

    /// Takes the heartbeat that another machine has made from the same `sprout.yaml`: one of the
    /// same skill, preferably with the same content, or else with the same name.
    async fn take_same(
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
        let free = || self.listed.iter().filter(is_free);
        let is_same = |item: &&HeartbeatListItem| {
            let is_of_skill = item.run_skill_id.is_some() || item.content_hash.is_some();
            is_of_skill && has_equal_content(create, item)
        };
        let id = if let Some(same) = free().find(is_same) {
            Some(same.heartbeat_id.clone())
        } else {
            let is_namesake = |item: &&HeartbeatListItem| {
                item.run_skill_id.is_some()
                    && item.name.trim() == create.name.trim()
                    && item.child_id == create.child_id
            };
            free().find(is_namesake).map(|item| item.heartbeat_id.clone())
        };
        if let Some(id) = id {
            return Ok(self.take(&id));
        }
        // A server that does not list what a heartbeat runs warns that there is one for the skill.
        let is_similar = |item: &&HeartbeatListItem| {
            item.run_skill_id.is_none() && item.name == create.name && item.cron == create.cron
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

    async fn creation(&self, create: HeartbeatCreate) -> Result<HeartbeatStep, HeartbeatBlocked> {
        let description = self.client.describe_create(&create).await?;
        let (create, replaced) = (Box::new(create), None);
        Ok(HeartbeatStep::Create(HeartbeatCreation { create, description, replaced }))
    }

    /// Compares a heartbeat with the one on the server. `known` is what is recorded of that one.
    async fn comparison(
        &self,
        mut create: HeartbeatCreate,
        listed: HeartbeatListItem,
        known: Option<&PublishedHeartbeat>,
    ) -> Result<HeartbeatStep, HeartbeatBlocked> {
        let listed = Box::new(listed);
        if create.child_id.is_none() {
            create.child_id.clone_from(&listed.child_id);
        } else if listed.content_hash.is_some() && create.child_id != listed.child_id {
            let heartbeat_id = listed.heartbeat_id;
            return Err(HeartbeatBlocked::OtherChild { heartbeat_id });
        }
        let as_listed = as_listed(&create, &listed);
        if has_equal_content(&create, &listed) && self.has_same_words(&create, &listed).await? {
            let published = published(&listed.heartbeat_id, &create);
            let unrecorded = (known != Some(&published)).then_some(published);
            return Ok(HeartbeatStep::Unchanged(HeartbeatUnchanged { listed, unrecorded }));
        }
        if self.is_changed_elsewhere(&listed, &as_listed, known) {
            let (is_recorded, wanted) = (known.is_some(), Some(Box::new(create)));
            return Err(HeartbeatBlocked::ChangedElsewhere { listed, wanted, is_recorded });
        }
        if !has_equal_content(&as_listed, &listed) {
            // As a new one, it would be in conflict with the one that it takes the place of.
            let description = self.client.describe_update(&schedule(&create, &listed)).await?;
            let (create, replaced) = (Box::new(create), Some(listed));
            return Ok(HeartbeatStep::Create(HeartbeatCreation { create, description, replaced }));
        }
        let updates = updates(&create, as_listed, &listed);
        let (first, _) = updates.first().expect("a difference that an update can make");
        let description = self.client.describe_update(first).await?;
        Ok(HeartbeatStep::Update(HeartbeatEdit { updates, listed, description }))
    }

    /// Returns `true` if the server says the same of the schedule, where it does not list the time
    /// zone: the words and the next fire depend on it.
    async fn has_same_words(
        &self,
        create: &HeartbeatCreate,
        listed: &HeartbeatListItem,
    ) -> Result<bool, ClientError> {
        if listed.tz.is_some() {
            return Ok(true);
        }
        let description = self.client.describe_update(&schedule(create, listed)).await?;
        Ok(description.cadence_text == listed.cadence_text
            && (!listed.enabled || description.next_fire_at == listed.next_run_at))
    }

    async fn cancellation(
        &self,
        listed: HeartbeatListItem,
        known: &PublishedHeartbeat,
    ) -> Result<HeartbeatStep, HeartbeatBlocked> {
        let listed = Box::new(listed);
        let foreign = self.policy.foreign_changes == ForeignChanges::Block;
        if foreign && listed.content_hash.is_some() && !self.has_seen(&listed, None, known) {
            let (is_recorded, wanted) = (true, None);
            return Err(HeartbeatBlocked::ChangedElsewhere { listed, wanted, is_recorded });
        }
        let heartbeat_id = listed.heartbeat_id.clone();
        let cancel = HeartbeatUpdate { heartbeat_id, change: HeartbeatChange::Cancel };
        self.client.describe_update(&cancel).await?;
        Ok(HeartbeatStep::Cancel(listed))
    }

    /// Returns `true` if a heartbeat is not as it was left from here, and that matters.
    fn is_changed_elsewhere(
        &self,
        listed: &HeartbeatListItem,
        as_listed: &HeartbeatCreate,
        known: Option<&PublishedHeartbeat>,
    ) -> bool {
        self.policy.foreign_changes == ForeignChanges::Block
            && known.is_none_or(|known| !self.has_seen(listed, Some(as_listed), known))
    }

    /// Returns `true` if a heartbeat is as it was left from here: by what is recorded, or after a
    /// write whose answer was lost. Where the server lists no content hash, the content is what is
    /// listed, and for the rest that of the heartbeat here.
    fn has_seen(
        &self,
        listed: &HeartbeatListItem,
        as_listed: Option<&HeartbeatCreate>,
        known: &PublishedHeartbeat,
    ) -> bool {
        let content = listed.content_hash.clone();
        let content = content.or_else(|| as_listed.map(content_of));
        has_known_content(listed, content.as_ref(), known, &self.unfinished)
    }

    /// Returns `true` if a heartbeat that is not listed was cancelled by another writer, and that
    /// matters.
    fn is_cancelled_elsewhere(&self, id: &HeartbeatId) -> bool {
        let mut unfinished = self.unfinished.get(&heartbeat_subject(id)).into_iter().flatten();
        self.policy.foreign_changes == ForeignChanges::Block && !unfinished.any(is_cancellation)
    }
}

/// Returns `true` if the content of a heartbeat is the one that is recorded, or one that an
/// unfinished write leads to.
pub(super) fn has_known_content(
    listed: &HeartbeatListItem,
    content: Option<&String>,
    known: &PublishedHeartbeat,
    unfinished: &BTreeMap<String, Vec<Unfinished>>,
) -> bool {
    let unfinished = unfinished.get(&heartbeat_subject(&listed.heartbeat_id));
    let details = unfinished.into_iter().flatten().filter_map(|it| it.details.as_ref());
    let targets = details.filter_map(|write| write.target.as_ref());
    targets.chain(&known.content_hash).any(|hash| Some(hash) == content)
}

/// Returns the changes that give a heartbeat its schedule and its name. `after` is the heartbeat as
/// it is listed.
fn updates(
    create: &HeartbeatCreate,
    mut after: HeartbeatCreate,
    listed: &HeartbeatListItem,
) -> Vec<(HeartbeatUpdate, String)> {
    let mut updates = Vec::new();
    let has_same_schedule = create.cron == listed.cron
        && listed.tz.as_ref().is_some_and(|tz| tz.eq_ignore_ascii_case(time_zone(create)));
    if !has_same_schedule {
        after.cron.clone_from(&create.cron);
        after.tz.clone_from(&create.tz);
        updates.push((schedule(create, listed), content_of(&after)));
    }
    if create.name != listed.name {
        after.name.clone_from(&create.name);
        let change = HeartbeatChange::EditName { name: create.name.clone() };
        let heartbeat_id = listed.heartbeat_id.clone();
        updates.push((HeartbeatUpdate { heartbeat_id, change }, content_of(&after)));
    }
    updates
}

fn schedule(create: &HeartbeatCreate, listed: &HeartbeatListItem) -> HeartbeatUpdate {
    let change = HeartbeatChange::EditSchedule {
        cron: Some(create.cron.clone()),
        tz: Some(time_zone(create).to_owned()),
    };
    HeartbeatUpdate { heartbeat_id: listed.heartbeat_id.clone(), change }
}

fn time_zone(create: &HeartbeatCreate) -> &str {
    create.tz.as_deref().unwrap_or(TIME_ZONE_DEFAULT)
}

fn with_name(create: &HeartbeatCreate, name: &str) -> HeartbeatCreate {
    HeartbeatCreate { name: name.to_owned(), ..create.clone() }
}

/// Returns a heartbeat with everything that is listed and that an update can change.
fn as_listed(create: &HeartbeatCreate, listed: &HeartbeatListItem) -> HeartbeatCreate {
    HeartbeatCreate {
        name: listed.name.clone(),
        cron: listed.cron.clone(),
        tz: listed.tz.clone().or_else(|| create.tz.clone()),
        ..create.clone()
    }
}

/// Returns `true` if a listed heartbeat has the content of this one, as far as the server lists it.
fn has_equal_content(create: &HeartbeatCreate, listed: &HeartbeatListItem) -> bool {
    match &listed.content_hash {
        Some(hash) => *hash == content_of(create),
        None => create.name == listed.name && create.cron == listed.cron,
    }
}

/// Returns the content hash of the heartbeat that these arguments create.
fn content_of(create: &HeartbeatCreate) -> String {
    ContentHash::of_heartbeat(create).to_string()
}

/// Returns what is recorded of a heartbeat with this content.
pub(crate) fn published(id: &HeartbeatId, create: &HeartbeatCreate) -> PublishedHeartbeat {
    PublishedHeartbeat { heartbeat_id: id.clone(), content_hash: Some(content_of(create)) }
}
