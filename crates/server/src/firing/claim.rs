//! Claiming runs, for the time of a lease.

use jiff::{SignedDuration, Timestamp};

use super::plan::SkipReason;
use super::{decide, finish};
use crate::failure::Failure;
use crate::store::{FamilyId, FiredRun, HeartbeatState, RunsOf, StoreError, StoreResult, Writer};
use dibber_skill::contract::{HeartbeatId, RunId, RunState};

/// The most claimable runs that are looked at for one that fits.
const CANDIDATES_MAX: usize = 200;

/// Who claims runs, and for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claimant<'a> {
    /// The id of a user, or of a server.
    pub(crate) id: &'a str,
    /// The time until others may take the run over.
    pub(crate) lease: SignedDuration,
}

/// Returns the runs of a family, or of one of its heartbeats.
pub(crate) fn of_family<'a>(
    family: &'a FamilyId,
    heartbeat: Option<&'a HeartbeatId>,
) -> RunsOf<'a> {
    match heartbeat {
        Some(heartbeat) => RunsOf::Heartbeat(family, heartbeat),
        None => RunsOf::Family(family),
    }
}

/// Claims the run that is due longest, if there is one. Runs that were interrupted too often, or whose
/// heartbeat does not fire any more, are ended on the way.
pub(crate) fn claim_next(
    store: &dyn Writer,
    of: RunsOf<'_>,
    by: Claimant<'_>,
    now: Timestamp,
) -> Result<Option<(FamilyId, FiredRun)>, Failure> {
    let found = store.claimable(of, now.as_millisecond(), CANDIDATES_MAX)?.rows;
    for (family, run) in found {
        if let Some(claimed) = claim(store, &family, run, by, now)? {
            return Ok(Some((family, claimed)));
        }
    }
    Ok(None)
}

/// Claims a run, if it can be claimed.
pub(crate) fn claim_run(
    store: &dyn Writer,
    family: &FamilyId,
    id: &RunId,
    by: Claimant<'_>,
    now: Timestamp,
) -> Result<Option<FiredRun>, Failure> {
    let Some(run) = store.run(family, id)? else { return Ok(None) };
    let is_claimable = match run.state {
        RunState::Due => true,
        RunState::Claimed | RunState::Running => {
            run.lease_until.is_none_or(|until| until <= now.as_millisecond())
        }
        RunState::Completed | RunState::Failed | RunState::Skipped => false,
    };
    if is_claimable { claim(store, family, run, by, now) } else { Ok(None) }
}

fn claim(
    store: &dyn Writer,
    family: &FamilyId,
    mut run: FiredRun,
    by: Claimant<'_>,
    now: Timestamp,
) -> Result<Option<FiredRun>, Failure> {
    let attempt = run.attempt;
    // What has started and has not ended may have had its effect.
    run.may_have_repeated |= run.state == RunState::Running;
    let heartbeat = store.heartbeat(family, &run.heartbeat_id)?;
    if let Some(reason) = withdrawal(heartbeat.map(|heartbeat| heartbeat.state)) {
        decide::skip(store, family, run, reason, now)?;
        return Ok(None);
    }
    if attempt >= finish::ATTEMPTS_MAX {
        finish::end_interrupted(store, family, run, now)?;
        return Ok(None);
    }
    run.state = RunState::Claimed;
    run.attempt += 1;
    run.claimed_by = Some(by.id.to_owned());
    run.lease_until = Some(end_of(by.lease, now)?);
    Ok(store.put_run(family, &run, attempt)?.then_some(run))
}

/// Returns why the runs of a heartbeat in this state do not start, if they do not.
const fn withdrawal(state: Option<HeartbeatState>) -> Option<SkipReason> {
    match state {
        Some(HeartbeatState::Active) => None,
        Some(HeartbeatState::Paused) => Some(SkipReason::Paused),
        Some(HeartbeatState::Cancelled) | None => Some(SkipReason::Cancelled),
    }
}

/// Extends the lease of a claim; returns whether it was still held.
pub(crate) fn renew(
    store: &dyn Writer,
    family: &FamilyId,
    id: &RunId,
    attempt: i64,
    until: Timestamp,
) -> StoreResult<bool> {
    let Some(mut run) = store.run(family, id)? else { return Ok(false) };
    run.lease_until = Some(until.as_millisecond());
    Ok(run.attempt == attempt && store.put_run(family, &run, attempt)?)
}

fn end_of(lease: SignedDuration, now: Timestamp) -> Result<i64, Failure> {
    let end = now.checked_add(lease).map_err(StoreError::new)?;
    Ok(end.as_millisecond())
}
