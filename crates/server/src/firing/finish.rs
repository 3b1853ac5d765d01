//! Ending an attempt: with a result, or with a failure that may be worth another attempt.

use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp, ToSpan};

use super::decide::withdraw;
use super::events;
use super::plan::SkipReason;
use crate::failure::Failure;
use crate::roster;
use crate::run_result::RunResult;
use crate::store::{
    FamilyId, FiredRun, Heartbeat, HeartbeatState, StoreError, StoreResult, Writer,
};
use dibber_skill::contract::{ActivityType, RunId, RunState};

/// The most attempts of a run: the first one, and three more.
pub(super) const ATTEMPTS_MAX: i64 = 4;

/// The minutes from a failed attempt to the next one.
const BACKOFF_MINUTES: [i64; 3] = [1, 5, 20];

/// The number of runs that fail in a row until the heartbeat is paused.
const FAILED_IN_ROW_MAX: i64 = 3;

/// The most characters of the reason of a failure that are kept.
const REASON_CHARACTERS_MAX: usize = 2000;

/// Whether a failure is worth another attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retry {
    /// It may pass: a program that failed, a server that cannot be reached.
    Later,
    /// It may pass, and it is not known how much was done before: a program that was killed, a server
    /// that got the run and did not answer.
    MayRepeat,
    /// It stays the same until something is changed.
    Never,
}

/// Ends a run with its result; returns the run, or none if the attempt no longer holds it.
pub(crate) fn complete(
    store: &dyn Writer,
    family: &FamilyId,
    (id, attempt): (&RunId, i64),
    result: RunResult,
    now: Timestamp,
) -> Result<Option<FiredRun>, Failure> {
    let Some(mut run) = held(store, family, id, attempt)? else { return Ok(None) };
    if let Some(skill) = store.skill(family, &run.skill_id)? {
        result.check_data(&skill, &roster::load(store, family)?)?;
    }
    run.state = RunState::Completed;
    run.ended_at = Some(now.as_millisecond());
    run.lease_until = None;
    run.reason = None;
    run.result = Some(result.into_map());
    if !store.put_run(family, &run, attempt)? {
        return Ok(None);
    }
    events::record(store, family, &run, ActivityType::RunCompleted, now)?;
    if let Some(heartbeat) = store.heartbeat(family, &run.heartbeat_id)? {
        if heartbeat.failed_in_row != 0 {
            store.put_failed_in_row(family, &run.heartbeat_id, 0)?;
        }
        if heartbeat.post_result_notify {
            events::post_result(store, family, &heartbeat, &run, now)?;
        }
    }
    Ok(Some(run))
}

/// Ends an attempt that failed: the run is due again later, or it has failed. Returns the run, or none
/// if the attempt no longer holds it.
pub(crate) fn fail(
    store: &dyn Writer,
    family: &FamilyId,
    (id, attempt): (&RunId, i64),
    reason: &str,
    retry: Retry,
    now: Timestamp,
) -> Result<Option<FiredRun>, Failure> {
    let Some(mut run) = held(store, family, id, attempt)? else { return Ok(None) };
    run.reason = Some(reason.chars().take(REASON_CHARACTERS_MAX).collect());
    run.lease_until = None;
    let heartbeat = store.heartbeat(family, &run.heartbeat_id)?;
    let retry_at = match (retry, &heartbeat) {
        (Retry::Later | Retry::MayRepeat, Some(heartbeat))
            if heartbeat.state == HeartbeatState::Active =>
        {
            retry_at(&run, heartbeat, now)?
        }
        _ => None,
    };
    if let Some(at) = retry_at {
        run.may_have_repeated |= retry == Retry::MayRepeat;
        run.state = RunState::Due;
        run.due_at = at.as_millisecond();
        return Ok(store.put_run(family, &run, attempt)?.then_some(run));
    }
    end_failed(store, family, run, heartbeat, now)
}

