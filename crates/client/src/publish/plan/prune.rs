//! What has to be done to archive the skills of directories that are gone.

use std::collections::{BTreeMap, BTreeSet};

use super::heartbeat_content::is_as_left;
use super::heartbeat_description::check_cancellation;
use super::heartbeat_step::{HeartbeatPolicy, RemovedHeartbeats};
use super::possible_duplicates::unknown;
use super::running_heartbeats::heartbeats_or_none;
use super::skill_step::ForeignChanges;
use crate::error::ClientError;
use crate::journal::Unfinished;
use crate::listing::Listed;
use crate::publish::base_contents::BaseContents;
use crate::publish::conflict::{MergeBase, changed_fields, take_field};
use crate::publish::listed_skills::ListedSkills;
use crate::publish::lock_files::{LockFiles, MissingRecord};
use crate::publish::publisher::{PublishError, Publisher};
use crate::publish::skill_patch::SkillPatch;
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    HeartbeatChange, HeartbeatId, HeartbeatListItem, HeartbeatUpdate, SkillId, SkillUpdate,
    StoredSkill,
};

/// A skill whose directory is gone, and what has to be done to archive it.
#[derive(Debug)]
pub struct PlannedPrune {
    /// The skill, as it is recorded.
    pub missing: MissingRecord,
    /// What is done, or why it is not archived.
    pub step: Result<PruneStep, PruneBlocked>,
}

/// What is done to archive a skill.
#[derive(Clone, Debug, Default)]
pub struct PruneStep {
    /// The heartbeats that are cancelled for good before.
    pub heartbeats: Vec<HeartbeatListItem>,
    /// The names of those of them that another writer has changed.
    pub changed_heartbeats: Vec<String>,
    /// What another writer has changed of the skill.
    pub changes: Option<UndoneChanges>,
    /// The label of the skill on the server, unless it is out of use there already.
    pub label: Option<String>,
    /// The content of the skill on the server, unless it is out of use there already: no other content
    /// is archived.
    pub content: Option<ContentHash>,
    /// Heartbeats that are recorded for no skill, and of which the server does not list what they run.
    pub unknown: Vec<HeartbeatListItem>,
    /// The names of those that were published with it, and that the server has never listed.
    pub unlisted: Vec<String>,
}

/// What another writer has changed of a skill since it was published or pulled.
#[derive(Clone, Debug)]
pub struct UndoneChanges {
    /// The names of the fields in a draft; none if it is not known what was published.
    pub fields: Vec<&'static str>,
    /// What was published and the change of it, if this machine still has that.
    pub update: Option<(Box<StoredSkill>, Box<SkillUpdate>)>,
}

/// Why a skill is not archived.
#[derive(Debug)]
pub enum PruneBlocked {
    /// Another writer has changed it.
    SkillChanged,
    /// Another writer has changed these heartbeats of it.
    HeartbeatsChanged(Vec<HeartbeatListItem>),
    /// These heartbeats run it, and are not cancelled with it: they were not published with it, or
    /// the heartbeats are to stay as they are.
    InUse(Vec<HeartbeatListItem>),
    /// A call failed.
    Call(ClientError),
}

impl From<ClientError> for PruneBlocked {
    fn from(error: ClientError) -> Self {
        Self::Call(error)
    }
}

/// Plans to archive the skills of directories that are gone, and to cancel their heartbeats.
///
/// # Errors
/// If the server does not list its heartbeats, or the journal cannot be read.
pub async fn plan_prunes(
    missing: Vec<MissingRecord>,
    policy: HeartbeatPolicy,
    publisher: Publisher<'_>,
    locks: &LockFiles,
) -> Result<Vec<PlannedPrune>, PublishError> {
    if missing.is_empty() {
        return Ok(Vec::new());
    }
    let client = publisher.client;
    let is_none_recorded = || missing.iter().all(|it| it.published.heartbeats.is_empty());
    let listed = heartbeats_or_none(client.all_heartbeats().await, is_none_recorded)?;
    let listed = listed.require_readable()?;
    let unfinished = publisher.unfinished()?;
    let skills = ListedSkills::new(client);
    let comparer = PruneComparer { listed, unfinished, policy, skills, locks };
    let mut steps = Vec::new();
    for record in &missing {
        steps.push(comparer.plan(record, &missing).await);
    }
    let planned = missing.into_iter().zip(steps);
    Ok(planned.map(|(missing, step)| PlannedPrune { missing, step }).collect())
}

/// What the steps are planned from.
struct PruneComparer<'a> {
    /// The heartbeats of the server.
    listed: Listed<HeartbeatListItem>,
    /// The writes that were begun and have not ended, by their subjects.
    unfinished: BTreeMap<String, Vec<Unfinished>>,
    policy: HeartbeatPolicy,
    skills: ListedSkills<'a>,
    locks: &'a LockFiles,
}

