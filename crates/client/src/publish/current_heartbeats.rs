//! The heartbeats of a server right before the first one of a plan is changed.

use tokio::sync::OnceCell;

use crate::client::Client;
use crate::error::ClientError;
use crate::listing::Listed;
use dibber_skill::contract::HeartbeatListItem;

/// The heartbeats of a server, which are listed once: right before the first one is changed.
///
/// No server compares what a change of a heartbeat was made from. Without a second list, a change
/// could be overwritten that was made while a user was asked.
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
        let listed = self.listed.get_or_init(|| Box::pin(self.client.all_heartbeats())).await;
        let listed = listed.as_ref().map_err(Clone::clone)?;
        let id = &planned.heartbeat_id;
        match listed.find(id)? {
            Some(now) => check_same(planned, now),
            None => match listed.unreadable.first() {
                Some(unreadable) => Err(ClientError::Protocol(unreadable.to_string())),
                None => Err(ClientError::HeartbeatChanged(id.clone())),
            },
        }
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
