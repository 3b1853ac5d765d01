//! Deciding in the store which planned times run.

use jiff::Timestamp;

use super::events;
use super::plan::{
    CAP_WINDOW, FirePlan, FireVerdict, MISSED_AGE_MAX, Planned, PlannedFire, SkipReason, plan_fires,
};
use crate::id;
use crate::store::{
    FamilyId, FiredRun, Heartbeat, Reader, RunsOf, StoreError, StoreResult, Writer, attempt,
};
use dibber_skill::contract::{ActivityType, HeartbeatId, RunState};

/// The most runs that are ended in one transaction because nothing ran them.
const EXPIRED_MAX: usize = 500;

/// Decides about the planned times until `now`, of one family or of all, for up to `limit`
/// heartbeats, and ends runs that nothing has run for a day. Returns how many heartbeats and runs it
/// decided about; if there were none, nothing is left.
pub(crate) fn decide_due(
    store: &dyn Writer,
    family: Option<&FamilyId>,
    now: Timestamp,
    limit: usize,
) -> StoreResult<usize> {
    let due = store.due_heartbeats(family, now.as_millisecond(), limit)?.rows;
    let mut decided = expire(store, family, now)?;
    for (family, heartbeat) in &due {
        // What is damaged of one heartbeat must not hold up the others.
        match attempt(store, || decide(store, family, heartbeat, now)) {
            Ok(()) => decided += 1,
            Err(StoreError::RolledBack) => return Err(StoreError::RolledBack),
            Err(cause) => {
                let heartbeat = heartbeat.id.as_str();
                tracing::error!(%cause, heartbeat, "cannot decide when a heartbeat runs");
            }
        }
    }
    Ok(decided)
}

fn decide(
    store: &dyn Writer,
    family: &FamilyId,
    heartbeat: &Heartbeat,
    now: Timestamp,
) -> StoreResult<()> {
    let plan = plan_heartbeat(store, family, heartbeat, now)?;
    for fire in &plan.fires {
        // If another server has decided about the time, its decision stays.
        store.add_run(family, &decided(heartbeat, fire, now))?;
    }
    let next_fire_at = plan.next_fire_at.map(Timestamp::as_millisecond);
    let decided_until = plan.decided_until.as_millisecond();
    store.put_decided(family, &heartbeat.id, decided_until, next_fire_at)
}

/// Ends runs that wait, or whose lease has ended, for longer than a day.
fn expire(store: &dyn Writer, family: Option<&FamilyId>, now: Timestamp) -> StoreResult<usize> {
    let before = now.checked_sub(MISSED_AGE_MAX).map_err(StoreError::new)?;
    let of = family.map_or(RunsOf::All, RunsOf::Family);
    let expired = store.claimable(of, before.as_millisecond(), EXPIRED_MAX)?.rows;
    for (family, run) in &expired {
        skip(store, family, run.clone(), SkipReason::Expired, now)?;
    }
    Ok(expired.len())
}

/// Ends a run that does not start, or not again.
pub(super) fn skip(
    store: &dyn Writer,
    family: &FamilyId,
    mut run: FiredRun,
    reason: SkipReason,
    now: Timestamp,
) -> StoreResult<()> {
    let attempt = run.attempt;
    run.state = RunState::Skipped;
    run.reason = Some(reason.in_words().to_owned());
    run.ended_at = Some(now.as_millisecond());
    run.lease_until = None;
    if store.put_run(family, &run, attempt)? {
        events::record(store, family, &run, ActivityType::RunSkipped, now)?;
    }
    Ok(())
}

fn plan_heartbeat<R: Reader + ?Sized>(
    store: &R,
    family: &FamilyId,
    heartbeat: &Heartbeat,
    now: Timestamp,
) -> StoreResult<FirePlan> {
    let timestamp = |at| Timestamp::from_millisecond(at).map_err(StoreError::new);
    let since = now.checked_sub(CAP_WINDOW).map_err(StoreError::new)?.as_millisecond();
    let last = store.last_run(family, &heartbeat.id)?;
    let last =
        last.as_ref().map(|run| Ok((timestamp(run.planned_at)?, run.planned_local.as_str())));
    let recent_runs = store.runs_since(family, &heartbeat.id, since)?;
    let planned = Planned {
        schedule: heartbeat.cadence.schedule(),
        time_zone: heartbeat.cadence.time_zone(),
        decided_until: timestamp(heartbeat.decided_until)?,
        missed_fires: heartbeat.missed_fires,
        recent_runs: u32::try_from(recent_runs).unwrap_or(u32::MAX),
        last: last.transpose()?,
    };
    Ok(plan_fires(&planned, now))
}

/// Returns the run of a planned time that has been decided.
fn decided(heartbeat: &Heartbeat, fire: &PlannedFire, now: Timestamp) -> FiredRun {
    let (planned_at, now) = (fire.at.as_millisecond(), now.as_millisecond());
    let (state, ended_at, reason) = match fire.verdict {
        FireVerdict::Run => (RunState::Due, None, None),
        FireVerdict::Skip(reason) => (RunState::Skipped, Some(now), Some(reason.in_words())),
    };
    FiredRun {
        id: id::new(),
        heartbeat_id: heartbeat.id.clone(),
        skill_id: heartbeat.run_skill_id.clone(),
        planned_at,
        planned_local: fire.local.clone(),
        decided_at: now,
        state,
        due_at: planned_at,
        attempt: 0,
        claimed_by: None,
        lease_until: None,
        started_at: None,
        ended_at,
        reason: reason.map(str::to_owned),
        may_have_repeated: false,
        prompt_hash: None,
        result: None,
    }
}

/// Withdraws the runs of a heartbeat that have not started: it was paused, changed or cancelled, and
/// the later request counts.
pub(crate) fn withdraw(
    store: &dyn Writer,
    family: &FamilyId,
    heartbeat: &HeartbeatId,
    reason: SkipReason,
    now: Timestamp,
) -> StoreResult<()> {
    for run in store.open_runs(family, heartbeat)?.rows {
        if run.state != RunState::Running {
            skip(store, family, run, reason, now)?;
        }
    }
    Ok(())
}