/// Ends a run that cannot be claimed any more as failed.
pub(super) fn end_unstarted(
    store: &dyn Writer,
    family: &FamilyId,
    mut run: FiredRun,
    heartbeat: Option<Heartbeat>,
    reason: &str,
    now: Timestamp,
) -> Result<(), Failure> {
    run.reason = Some(reason.to_owned());
    end_failed(store, family, run, heartbeat, now).map(drop)
}

fn end_failed(
    store: &dyn Writer,
    family: &FamilyId,
    mut run: FiredRun,
    heartbeat: Option<Heartbeat>,
    now: Timestamp,
) -> Result<Option<FiredRun>, Failure> {
    run.state = RunState::Failed;
    run.ended_at = Some(now.as_millisecond());
    run.lease_until = None;
    if !store.put_run(family, &run, run.attempt)? {
        return Ok(None);
    }
    events::record(store, family, &run, ActivityType::RunFailed, now)?;
    if let Some(mut heartbeat) = heartbeat {
        heartbeat.failed_in_row += 1;
        store.put_failed_in_row(family, &heartbeat.id, heartbeat.failed_in_row)?;
        if heartbeat.failed_in_row >= FAILED_IN_ROW_MAX && heartbeat.state == HeartbeatState::Active
        {
            pause(store, family, heartbeat, &run, now)?;
        }
    }
    Ok(Some(run))
}

/// Pauses a heartbeat whose runs keep failing.
fn pause(
    store: &dyn Writer,
    family: &FamilyId,
    mut heartbeat: Heartbeat,
    run: &FiredRun,
    now: Timestamp,
) -> StoreResult<()> {
    heartbeat.state = HeartbeatState::Paused;
    store.put_heartbeat(family, &heartbeat)?;
    withdraw(store, family, &heartbeat.id, SkipReason::Paused, now)?;
    events::post_pause(store, family, &heartbeat, run, now)
}

/// Returns the run if the attempt has ended it already: the answer was lost, and the end is written
/// again. Only its own attempt completes a run, or makes it due again. If it has failed for another
/// reason, such as a lease that ended, it has failed all the same.
pub(super) fn ended(
    store: &dyn Writer,
    family: &FamilyId,
    id: &RunId,
    attempt: i64,
) -> StoreResult<Option<FiredRun>> {
    let is_ended = |run: &FiredRun| {
        let states = [RunState::Completed, RunState::Due, RunState::Failed];
        run.attempt == attempt && states.contains(&run.state)
    };
    Ok(store.run(family, id)?.filter(is_ended))
}

/// Returns the run if the attempt still holds it.
pub(super) fn held(
    store: &dyn Writer,
    family: &FamilyId,
    id: &RunId,
    attempt: i64,
) -> StoreResult<Option<FiredRun>> {
    let is_held = |run: &FiredRun| {
        run.attempt == attempt && matches!(run.state, RunState::Claimed | RunState::Running)
    };
    Ok(store.run(family, id)?.filter(is_held))
}

/// Returns when a failed attempt is repeated: some minutes later, if that is still the day of the planned
/// time, and if attempts are left.
fn retry_at(
    run: &FiredRun,
    heartbeat: &Heartbeat,
    now: Timestamp,
) -> StoreResult<Option<Timestamp>> {
    let tried = usize::try_from(run.attempt - 1).unwrap_or_default();
    let Some(minutes) = BACKOFF_MINUTES.get(tried) else { return Ok(None) };
    let at = now + SignedDuration::from_mins(*minutes);
    let zone = &heartbeat.cadence.schedule().zone;
    // The name of the zone follows in brackets.
    let local = run.planned_local.split('[').next().unwrap_or_default();
    let planned: DateTime = local.parse().map_err(|_| StoreError::Damaged)?;
    let end = planned.date().checked_add(1.day()).map_err(StoreError::new)?;
    let end = end.to_zoned(zone.clone()).map_err(StoreError::new)?.timestamp();
    Ok((at < end).then_some(at))
}
