//! What has to be done for each heartbeat, and what it comes from.

use super::sources::Requested;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::refusal::call_error;
use crate::cli::remote::session::Session;
use dibber_client::publish::{
    HeartbeatCreation, HeartbeatEdit, HeartbeatStep, HeartbeatUnchanged, plan_heartbeats,
};
use dibber_skill::contract::{HeartbeatDescription, HeartbeatId};

/// A heartbeat, and what has to be done for it.
pub(super) struct HeartbeatItem {
    pub(super) name: String,
    /// The directory of its skill, for one of sprout.yaml.
    pub(super) path: Option<String>,
    pub(super) step: HeartbeatStep<CommandError>,
}

impl HeartbeatItem {
    pub(super) const fn description(&self) -> Option<&HeartbeatDescription> {
        match &self.step {
            HeartbeatStep::Create(HeartbeatCreation { description, .. })
            | HeartbeatStep::Update(HeartbeatEdit { description, .. })
            | HeartbeatStep::Unchanged(HeartbeatUnchanged { description, .. }) => Some(description),
            HeartbeatStep::Blocked(_) => None,
        }
    }

    /// The id, of one that exists.
    pub(super) const fn id(&self) -> Option<&HeartbeatId> {
        match &self.step {
            HeartbeatStep::Update(HeartbeatEdit { id, .. })
            | HeartbeatStep::Unchanged(HeartbeatUnchanged { id, .. }) => Some(id),
            HeartbeatStep::Create(_) | HeartbeatStep::Blocked(_) => None,
        }
    }

    /// How a run ends because of it.
    pub(super) fn exit(&self) -> Exit {
        self.step.blocked().map_or(Exit::Done, CommandError::exit_code)
    }
}

/// Asks the server about every heartbeat that can be created.
pub(super) fn plan(
    requested: Vec<Requested>,
    session: &Session,
) -> Result<Vec<HeartbeatItem>, CommandError> {
    let (mut drafts, mut items) = (Vec::new(), Vec::new());
    for Requested { name, path, draft } in requested {
        items.push((name, path, draft.map(|draft| drafts.push(draft)).err()));
    }
    let steps = session.wait(plan_heartbeats(drafts, &session.client))?;
    let mut steps = steps.into_iter().map(|step| step.map_blocked(|error| call_error(&error)));
    let items = items.into_iter().map(|(name, path, error)| {
        let step = match error {
            Some(error) => HeartbeatStep::Blocked(error),
            None => steps.next().expect("every draft is planned"),
        };
        HeartbeatItem { name, path, step }
    });
    Ok(items.collect())
}
