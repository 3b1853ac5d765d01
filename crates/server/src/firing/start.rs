//! Starting a claimed run: its prompt, as the skill and the heartbeat are now.

use jiff::Timestamp;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::events;
use super::finish::{self, Retry};
use crate::failure::Failure;
use crate::rendering;
use crate::store::{FamilyId, FiredRun, Heartbeat, StoreResult, Writer};
use dibber_skill::contract::{ActivityType, Category, RunId, RunState};
use dibber_text::hex;

/// What is replaced in the inputs by the day of the planned time.
const FIRE_DATE: &str = "{{fireDate}}";

/// The digits of a date in the local time of a run: `2026-05-24`.
const DATE_BYTES: usize = 10;

/// Who executes a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Executor {
    /// A home agent of the family, or the program of the server's owner in its place.
    HomeAgent,
    /// Something else, which does not get the skills that only a home agent runs.
    Server,
}

/// A run that has started.
#[derive(Clone, Debug)]
pub(crate) struct Started {
    pub(crate) run: FiredRun,
    pub(crate) heartbeat: Heartbeat,
    pub(crate) prompt: String,
    /// What the skill declares of the data of its result.
    pub(crate) response_model: Option<Map<String, Value>>,
}

/// Starts a claimed run. Returns none if the claim is no longer held, or if the run ended instead: what
/// it needs is gone, or its inputs do not fit the skill any more.
///
/// If the answer was lost, the attempt can be started again: it is the same one.
pub(crate) fn start(
    store: &dyn Writer,
    family: &FamilyId,
    id: &RunId,
    attempt: i64,
    executor: Executor,
    now: Timestamp,
) -> Result<Option<Started>, Failure> {
    let Some(mut run) = finish::held(store, family, id, attempt)? else { return Ok(None) };
    let is_repeated = run.state == RunState::Running;
    let heartbeat = store.heartbeat(family, &run.heartbeat_id)?;
    let skill = match &heartbeat {
        Some(heartbeat) => store.skill(family, &heartbeat.run_skill_id)?,
        None => None,
    };
    let (Some(heartbeat), Some(skill)) = (heartbeat, skill.filter(|skill| !skill.is_archived))
    else {
        let reason = "the skill of the heartbeat is not available any more";
        finish::fail(store, family, (id, attempt), reason, Retry::Never, now)?;
        return Ok(None);
    };
    if executor == Executor::Server && skill.written.category == Some(Category::HomeAgent) {
        let reason = "the skill runs only in the family's home agent";
        finish::fail(store, family, (id, attempt), reason, Retry::Never, now)?;
        return Ok(None);
    }
    let input = fill_fire_date(&heartbeat.skill_input, &run.planned_local);
    let prompt = match rendering::render(&skill, &input) {
        Ok(rendered) => rendered.prompt,
        Err(Failure::Refused(error)) => {
            finish::fail(store, family, (id, attempt), &error.message, Retry::Never, now)?;
            return Ok(None);
        }
        Err(error) => return Err(error),
    };
    run.state = RunState::Running;
    if !is_repeated {
        run.started_at = Some(now.as_millisecond());
    }
    run.skill_id = skill.id.clone();
    run.prompt_hash = Some(hash(&prompt));
    if !store.put_run(family, &run, attempt)? {
        return Ok(None);
    }
    if !is_repeated {
        record(store, family, &run, now)?;
    }
    let response_model = skill.written.response_model;
    Ok(Some(Started { run, heartbeat, prompt, response_model }))
}

/// Records the start where it is looked up.
fn record(
    store: &dyn Writer,
    family: &FamilyId,
    run: &FiredRun,
    now: Timestamp,
) -> StoreResult<()> {
    store.put_last_run(family, &run.heartbeat_id, now.as_millisecond())?;
    store.touch_skill(family, &run.skill_id, now.as_millisecond())?;
    events::record(store, family, run, ActivityType::HeartbeatFired, now)
}

/// Returns the inputs of a heartbeat with the day of a planned time filled in.
fn fill_fire_date(input: &Map<String, Value>, planned_local: &str) -> Map<String, Value> {
    let date = planned_local.get(..DATE_BYTES).unwrap_or(planned_local);
    let filled = input.iter().map(|(name, value)| {
        let value = match value {
            Value::String(text) => Value::String(text.replace(FIRE_DATE, date)),
            other => other.clone(),
        };
        (name.clone(), value)
    });
    filled.collect()
}

fn hash(prompt: &str) -> String {
    format!("h_{}", hex(Sha256::digest(prompt)))
}
