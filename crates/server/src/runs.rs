//! Runs as they are answered.

use super::failure::Failure;
use super::store::{FamilyId, FiredRun, Reader};
use super::times;
use dibber_skill::contract::{HeartbeatRun, RunState};
use jiff::tz::TimeZone;

/// Returns a run on the clock of its heartbeat. If the heartbeat was removed, its times are in UTC.
pub(super) fn describe<R: Reader + ?Sized>(
    store: &R,
    family: &FamilyId,
    run: &FiredRun,
) -> Result<HeartbeatRun, Failure> {
    let heartbeat = store.heartbeat(family, &run.heartbeat_id)?;
    let heartbeat = heartbeat.as_ref();
    let zone = heartbeat.map(|heartbeat| heartbeat.cadence.schedule().zone.clone());
    let zone = zone.unwrap_or(TimeZone::UTC);
    let time = |at: Option<i64>| at.map(|at| times::format_stored(at, &zone)).transpose();
    let waits = run.state == RunState::Due && run.due_at > run.planned_at;
    Ok(HeartbeatRun {
        run_id: run.id.clone(),
        heartbeat_id: run.heartbeat_id.clone(),
        name: heartbeat.map(|heartbeat| heartbeat.name.clone()),
        skill_id: run.skill_id.clone(),
        child_id: heartbeat.and_then(|heartbeat| heartbeat.child_id.clone()),
        planned_at: times::format_stored(run.planned_at, &zone)?,
        state: run.state,
        attempt: run.attempt,
        due_at: time(waits.then_some(run.due_at))?,
        lease_until: time(run.lease_until)?,
        started_at: time(run.started_at)?,
        ended_at: time(run.ended_at)?,
        reason: run.reason.clone(),
        may_have_repeated: run.may_have_repeated,
        prompt_hash: run.prompt_hash.clone(),
        result: run.result.clone(),
    })
}
