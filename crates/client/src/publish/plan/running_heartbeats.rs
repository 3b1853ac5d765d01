//! The heartbeats that run the skills which are to be archived.

use std::collections::BTreeMap;
use std::path::Path;

use super::possible_duplicates::unknown;
use crate::client::Client;
use crate::error::ClientError;
use crate::listing::Listed;
use crate::publish::lock_files::LockFiles;
use crate::publish::published::PublishedHeartbeat;
use crate::publish::publisher::PublishError;
use dibber_skill::contract::{HeartbeatId, HeartbeatListItem, SkillId};

/// The heartbeats of a server that matter to skills which are to be archived.
#[derive(Debug, Default)]
pub struct RunningHeartbeats {
    running: BTreeMap<SkillId, Vec<HeartbeatListItem>>,
    /// Heartbeats that are recorded for no skill, and of which the server does not list what they run.
    pub unknown: Vec<HeartbeatListItem>,
    /// The names of those that are recorded for the skills, and that the server has never listed.
    pub unlisted: Vec<String>,
}

impl RunningHeartbeats {
    /// Lists the heartbeats that run skills: by what the server lists, or, if it does not list what
    /// they run, by the records of the locks that were read and that of a directory.
    ///
    /// # Errors
    /// If the server does not list its heartbeats although some of these skills are recorded.
    pub async fn list<'a>(
        skills: impl IntoIterator<Item = &'a SkillId>,
        directory: &Path,
        client: &Client,
        locks: &mut LockFiles,
    ) -> Result<Self, PublishError> {
        let is_own = client.is_server_of_dibber().await?;
        if !is_own {
            locks.read_of(directory)?;
        }
        let mut recorded = BTreeMap::new();
        for skill_id in skills {
            recorded.insert(skill_id, locks.heartbeats_recorded_for(skill_id));
        }
        let is_none_recorded = || is_own || recorded.values().all(Vec::is_empty);
        let listed = heartbeats_or_none(client.all_heartbeats().await, is_none_recorded)?;
        let ids = || listed.items.iter().map(|item| &item.heartbeat_id);
        let (mut running, mut unlisted) = (BTreeMap::new(), Vec::new());
        for (skill_id, recorded) in &recorded {
            let is_recorded =
                |id: &HeartbeatId| recorded.iter().any(|(_, known)| known.heartbeat_id == *id);
            let runs = |item: &&HeartbeatListItem| match &item.run_skill_id {
                Some(run_skill_id) => run_skill_id == *skill_id,
                None => is_recorded(&item.heartbeat_id),
            };
            let its: Vec<_> = listed.items.iter().filter(runs).cloned().collect();
            running.insert((*skill_id).clone(), its);
            let is_unlisted = |known: &PublishedHeartbeat| {
                ids().all(|id| *id != known.heartbeat_id) && locks.is_never_listed(known, ids())
            };
            let names = recorded.iter().filter(|(_, known)| is_unlisted(known));
            unlisted.extend(names.map(|(name, _)| (*name).to_owned()));
        }
        let unknown = unknown(&listed.items, locks).cloned().collect();
        Ok(Self { running, unknown, unlisted })
    }

    /// Takes the heartbeats that run a skill.
    pub fn take(&mut self, skill_id: &SkillId) -> Vec<HeartbeatListItem> {
        self.running.remove(skill_id).unwrap_or_default()
    }
}

/// Returns the heartbeats of a server; none if it does not list them and none is recorded: then they
/// matter to the server alone.
pub(super) fn heartbeats_or_none(
    listed: Result<Listed<HeartbeatListItem>, ClientError>,
    is_none_recorded: impl Fn() -> bool,
) -> Result<Listed<HeartbeatListItem>, ClientError> {
    match listed {
        Err(ClientError::NoTool(_) | ClientError::Refused(_)) if is_none_recorded() => {
            Ok(Listed::empty())
        }
        listed => listed,
    }
}
