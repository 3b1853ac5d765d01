//! Heartbeats that an interrupted run was to pause.

use super::heartbeat_content::record_of;
use super::heartbeat_description::describe;
use super::heartbeat_step::{
    HeartbeatBlocked, HeartbeatCreation, HeartbeatEdit, HeartbeatStep, HeartbeatUnchanged,
    UndoneHeartbeat,
};
use super::heartbeats::Comparer;
use dibber_skill::contract::{
    HeartbeatChange, HeartbeatCreate, HeartbeatListItem, HeartbeatUpdate,
};

impl Comparer<'_> {
    /// Adds the pause that an interrupted run has left to a step.
    pub(super) async fn with_pause(
        &self,
        step: HeartbeatStep,
        create: &HeartbeatCreate,
    ) -> Result<HeartbeatStep, HeartbeatBlocked> {
        let pause = |listed: &HeartbeatListItem| {
            let heartbeat_id = listed.heartbeat_id.clone();
            HeartbeatUpdate { heartbeat_id, change: HeartbeatChange::Pause }
        };
        Ok(match step {
            HeartbeatStep::Create(creation) => {
                HeartbeatStep::Create(HeartbeatCreation { is_paused: true, ..creation })
            }
            HeartbeatStep::Update(mut edit) if edit.listed.enabled => {
                let last = edit.updates.last().map(|(_, published)| published.clone());
                edit.updates.extend(last.map(|published| (pause(&edit.listed), published)));
                HeartbeatStep::Update(edit)
            }
            HeartbeatStep::Unchanged(HeartbeatUnchanged { listed, .. }) if listed.enabled => {
                let update = pause(&listed);
                let description = describe(&update, create, &listed, self.client).await?;
                let updates = vec![(update, record_of(create, &listed))];
                let undoes = UndoneHeartbeat::Nothing;
                HeartbeatStep::Update(HeartbeatEdit { updates, listed, description, undoes })
            }
            step => step,
        })
    }
}
