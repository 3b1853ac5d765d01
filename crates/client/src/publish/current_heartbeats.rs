//! The heartbeats of a server right before the first one of a plan is changed or created.

use tokio::sync::OnceCell;

use crate::client::Client;
use crate::error::ClientError;
use crate::listing::Listed;
use crate::publish::lock_files::LockFiles;
use crate::publish::plan::{HeartbeatCreation, appeared};
use crate::publish::publisher::PublishError;
use dibber_skill::contract::{HeartbeatId, HeartbeatListItem};

/// The heartbeats of a server, which are listed once: right before the first one is changed or
/// created.
///
/// No server compares what a change of a heartbeat was made from, or refuses a second one that is
/// the same. Without a second list, a change could be overwritten that was made while a user was
/// asked, and a heartbeat made twice that another machine has made meanwhile.
pub struct CurrentHeartbeats<'a> {
    client: &'a Client,
    /// The list, or why there is none: a server that does not answer is asked once.
    listed: OnceCell<Result<Listed<HeartbeatListItem>, ClientError>>,
}

impl<'a> CurrentHeartbeats<'a> {
    /// The heartbeats of the server of this client.
    pub const fn new(client: &'a Client) -> Self {
        Self { client, listed: OnceCell::const_new() }
    }

    /// Fails if a heartbeat is no longer as it was listed for the plan.
    pub(super) async fn check_unchanged(
        &self,
        planned: &HeartbeatListItem,
    ) -> Result<(), ClientError> {
        let listed = self.get().await?;
        let id = &planned.heartbeat_id;
        match listed.find(id)? {
            Some(now) => check_same(planned, now),
            None => match listed.unreadable.first() {
                Some(unreadable) => Err(ClientError::Protocol(unreadable.to_string())),
                None => Err(ClientError::HeartbeatChanged(id.clone())),
            },
        }
    }

    /// Fails if a heartbeat has appeared since the plan that may be the same as a new one.
    pub(super) async fn check_new(
        &self,
        creation: &HeartbeatCreation,
        locks: &LockFiles,
    ) -> Result<(), PublishError> {
        let listed = self.get().await?;
        if let Some(unreadable) = listed.unreadable.first() {
            return Err(ClientError::Protocol(unreadable.to_string()).into());
        }
        match appeared(creation, &listed.items, locks) {
            Some(item) => Err(PublishError::AppearedHeartbeat(item.heartbeat_id.clone())),
            None => Ok(()),
        }
    }

    /// Returns the heartbeats that another machine may have created at the same moment: for each
    /// creation, one that may be the same, if there is one. A server that does not list them now has
    /// none.
    pub async fn simultaneous<'c>(
        &self,
        created: &[(&'c HeartbeatCreation, &'c HeartbeatId)],
        locks: &LockFiles,
    ) -> Vec<(&'c HeartbeatId, HeartbeatId)> {
        if created.is_empty() {
            return Vec::new();
        }
        let Ok(mut now) = Box::pin(self.client.all_heartbeats()).await else { return Vec::new() };
        now.items.retain(|item| created.iter().all(|(_, id)| item.heartbeat_id != **id));
        let pairs = created.iter().filter_map(|(creation, id)| {
            Some((*id, appeared(creation, &now.items, locks)?.heartbeat_id.clone()))
        });
        pairs.collect()
    }

    async fn get(&self) -> Result<&Listed<HeartbeatListItem>, ClientError> {
        let listed = self.listed.get_or_init(|| Box::pin(self.client.all_heartbeats())).await;
        listed.as_ref().map_err(Clone::clone)
    }
}

/// Fails if a heartbeat is another one than it was, apart from when it fires and who takes part.
pub(super) fn check_same(
    planned: &HeartbeatListItem,
    now: &HeartbeatListItem,
) -> Result<(), ClientError> {
    let expected = HeartbeatListItem {
        cadence_text: now.cadence_text.clone(),
        next_run_at: now.next_run_at.clone(),
        last_run_at: now.last_run_at.clone(),
        chat_id: now.chat_id.clone(),
        members: now.members.clone(),
        ..planned.clone()
    };
    if expected == *now {
        Ok(())
    } else {
        Err(ClientError::HeartbeatChanged(planned.heartbeat_id.clone()))
    }
}
