//! Deciding in the store which planned times run.

use std::collections::BTreeSet;
use std::slice;

use jiff::{SignedDuration, Timestamp};

use super::events;
use super::plan::{
    CAP_WINDOW, FirePlan, FireVerdict, MISSED_AGE_MAX, Planned, PlannedFire, SkipReason, plan_fires,
};
use crate::id;
use crate::store::{
    Decision, FamilyId, FiredRun, Heartbeat, NextWork, RecentRuns, RunsOf, StoreError, StoreResult,
    Writer, attempt,
};
use dibber_skill::contract::{ActivityType, HeartbeatId, RunState};

/// The time until a heartbeat that could not be decided is decided again. What is planned meanwhile
/// is on time then, too.
const PUT_OFF: SignedDuration = SignedDuration::from_mins(4);

/// The most runs that are ended in one transaction because nothing ran them.
const EXPIRED_MAX: usize = 500;

/// Returns `true` if [`decide_due`] has something to do.
pub(super) fn has_decisions(next: &NextWork, now: Timestamp) -> StoreResult<bool> {
    let expired = expired_before(now)?.as_millisecond();
    Ok(next.fire_at.is_some_and(|at| at <= now.as_millisecond())
        || next.claim_at.is_some_and(|at| at <= expired))
}

/// Returns the time since when a run has waited for too long.
fn expired_before(now: Timestamp) -> StoreResult<Timestamp> {
    now.checked_sub(MISSED_AGE_MAX).map_err(StoreError::new)
}

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
    let expired = expire(store, family, now)?;
    if due.is_empty() {
        return Ok(expired);
    }
    match attempt(store, || decide(store, &due, now)) {
        Ok(()) => {}
        Err(StoreError::RolledBack) => return Err(StoreError::RolledBack),
        Err(cause) => {
            tracing::warn!(%cause, heartbeats = due.len(), "cannot decide about heartbeats together");
            // What is wrong with one heartbeat must not hold up the others.
            due.iter().try_for_each(|one| decide_alone(store, one, now))?;
        }
    }
    Ok(expired + due.len())
}

/// Decides about one heartbeat, or puts it off if that fails.
fn decide_alone(
    store: &dyn Writer,
    due: &(FamilyId, Heartbeat),
    now: Timestamp,
) -> StoreResult<()> {
    let Err(cause) = attempt(store, || decide(store, slice::from_ref(due), now)) else {
        return Ok(());
    };
    if matches!(cause, StoreError::RolledBack) {
        return Err(cause);
    }
    let (family, heartbeat) = due;
    let put_off = Decision {
        family: family.clone(),
        heartbeat: heartbeat.id.clone(),
        runs: Vec::new(),
        decided_until: heartbeat.decided_until,
        next_fire_at: Some((now + PUT_OFF).as_millisecond()),
    };
    // If this fails, too, it is the store that fails, and not the heartbeat.
    attempt(store, || store.add_decisions(slice::from_ref(&put_off)))?;
    let heartbeat = heartbeat.id.as_str();
    tracing::error!(%cause, heartbeat, "cannot decide when a heartbeat runs; it is put off");
    Ok(())
}

fn decide(store: &dyn Writer, due: &[(FamilyId, Heartbeat)], now: Timestamp) -> StoreResult<()> {
    let since = now.checked_sub(CAP_WINDOW).map_err(StoreError::new)?;
    let recent = store.recent_runs(due, since.as_millisecond())?;
    let decisions = due.iter().zip(&recent).map(|((family, heartbeat), recent)| {
        let plan = plan_heartbeat(heartbeat, recent, now)?;
        Ok(Decision {
            family: family.clone(),
            heartbeat: heartbeat.id.clone(),
            runs: plan.fires.iter().map(|fire| decided(heartbeat, fire, now)).collect(),
            decided_until: plan.decided_until.as_millisecond(),
            next_fire_at: plan.next_fire_at.map(Timestamp::as_millisecond),
        })
    });
    let decisions: Vec<_> = decisions.collect::<StoreResult<_>>()?;
    // If another server has decided about a planned time, its decision stays.
    let added: BTreeSet<_> = store.add_decisions(&decisions)?.into_iter().collect();
    let runs = decisions
        .iter()
        .flat_map(|decision| decision.runs.iter().map(|run| (&decision.family, run)));
    let due = runs.filter(|(_, run)| run.state == RunState::Due && added.contains(&run.id));
    events::record_due(store, &due.collect::<Vec<_>>(), now)
}

/// Ends runs that wait, or whose lease has ended, for longer than a day; returns how many.
fn expire(store: &dyn Writer, family: Option<&FamilyId>, now: Timestamp) -> StoreResult<usize> {
    let before = expired_before(now)?;
    let of = family.map_or(RunsOf::All, RunsOf::Family);
    let expired = store.claimable(of, before.as_millisecond(), EXPIRED_MAX)?.rows;
    let end = |(family, run): &(FamilyId, FiredRun)| {
        skip(store, family, run.clone(), SkipReason::Expired, now)
    };
    match attempt(store, || expired.iter().try_for_each(end)) {
        Ok(()) => return Ok(expired.len()),
        Err(StoreError::RolledBack) => return Err(StoreError::RolledBack),
        Err(cause) => tracing::warn!(%cause, runs = expired.len(), "cannot end runs together"),
    }
    // What is wrong with one run must not hold up the others.
    let mut ended = 0;
    for one in &expired {
        match attempt(store, || end(one)) {
            Ok(()) => ended += 1,
            Err(StoreError::RolledBack) => return Err(StoreError::RolledBack),
            Err(cause) => {
                let run = one.1.id.as_str();
                tracing::error!(%cause, run, "cannot end a run that nothing has run for a day");
            }
        }
    }
    Ok(ended)
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
    let failure = run.reason.take().filter(|_| attempt > 0);
    let event = if let Some(failure) = failure {
        run.state = RunState::Failed;
        run.reason = Some(format!("{failure}; not tried again: {}", reason.against_retry()));
        ActivityType::RunFailed
    } else {
        run.state = RunState::Skipped;
        run.reason = Some(reason.in_words().to_owned());
        ActivityType::RunSkipped
    };
    run.ended_at = Some(now.as_millisecond());
    run.lease_until = None;
    if store.put_run(family, &run, attempt)? {
        events::record(store, family, &run, event, now)?;
    }
    Ok(())
}

fn plan_heartbeat(
    heartbeat: &Heartbeat,
    recent: &RecentRuns,
    now: Timestamp,
) -> StoreResult<FirePlan> {
    let timestamp = |at| Timestamp::from_millisecond(at).map_err(StoreError::new);
    let last = recent.last.as_ref().map(|(at, shown)| Ok((timestamp(*at)?, shown.as_str())));
    let planned = Planned {
        schedule: heartbeat.cadence.schedule(),
        time_zone: heartbeat.cadence.time_zone(),
        decided_until: timestamp(heartbeat.decided_until)?,
        missed_fires: heartbeat.missed_fires,
        recent_runs: u32::try_from(recent.count).unwrap_or(u32::MAX),
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
