//! What has to be done for each heartbeat.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::counterpart::Counterpart;
use super::distinct_heartbeats::{owners, separate};
use super::heartbeat_content::{
    as_listed, has_equal_content, in_form_of, is_as_left, listed_changes, record_of, schedule,
    updates, with_listed_cron, with_name,
};
use super::heartbeat_description::{check_cancellation, describe, has_same_words};
use super::heartbeat_merge::merge;
use super::heartbeat_missed::has_equal_missed_fires;
use super::heartbeat_run::{
    assumed_of, colliding_run, has_equal_run, is_as_recorded, lists_equal_run,
};
use super::heartbeat_step::{
    Assumed, HeartbeatBlocked, HeartbeatCreation, HeartbeatDraft, HeartbeatEdit, HeartbeatKey,
    HeartbeatPolicy, HeartbeatStep, HeartbeatUnchanged, PlannedHeartbeat, RemovedHeartbeat,
    RemovedHeartbeats, UndoneHeartbeat, UnrecordedHeartbeats,
};
use super::interrupted_heartbeats::remove_interrupted;
use super::new_heartbeats::hold_back_new;
use super::passing_duplicates::remove_passing_duplicates;
use super::possible_duplicates::{find_duplicates, possible_duplicate};
use super::renamed_heartbeats::{RenamedHeartbeats, is_renamed_here};
use super::replaced_heartbeats::{only_of_same_name, replacement};
use super::skill_step::ForeignChanges;
use crate::client::Client;
use crate::journal::Unfinished;
use crate::listing::Listed;
use crate::publish::heartbeat_journal::{
    heartbeat_subject, is_cancellation_of_push, is_pause_unfinished,
};
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::LockKey;
use crate::publish::published::PublishedHeartbeat;
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::contract::{
    HeartbeatChange, HeartbeatCreate, HeartbeatId, HeartbeatListItem, HeartbeatUpdate,
};

/// Plans heartbeats: compares them with those of the server, and asks it about each that changes.
/// The steps of the drafts come first, in their order; then those of the removed ones that are
/// cancelled.
///
/// # Errors
/// If the server does not list its heartbeats, or the journal cannot be read.
pub async fn plan_heartbeats(
    mut drafts: Vec<HeartbeatDraft>,
    mut removed: Vec<RemovedHeartbeat>,
    policy: HeartbeatPolicy,
    publisher: Publisher<'_>,
    locks: &LockFiles,
) -> Result<Vec<PlannedHeartbeat>, PublishError> {
    if drafts.is_empty() && removed.is_empty() {
        return Ok(Vec::new());
    }
    separate(&mut drafts, &mut removed);
    let mut unsent = Vec::new();
    for draft in &mut drafts {
        unsent.push(publisher.client.take_unsent(&mut draft.create).await?);
    }
    let mut listed = publisher.client.all_heartbeats().await?.require_readable()?;
    let unfinished = publisher.unfinished()?;
    let renamed = RenamedHeartbeats::find(&drafts, &removed);
    let client = publisher.client;
    let existing = listed.items.iter().map(|item| item.heartbeat_id.clone()).collect();
    remove_interrupted(&mut listed.items, &drafts, publisher, locks)?;
    let unrecorded = drafts.iter().filter(|draft| draft.known.is_none());
    let unrecorded = unrecorded.map(|draft| draft.create.clone()).collect();
    let mut comparer = Comparer {
        listed,
        unfinished,
        removed,
        renamed,
        policy,
        locks,
        client,
        existing,
        unrecorded,
    };
    let (mut planned, owners) = (Vec::new(), owners(&drafts));
    for ((draft, owner), unsent) in drafts.into_iter().zip(owners).zip(unsent) {
        let (name, key) = (draft.create.name.clone(), draft.key.clone());
        let step = match owner {
            Some(owner) => Err(HeartbeatBlocked::OfOtherDirectory(owner)),
            None => Box::pin(comparer.plan(draft)).await,
        };
        let step = step.unwrap_or_else(HeartbeatStep::Blocked);
        planned.push(PlannedHeartbeat { name, key, unsent, step });
    }
    if policy.removed == RemovedHeartbeats::Cancel {
        for removed in std::mem::take(&mut comparer.removed) {
            let step = match comparer.take_recorded(&removed.known.heartbeat_id) {
                Ok(Some(listed)) => comparer.cancellation(listed, &removed.known).await,
                Ok(None) if comparer.is_never_listed(&removed.known) => {
                    Ok(HeartbeatStep::Unlisted(removed.known.heartbeat_id))
                }
                // One that is blocked may be this one under another name.
                Ok(None) if is_blocked(&planned, &removed.key.skill) => continue,
                Ok(None) => Ok(HeartbeatStep::Forget(removed.known.heartbeat_id)),
                Err(error) => Err(error.into()),
            };
            let step = step.unwrap_or_else(HeartbeatStep::Blocked);
            let name = removed.key.name.clone();
            planned.push(PlannedHeartbeat { name, key: Some(removed.key), unsent: None, step });
        }
    }
    hold_back_new(&mut planned);
    remove_passing_duplicates(&mut planned, &comparer.listed.items);
    find_duplicates(&mut planned, &comparer.listed.items, locks);
    Ok(planned)
}