impl PruneComparer<'_> {
    async fn plan(
        &self,
        record: &MissingRecord,
        missing: &[MissingRecord],
    ) -> Result<PruneStep, PruneBlocked> {
        let is_judged = self.policy.foreign_changes == ForeignChanges::Block;
        let state = stored_state(record, &self.skills).await?;
        if is_judged && matches!(state, StoredState::Changed(_)) {
            return Err(PruneBlocked::SkillChanged);
        }
        let in_use = self.others_of(&record.published.skill_id, missing);
        if !matches!(state, StoredState::OutOfUse) && !in_use.is_empty() {
            return Err(PruneBlocked::InUse(in_use));
        }
        let mut recorded = Vec::new();
        for known in record.published.distinct_heartbeats() {
            // A heartbeat that does not exist any more is cancelled already.
            recorded.extend(self.listed.find(&known.heartbeat_id)?.map(|item| (item, known)));
        }
        if self.policy.removed == RemovedHeartbeats::Keep && !recorded.is_empty() {
            let kept = recorded.into_iter().map(|(item, _)| item.clone());
            return Err(PruneBlocked::InUse(kept.collect()));
        }
        let is_changed =
            |item: &HeartbeatListItem, known| !is_as_left(item, None, known, &self.unfinished);
        let changed = recorded.iter().filter(|(item, known)| is_changed(item, known));
        let changed: Vec<_> = changed.map(|(item, _)| (*item).clone()).collect();
        if is_judged && !changed.is_empty() {
            return Err(PruneBlocked::HeartbeatsChanged(changed));
        }
        for (item, _) in &recorded {
            let heartbeat_id = item.heartbeat_id.clone();
            let cancel = HeartbeatUpdate { heartbeat_id, change: HeartbeatChange::Cancel };
            check_cancellation(&cancel, item, self.skills.client()).await?;
        }
        let (label, content, undone) = match state {
            StoredState::Changed(stored) => (
                Some(stored.name.clone()),
                Some(ContentHash::of_stored(&stored)),
                Some(undone_changes(record, &stored, self.locks.bases())),
            ),
            StoredState::AsRecorded(label, content) => (Some(label), Some(content), None),
            StoredState::OutOfUse => (None, None, None),
        };
        Ok(PruneStep {
            heartbeats: recorded.into_iter().map(|(item, _)| item.clone()).collect(),
            changed_heartbeats: changed.into_iter().map(|item| item.name).collect(),
            changes: undone,
            label,
            content,
            unknown: unknown(&self.listed.items, self.locks).cloned().collect(),
            unlisted: self.unlisted(record),
        })
    }

    fn unlisted(&self, record: &MissingRecord) -> Vec<String> {
        let ids = || self.listed.items.iter().map(|item| &item.heartbeat_id);
        let heartbeats = record.published.heartbeats.iter();
        let unlisted = heartbeats.filter(|(_, known)| {
            ids().all(|id| *id != known.heartbeat_id) && self.locks.is_never_listed(known, ids())
        });
        unlisted.map(|(name, _)| name.clone()).collect()
    }

    /// Returns the heartbeats that run a skill and are recorded for none of the directories that it
    /// was published from.
    fn others_of(&self, skill_id: &SkillId, missing: &[MissingRecord]) -> Vec<HeartbeatListItem> {
        let records = missing.iter().filter(|record| record.published.skill_id == *skill_id);
        let recorded: BTreeSet<&HeartbeatId> = records
            .flat_map(|record| record.published.heartbeats.values())
            .map(|known| &known.heartbeat_id)
            .collect();
        let is_other = |item: &&HeartbeatListItem| {
            item.run_skill_id.as_ref() == Some(skill_id) && !recorded.contains(&item.heartbeat_id)
        };
        self.listed.items.iter().filter(is_other).cloned().collect()
    }
}

fn undone_changes(
    record: &MissingRecord,
    stored: &StoredSkill,
    bases: Option<&BaseContents>,
) -> UndoneChanges {
    let base = MergeBase::from_record(&record.published, &record.key.skill_directory(), bases);
    let fields = if base.is_known() { changed_fields(&base, stored) } else { BTreeSet::new() };
    let update = base.content().and_then(|content| {
        let mut published = stored.clone();
        for field in &fields {
            take_field(field, content, &mut published);
        }
        match SkillPatch::between(&published, &stored.into()) {
            SkillPatch::Update(update) => Some((Box::new(published), update)),
            SkillPatch::Nothing | SkillPatch::Impossible(_) => None,
        }
    });
    UndoneChanges { fields: fields.into_iter().collect(), update }
}

/// How a server has a skill whose directory is gone.
enum StoredState {
    /// As it was last published or pulled, with this label and content.
    AsRecorded(String, ContentHash),
    /// With another content.
    Changed(Box<StoredSkill>),
    /// It is archived, or does not exist any more.
    OutOfUse,
}

async fn stored_state(
    missing: &MissingRecord,
    skills: &ListedSkills<'_>,
) -> Result<StoredState, ClientError> {
    let Some(found) = skills.find(&missing.published.skill_id).await? else {
        return Ok(StoredState::OutOfUse);
    };
    if skills.is_archived(&found.skill).await == Some(true) {
        return Ok(StoredState::OutOfUse);
    }
    let content = ContentHash::of_stored(&found.skill);
    let is_as_recorded = missing.published.content_hash.as_deref() == Some(content.as_str());
    Ok(if is_as_recorded {
        StoredState::AsRecorded(found.skill.name, content)
    } else {
        StoredState::Changed(Box::new(found.skill))
    })
}
