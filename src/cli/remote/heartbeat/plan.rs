//! What is to be done for each heartbeat: the server is asked, and nothing is written.

use super::sources::Requested;
use super::write::Place;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::refusal::shown;
use dibber_client::Client;
use dibber_client::publish::LockKey;
use dibber_skill::contract::{
    HeartbeatChange, HeartbeatCreate, HeartbeatDescription, HeartbeatListItem, HeartbeatUpdate,
};

/// A heartbeat, and what is to be done.
pub(super) struct Plan {
    pub(super) name: String,
    /// The folder of its skill, for one of sprout.yaml.
    pub(super) path: Option<String>,
    /// Where it is recorded, for one of sprout.yaml.
    pub(super) key: Option<LockKey>,
    pub(super) step: Step,
}

/// What is to be done for a heartbeat.
pub(super) enum Step {
    /// It is made.
    Create { create: Box<HeartbeatCreate>, description: HeartbeatDescription },
    /// It is there, and is changed.
    Edit {
        id: String,
        updates: Vec<HeartbeatUpdate>,
        was: Box<HeartbeatListItem>,
        description: HeartbeatDescription,
    },
    /// It is there already.
    Nothing { id: String, description: HeartbeatDescription },
    /// It cannot be made.
    Stopped(CommandError),
}

impl Plan {
    /// Where it is recorded, for one of sprout.yaml.
    pub(super) fn place(&self) -> Option<Place<'_>> {
        self.key.as_ref().map(|key| Place { key, name: &self.name })
    }

    pub(super) const fn description(&self) -> Option<&HeartbeatDescription> {
        match &self.step {
            Step::Create { description, .. }
            | Step::Edit { description, .. }
            | Step::Nothing { description, .. } => Some(description),
            Step::Stopped(_) => None,
        }
    }

    pub(super) const fn error(&self) -> Option<&CommandError> {
        match &self.step {
            Step::Stopped(error) => Some(error),
            _ => None,
        }
    }

    /// The id, of one that is there.
    pub(super) fn id(&self) -> Option<&str> {
        match &self.step {
            Step::Edit { id, .. } | Step::Nothing { id, .. } => Some(id),
            _ => None,
        }
    }

    /// Whether something would be written.
    pub(super) const fn writes(&self) -> bool {
        matches!(self.step, Step::Create { .. } | Step::Edit { .. })
    }

    /// How a run ends because of it.
    pub(super) fn exit(&self) -> Exit {
        self.error().map_or(Exit::Done, CommandError::exit_code)
    }
}

/// Asks the server about a heartbeat. `present` are those that the family has.
pub(super) async fn plan(
    wanted: Requested,
    present: &[HeartbeatListItem],
    client: &Client,
) -> Plan {
    let Requested { name, path, key, known, create } = wanted;
    let step = match create {
        Err(error) => Err(error),
        Ok(create) => {
            let was = known.and_then(|id| present.iter().find(|item| item.heartbeat_id == id));
            step(create, was, client).await
        }
    };
    Plan { name, path, key, step: step.unwrap_or_else(Step::Stopped) }
}

async fn step(
    create: HeartbeatCreate,
    was: Option<&HeartbeatListItem>,
    client: &Client,
) -> Result<Step, CommandError> {
    let Some(was) = was else {
        let description = client.describe_create(&create).await;
        let description = description.map_err(|error| shown(&error))?;
        return Ok(Step::Create { create: Box::new(create), description });
    };
    let id = was.heartbeat_id.clone();
    let update = |change| HeartbeatUpdate { heartbeat_id: id.clone(), change };
    let has_same_cron = create.cron == was.cron;
    let tz = create.tz.unwrap_or_else(|| dibber_skill::contract::TIME_ZONE_DEFAULT.to_owned());
    let schedule = update(HeartbeatChange::EditSchedule { cron: Some(create.cron), tz: Some(tz) });
    let description = client.describe_update(&schedule).await;
    let description = description.map_err(|error| shown(&error))?;
    let mut updates = Vec::new();
    // The list does not tell the zone, but the words do, and so does the next fire.
    let is_same = has_same_cron
        && description.cadence_text == was.cadence_text
        && (!was.enabled || description.next_fire_at == was.next_run_at);
    if !is_same {
        updates.push(schedule);
    }
    if create.name != was.name {
        updates.push(update(HeartbeatChange::EditName { name: create.name }));
    }
    Ok(if updates.is_empty() {
        Step::Nothing { id, description }
    } else {
        Step::Edit { id, updates, was: Box::new(was.clone()), description }
    })
}
