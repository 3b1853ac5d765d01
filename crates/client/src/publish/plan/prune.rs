//! What has to be done to archive the skills of directories that are gone.

use std::collections::{BTreeMap, BTreeSet};

use super::heartbeat_step::{HeartbeatPolicy, RemovedHeartbeats};
use super::heartbeats::has_known_content;
use super::skill_step::ForeignChanges;
use crate::client::Client;
use crate::error::ClientError;
use crate::journal::Unfinished;
use crate::publish::lock_files::UnusedRecord;
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    ErrorCode, HeartbeatChange, HeartbeatId, HeartbeatListItem, HeartbeatUpdate, SkillId,
};

/// A skill whose directory is gone, and what has to be done to archive it.
#[derive(Debug)]
pub struct PlannedPrune {
    /// The skill, as it is recorded.
    pub gone: UnusedRecord,
    /// The heartbeats that are cancelled for good before it is archived, or why it is not.
    pub step: Result<Vec<HeartbeatListItem>, PruneBlocked>,
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
    gone: Vec<UnusedRecord>,
    policy: HeartbeatPolicy,
    publisher: Publisher<'_>,
) -> Result<Vec<PlannedPrune>, PublishError> {
    if gone.is_empty() {
        return Ok(Vec::new());
    }
    let client = publisher.client;
    let listed = match client.all_heartbeats().await {
        Ok(listed) => listed.items,
        // Without recorded heartbeats, they matter to the server alone.
        Err(ClientError::NoTool(_) | ClientError::Refused(_))
            if gone.iter().all(|record| record.published.heartbeats.is_empty()) =>
        {
            Vec::new()
        }
        Err(error) => return Err(error.into()),
    };
    let comparer = PruneComparer { listed, unfinished: publisher.unfinished()?, policy, client };
    let mut steps = Vec::new();
    for record in &gone {
        steps.push(comparer.plan(record, &gone).await);
    }
    let planned = gone.into_iter().zip(steps);
    Ok(planned.map(|(gone, step)| PlannedPrune { gone, step }).collect())
}

/// What the steps are planned from.
struct PruneComparer<'a> {
    /// The heartbeats of the server.
    listed: Vec<HeartbeatListItem>,
    /// The writes that were begun and have not ended, by their subjects.
    unfinished: BTreeMap<String, Vec<Unfinished>>,
    policy: HeartbeatPolicy,
    client: &'a Client,
}

impl PruneComparer<'_> {
    async fn plan(
        &self,
        record: &UnusedRecord,
        gone: &[UnusedRecord],
    ) -> Result<Vec<HeartbeatListItem>, PruneBlocked> {
        let is_judged = self.policy.foreign_changes == ForeignChanges::Block;
        let state = stored_state(record, self.client).await?;
        if is_judged && state == StoredState::Changed {
            return Err(PruneBlocked::SkillChanged);
        }
        let in_use = self.others_of(&record.published.skill_id, gone);
        if state != StoredState::OutOfUse && !in_use.is_empty() {
            return Err(PruneBlocked::InUse(in_use));
        }
        let recorded = record.published.heartbeats.values().filter_map(|known| {
            let is_it = |item: &&HeartbeatListItem| item.heartbeat_id == known.heartbeat_id;
            // A heartbeat that is not listed is cancelled already.
            self.listed.iter().find(is_it).map(|item| (item, known))
        });
        let recorded: Vec<_> = recorded.collect();
        if self.policy.removed == RemovedHeartbeats::Keep && !recorded.is_empty() {
            let kept = recorded.into_iter().map(|(item, _)| item.clone());
            return Err(PruneBlocked::InUse(kept.collect()));
        }
        let is_changed = |item: &HeartbeatListItem, known| {
            item.content_hash.is_some()
                && !has_known_content(item, item.content_hash.as_ref(), known, &self.unfinished)
        };
        let changed = recorded.iter().filter(|(item, known)| is_changed(item, known));
        let changed: Vec<_> = changed.map(|(item, _)| (*item).clone()).collect();
        if is_judged && !changed.is_empty() {
            return Err(PruneBlocked::HeartbeatsChanged(changed));
        }
        for (item, _) in &recorded {
            let heartbeat_id = item.heartbeat_id.clone();
            let cancel = HeartbeatUpdate { heartbeat_id, change: HeartbeatChange::Cancel };
            self.client.describe_update(&cancel).await?;
        }
        Ok(recorded.into_iter().map(|(item, _)| item.clone()).collect())
    }

    /// Returns the heartbeats that run a skill and are recorded for none of the directories that it
    /// was published from.
    fn others_of(&self, skill_id: &SkillId, gone: &[UnusedRecord]) -> Vec<HeartbeatListItem> {
        let records = gone.iter().filter(|record| record.published.skill_id == *skill_id);
        let recorded: BTreeSet<&HeartbeatId> = records
            .flat_map(|record| record.published.heartbeats.values())
            .map(|known| &known.heartbeat_id)
            .collect();
        let is_other = |item: &&HeartbeatListItem| {
            item.run_skill_id.as_ref() == Some(skill_id) && !recorded.contains(&item.heartbeat_id)
        };
        self.listed.iter().filter(is_other).cloned().collect()
    }
}

/// How a server has a skill whose directory is gone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StoredState {
    /// As it was last published or pulled.
    AsRecorded,
    /// With another content.
    Changed,
    /// It is archived, or does not exist any more.
    OutOfUse,
}

async fn stored_state(gone: &UnusedRecord, client: &Client) -> Result<StoredState, ClientError> {
    match client.skill_get(&gone.published.skill_id).await {
        Ok(found) if found.skill.archived => Ok(StoredState::OutOfUse),
        Ok(found) => {
            let content = ContentHash::of_stored(&found.skill);
            let is_as_recorded = gone.published.content_hash.as_deref() == Some(content.as_str());
            Ok(if is_as_recorded { StoredState::AsRecorded } else { StoredState::Changed })
        }
        Err(ClientError::Refused(error)) if error.code == ErrorCode::DomainNotFound => {
            Ok(StoredState::OutOfUse)
        }
        Err(error) => Err(error),
    }
}
