//! The JSON of the commands on heartbeats that a server keeps.
//!
//! The shapes are frozen by [`VERSION`] and described by `schemas/heartbeat.schema.json`. The names
//! are those of the contract.

use serde::Serialize;
use serde_json::Value;

use super::plan::HeartbeatItem;
use crate::cli::error::CommandError;
use crate::cli::error_json::ErrorV1;
use crate::cli::mask::masked_json;
use crate::cli::remote::withheld;
use dibber_client::publish::{HeartbeatOutcome, HeartbeatStep, UndoneHeartbeat};
use dibber_lint::Privacy;
use dibber_skill::contract::{
    DescribedWarning, HeartbeatId, HeartbeatListItem, HeartbeatUpdate, SkillId, WireEnum,
};
use dibber_skill::names::Roster;
use dibber_text::Mask;

/// The version of the shapes; it goes up when a field changes its meaning or goes away.
pub(super) const VERSION: u32 = 2;

/// What `create` and `describe` print.
#[derive(Serialize)]
pub(super) struct PlansV1 {
    pub(super) version: u32,
    pub(super) items: Vec<PlanV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(in crate::cli::remote) struct PlanV1 {
    name: Option<String>,
    /// `name`, if its value is not printed: a server refuses a name in it that is not known here.
    withheld: Vec<&'static str>,
    /// The directory of the skill whose sprout.yaml contains it.
    path: Option<String>,
    outcome: &'static str,
    heartbeat_id: Option<HeartbeatId>,
    run_skill_id: Option<SkillId>,
    cadence_text: Option<String>,
    next_fire_at: Option<String>,
    warnings: Vec<Value>,
    /// What another writer has done with it on the server, and is undone.
    undoes: Vec<&'static str>,
    error: Option<ErrorV1>,
}

/// What `list` prints.
#[derive(Serialize)]
pub(super) struct ListV1 {
    pub(super) version: u32,
    pub(super) items: Vec<ListedV1>,
    /// How many more the server lists that cannot be read.
    pub(super) unreadable: usize,
    /// How many more it leaves out, because its database is damaged.
    pub(super) damaged: u64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListedV1 {
    #[serde(flatten)]
    pub(super) item: HeartbeatListItem,
    /// The label of the skill that it runs, if that is known.
    pub(super) skill_name: Option<String>,
}

/// What a change prints.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChangedV1 {
    pub(super) version: u32,
    pub(super) heartbeat_id: HeartbeatId,
    pub(super) status: String,
    /// What was done, in the words of `heartbeat_update`.
    pub(super) actions: Vec<&'static str>,
}

impl ChangedV1 {
    /// A heartbeat that would be changed.
    pub(super) fn planned(heartbeat_id: HeartbeatId, updates: &[HeartbeatUpdate]) -> Self {
        let actions = updates.iter().map(|update| update.change.action().name()).collect();
        Self { actions, ..Self::unchanged(heartbeat_id) }
    }

    /// A heartbeat that was in the wanted state already.
    pub(super) fn unchanged(heartbeat_id: HeartbeatId) -> Self {
        let status = "unchanged".to_owned();
        Self { version: VERSION, heartbeat_id, status, actions: Vec::new() }
    }
}

impl PlanV1 {
    /// A heartbeat and what was done, or would be done, with it.
    pub(in crate::cli::remote) fn new(
        item: &HeartbeatItem,
        outcome: &Result<HeartbeatOutcome, CommandError>,
        roster: &Roster,
    ) -> Self {
        let mask = |text: &str| Privacy { roster }.mask(text).into_owned();
        let description = item.description();
        let listed = item.listed();
        let run_skill_id = match description {
            // A heartbeat of a skill that is not published yet is described without it.
            Some(description) => Some(description.preview.skill_id.clone()),
            None => listed.and_then(|listed| listed.run_skill_id.clone()),
        };
        let run_skill_id = run_skill_id.filter(|id| !id.as_str().is_empty());
        let cadence_text = description.map(|it| it.cadence_text.as_str());
        let cadence_text = cadence_text.or(listed.map(|it| it.cadence_text.as_str()));
        let next_fire_at = match description {
            Some(description) => description.next_fire_at.as_ref(),
            None => listed.and_then(|listed| listed.next_run_at.as_ref()),
        };
        let warnings = description.map(|it| it.warnings.as_slice()).unwrap_or_default();
        let masked = |warning: &DescribedWarning| {
            masked_json(&serde_json::to_value(warning).expect("strings and numbers"), roster)
        };
        let failed = item.step().blocked().or(outcome.as_ref().err());
        let plan = Self {
            name: Some(mask(item.name())),
            withheld: Vec::new(),
            path: item.path.as_deref().map(mask),
            outcome: match outcome {
                _ if failed.is_some() => "failed",
                Ok(outcome) => outcome_name(outcome, item.step()),
                Err(_) => "failed",
            },
            heartbeat_id: match outcome {
                Ok(HeartbeatOutcome::Created(id)) => Some(id.clone()),
                _ => item.id().cloned(),
            },
            run_skill_id,
            cadence_text: cadence_text.map(mask),
            next_fire_at: next_fire_at.cloned(),
            warnings: warnings.iter().map(masked).collect(),
            undoes: undone(item.step()),
            error: failed.map(|error| ErrorV1::new(error, roster)),
        };
        if failed.is_some_and(withheld::refuses_name) { plan.without_name() } else { plan }
    }

    /// The same, with the name withheld.
    pub(in crate::cli::remote) fn without_name(self) -> Self {
        Self { name: None, withheld: vec!["name"], ..self }
    }

    /// The same, not sent for this reason.
    pub(in crate::cli::remote) fn skipped(self, reason: &CommandError, roster: &Roster) -> Self {
        Self { outcome: "skipped", error: Some(ErrorV1::new(reason, roster)), ..self }
    }
}

/// Returns what a step undoes, a word for each part.
fn undone(step: &HeartbeatStep<CommandError>) -> Vec<&'static str> {
    let undoes = match step {
        HeartbeatStep::Create(creation) => &creation.undoes,
        HeartbeatStep::Update(edit) => &edit.undoes,
        HeartbeatStep::Cancel(_, undoes) => undoes,
        HeartbeatStep::Unchanged(_)
        | HeartbeatStep::Unlisted(_)
        | HeartbeatStep::Forget(_)
        | HeartbeatStep::Blocked(_) => return Vec::new(),
    };
    match undoes {
        UndoneHeartbeat::Nothing => Vec::new(),
        UndoneHeartbeat::Changes(parts) if parts.is_empty() => vec!["unknown"],
        UndoneHeartbeat::Changes(parts) => parts.iter().map(|part| part.word()).collect(),
        UndoneHeartbeat::Creation => vec!["created"],
        UndoneHeartbeat::Cancellation => vec!["cancelled"],
    }
}

/// Returns the word for what was done, or would be done, with a heartbeat.
const fn outcome_name(
    outcome: &HeartbeatOutcome,
    step: &HeartbeatStep<CommandError>,
) -> &'static str {
    match (outcome, step) {
        (HeartbeatOutcome::Created(_), _) => "created",
        (HeartbeatOutcome::Changed, _) => "edited",
        (HeartbeatOutcome::Cancelled, _) => "cancelled",
        (HeartbeatOutcome::Unchanged, HeartbeatStep::Create(_)) => "new",
        (HeartbeatOutcome::Unchanged, HeartbeatStep::Update(_)) => "differs",
        (HeartbeatOutcome::Unchanged, HeartbeatStep::Cancel(..)) => "removed",
        (HeartbeatOutcome::Unchanged, _) => "unchanged",
    }
}