/// Returns `true` if a heartbeat of a skill is blocked.
fn is_blocked(planned: &[PlannedHeartbeat], skill: &LockKey) -> bool {
    planned.iter().any(|heartbeat| {
        heartbeat.step.blocked().is_some()
            && heartbeat.key.as_ref().is_some_and(|key| key.skill == *skill)
    })
}

/// What the steps are planned from.
pub(super) struct Comparer<'a> {
    /// The heartbeats of the server that belong to no step yet.
    pub(super) listed: Listed<HeartbeatListItem>,
    /// The writes that were begun and have not ended, by their subjects.
    pub(super) unfinished: BTreeMap<String, Vec<Unfinished>>,
    /// The recorded heartbeats that `sprout.yaml` does not contain, as far as none of them was
    /// found under another name.
    pub(super) removed: Vec<RemovedHeartbeat>,
    pub(super) renamed: RenamedHeartbeats,
    pub(super) policy: HeartbeatPolicy,
    pub(super) locks: &'a LockFiles,
    pub(super) client: &'a Client,
    /// All heartbeats of the server.
    existing: Arc<[HeartbeatId]>,
    /// The heartbeats of `sprout.yaml` that are not recorded.
    pub(super) unrecorded: Vec<HeartbeatCreate>,
}

impl Comparer<'_> {
    async fn plan(&mut self, draft: HeartbeatDraft) -> Result<HeartbeatStep, HeartbeatBlocked> {
        let (create, key) = (draft.create.clone(), draft.key.clone());
        let step = Box::pin(self.step(draft)).await?;
        let subject = key.map(|key| key.subject());
        let is_paused = subject.is_some_and(|subject| {
            is_pause_unfinished(&self.unfinished, &subject, step.existing_id())
        });
        if is_paused { self.with_pause(step, &create).await } else { Ok(step) }
    }

    async fn step(&mut self, draft: HeartbeatDraft) -> Result<HeartbeatStep, HeartbeatBlocked> {
        let HeartbeatDraft { create, key, known } = draft;
        match (key, known) {
            (None, _) => self.creation(create, UndoneHeartbeat::Nothing).await,
            (Some(_), Some(known)) => Box::pin(self.recorded_step(create, known)).await,
            (Some(key), None) => Box::pin(self.unrecorded_step(create, key)).await,
        }
    }

    async fn recorded_step(
        &mut self,
        create: HeartbeatCreate,
        known: PublishedHeartbeat,
    ) -> Result<HeartbeatStep, HeartbeatBlocked> {
        if let Some(listed) = self.take_recorded(&known.heartbeat_id)? {
            return self.comparison(create, listed, Counterpart::Recorded(&known)).await;
        }
        // Another machine may have created it again.
        if let Some(listed) = self.take_same(&create).await? {
            return self.comparison(create, listed, Counterpart::Same).await;
        }
        let is_changed_here = !is_as_recorded(&create, &known);
        if self.is_never_listed(&known) {
            let id = known.heartbeat_id;
            return if is_changed_here {
                Err(HeartbeatBlocked::Unlisted(id))
            } else {
                Ok(HeartbeatStep::Unlisted(id))
            };
        }
        let same_name = only_of_same_name(&create, &self.listed.items, self.locks);
        let same_name = same_name.map(|item| item.heartbeat_id.clone());
        let is_cancelled = self.is_cancelled_elsewhere(&known.heartbeat_id);
        if is_cancelled && self.policy.foreign_changes == ForeignChanges::Block {
            let heartbeat_id = known.heartbeat_id;
            return Err(HeartbeatBlocked::CancelledElsewhere {
                heartbeat_id,
                is_changed_here,
                same_name,
            });
        }
        let skill_id = &create.run_skill_id;
        let is_candidate = |item: &HeartbeatListItem| item.child_id == create.child_id;
        let replacement =
            replacement(&create, skill_id, &self.listed.items, self.locks, is_candidate);
        let replacement = replacement.map(|item| item.heartbeat_id.clone());
        if let Some(listed) = replacement.and_then(|id| self.take(&id)) {
            return self.comparison(create, listed, Counterpart::SameName).await;
        }
        let cancelled = is_cancelled.then_some(UndoneHeartbeat::Cancellation);
        self.creation(create, cancelled.unwrap_or_default()).await
    }

    async fn unrecorded_step(
        &mut self,
        create: HeartbeatCreate,
        key: HeartbeatKey,
    ) -> Result<HeartbeatStep, HeartbeatBlocked> {
        let is_renamed = |removed: &RemovedHeartbeat| {
            removed.key.skill == key.skill
                && self.listed.items.iter().any(|listed| {
                    listed.heartbeat_id == removed.known.heartbeat_id
                        && (has_equal_content(&with_name(&create, &listed.name), listed, None)
                            || is_renamed_here(&create, removed))
                })
        };
        if let Some(index) = self.removed.iter().position(is_renamed) {
            let RemovedHeartbeat { known, .. } = self.removed.remove(index);
            let listed = self.take(&known.heartbeat_id).expect("it was found in the list");
            return self.comparison(create, listed, Counterpart::Recorded(&known)).await;
        }
        let earlier = self.renamed_and_unlisted(&create, &key);
        if let Some(earlier) = &earlier {
            self.listed.find(&earlier.heartbeat_id)?;
        }
        if let Some(listed) = self.take_same(&create).await? {
            return self.comparison(create, listed, Counterpart::Same).await;
        }
        if let Some((listed, known)) = self.take_paused(&create, &key) {
            return self.comparison(create, listed, Counterpart::Recorded(&known)).await;
        }
        if let Some(earlier) = earlier.as_ref().filter(|earlier| self.is_never_listed(earlier)) {
            return Err(HeartbeatBlocked::Unlisted(earlier.heartbeat_id.clone()));
        }
        let earlier = earlier.map(|earlier| earlier.heartbeat_id);
        let cancelled = earlier.filter(|id| self.is_cancelled_elsewhere(id));
        if let Some(heartbeat_id) = &cancelled
            && self.policy.foreign_changes == ForeignChanges::Block
        {
            return Err(HeartbeatBlocked::CancelledElsewhere {
                heartbeat_id: heartbeat_id.clone(),
                is_changed_here: true,
                same_name: None,
            });
        }
        if let Some(step) = Box::pin(self.take_alike(&create)).await? {
            return Ok(step);
        }
        self.require_new(&create, &key)?;
        let cancelled = cancelled.map(|_| UndoneHeartbeat::Cancellation);
        self.creation(create, cancelled.unwrap_or_default()).await
    }

    async fn creation(
        &self,
        create: HeartbeatCreate,
        undoes: UndoneHeartbeat,
    ) -> Result<HeartbeatStep, HeartbeatBlocked> {
        let description = self.client.describe_create(&create).await?;
        let possible_duplicate = possible_duplicate(&create, &self.listed.items, self.locks);
        let possible_duplicate =
            possible_duplicate.filter(|_| self.policy.unrecorded != UnrecordedHeartbeats::Create);
        let (create, existing) = (Box::new(create), Arc::clone(&self.existing));
        Ok(HeartbeatStep::Create(HeartbeatCreation {
            create,
            description,
            replaced: None,
            is_paused: false,
            existing,
            foreign_changes: self.policy.foreign_changes,
            undoes,
            possible_duplicate,
        }))
    }

    /// Compares a heartbeat with the one on the server.
    async fn comparison(
        &self,
        create: HeartbeatCreate,
        listed: HeartbeatListItem,
        counterpart: Counterpart<'_>,
    ) -> Result<HeartbeatStep, HeartbeatBlocked> {
        let mut create = with_listed_cron(&create, &listed);
        let (listed, known) = (Box::new(listed), counterpart.known());
        if create.child_id.is_none() {
            create.child_id.clone_from(&listed.child_id);
        } else if listed.content_hash.is_some() && create.child_id != listed.child_id {
            let heartbeat_id = listed.heartbeat_id;
            return Err(HeartbeatBlocked::OtherChild { heartbeat_id });
        }
        let formed = in_form_of(&create, &listed, known);
        let as_listed = as_listed(&create, &formed);
        let has_run = match counterpart {
            Counterpart::Recorded(_) => has_equal_run(&as_listed, &formed, known),
            Counterpart::Same | Counterpart::SameName => lists_equal_run(&as_listed, &formed),
        };
        if has_equal_content(&create, &formed, known)
            && (has_run || !matches!(counterpart, Counterpart::SameName))
            && Box::pin(has_same_words(&create, &listed, known, self.client)).await?
        {
            let published = record_of(&create, &listed);
            let unrecorded = (known != Some(&published)).then_some(published);
            let assumed = known.map_or_else(|| assumed_of(&create, &listed), |_| Assumed::Nothing);
            let duplicates = Vec::new();
            let unchanged = HeartbeatUnchanged { listed, unrecorded, assumed, duplicates };
            return Ok(HeartbeatStep::Unchanged(unchanged));
        }
        let undoes = self.foreign_edit((&listed, &formed), &as_listed, known);
        let is_blocked = self.policy.foreign_changes == ForeignChanges::Block;
        if is_blocked && undoes != UndoneHeartbeat::Nothing {
            let colliding = known.and_then(|known| {
                let colliding = merge(&create, &as_listed, known).err();
                colliding.or_else(|| colliding_run(&create, &listed, known))
            });
            let (is_recorded, wanted) = (known.is_some(), Some(Box::new(create)));
            return Err(HeartbeatBlocked::ChangedElsewhere {
                listed,
                wanted,
                is_recorded,
                colliding,
            });
        }
        let is_editable = has_equal_missed_fires(&create, &formed, known)
            || self.client.edits_missed_fires().await?;
        if !has_run || !is_editable {
            // As a new one, it would be in conflict with the one that it takes the place of.
            let update = schedule(&create, &listed);
            let description = Box::pin(describe(&update, &create, &listed, self.client)).await?;
            let (create, existing) = (Box::new(create), Arc::clone(&self.existing));
            return Ok(HeartbeatStep::Create(HeartbeatCreation {
                create,
                description,
                is_paused: !listed.enabled,
                replaced: Some(listed),
                existing,
                foreign_changes: self.policy.foreign_changes,
                undoes,
                possible_duplicate: None,
            }));
        }
        let updates = updates(&create, as_listed, &formed, known);
        let (first, _) = updates.first().expect("a difference that an update can make");
        let description = Box::pin(describe(first, &create, &listed, self.client)).await?;
        Ok(HeartbeatStep::Update(HeartbeatEdit { updates, listed, description, undoes }))
    }

    async fn cancellation(
        &self,
        listed: HeartbeatListItem,
        known: &PublishedHeartbeat,
    ) -> Result<HeartbeatStep, HeartbeatBlocked> {
        let listed = Box::new(listed);
        let is_left = is_as_left(&listed, None, known, &self.unfinished);
        if !is_left && self.policy.foreign_changes == ForeignChanges::Block {
            return Err(HeartbeatBlocked::ChangedElsewhere {
                listed,
                wanted: None,
                is_recorded: true,
                colliding: None,
            });
        }
        let heartbeat_id = listed.heartbeat_id.clone();
        let cancel = HeartbeatUpdate { heartbeat_id, change: HeartbeatChange::Cancel };
        Box::pin(check_cancellation(&cancel, &listed, self.client)).await?;
        let changes = || UndoneHeartbeat::Changes(listed_changes(&listed, known));
        let undoes = if is_left { UndoneHeartbeat::Nothing } else { changes() };
        Ok(HeartbeatStep::Cancel(listed, undoes))
    }

    /// Returns what another writer has done with a heartbeat since it was left from here.
    fn foreign_edit(
        &self,
        (listed, formed): (&HeartbeatListItem, &HeartbeatListItem),
        as_listed: &HeartbeatCreate,
        known: Option<&PublishedHeartbeat>,
    ) -> UndoneHeartbeat {
        let Some(known) = known else { return UndoneHeartbeat::Creation };
        let is_left = |item| is_as_left(item, Some(as_listed), known, &self.unfinished);
        if is_left(listed) || is_left(formed) {
            UndoneHeartbeat::Nothing
        } else {
            UndoneHeartbeat::Changes(listed_changes(formed, known))
        }
    }

    /// Returns `true` if a heartbeat that is not listed may exist all the same.
    fn is_never_listed(&self, known: &PublishedHeartbeat) -> bool {
        self.locks.is_never_listed(known, &*self.existing)
    }

    /// Returns `true` if a heartbeat that is not listed was cancelled otherwise than by a push from here.
    fn is_cancelled_elsewhere(&self, id: &HeartbeatId) -> bool {
        let mut unfinished = self.unfinished.get(&heartbeat_subject(id)).into_iter().flatten();
        !unfinished.any(is_cancellation_of_push)
    }
}
