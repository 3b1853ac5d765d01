//! Claiming runs, for the time of a lease.

use jiff::{SignedDuration, Timestamp};

use super::plan::SkipReason;
use super::{decide, finish};
use crate::failure::Failure;
use crate::store::{FamilyId, FiredRun, HeartbeatState, RunsOf, StoreError, StoreResult, Writer};
use dibber_skill::contract::{HeartbeatId, RunId, RunState};

/// The most claimable runs that are looked at for those that fit.
const CANDIDATES_MAX: usize = 200;

/// A run that is claimed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ClaimedRun {
    /// The family.
    pub family: FamilyId,
    /// The run.
    pub run_id: RunId,
    /// The number of the attempt: the fencing token of the claim.
    pub attempt: i64,
}

/// Who claims runs, and for how long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Claimant<'a> {
    /// The id of a user, or of a server.
    pub(crate) id: &'a str,
    /// The time until others may take the run over.
    pub(crate) lease: SignedDuration,
    /// What it works on already, even if the lease has ended.
    pub(crate) held: &'a [ClaimedRun],
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

/// Claims the runs that are due longest, up to `limit`. Runs that were interrupted too often, or whose
/// heartbeat does not fire any more, are ended on the way.
pub(crate) fn claim_next(
    store: &dyn Writer,
    of: RunsOf<'_>,
    by: Claimant<'_>,
    now: Timestamp,
    limit: usize,
) -> Result<Vec<(FamilyId, FiredRun)>, Failure> {
    let mut claimed = Vec::new();
    // Mostly, each one can be claimed. Others are looked for only if some cannot.
    for candidates in [limit, CANDIDATES_MAX.max(limit)] {
        let found = store.claimable(of, now.as_millisecond(), candidates)?;
        let is_last = found.rows.len() + found.damaged.len() < candidates;
        for (family, run) in found.rows {
            if claimed.len() >= limit {
                break;
            }
            if by.held.iter().any(|held| held.run_id == run.id && held.family == family) {
                continue;
            }
            if let Some(run) = claim(store, &family, run, by, now)? {
                claimed.push((family, run));
            }
        }
        if is_last || claimed.len() >= limit {
            break;
        }
    }
    Ok(claimed)
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
    let heartbeat = match store.heartbeat(family, &run.heartbeat_id) {
        // Its runs must not hold up those of others.
        Err(StoreError::Damaged) => {
            finish::end_unstarted(store, family, run, None, "its heartbeat is damaged", now)?;
            return Ok(None);
        }
        found => found?,
    };
    if let Some(reason) = withdrawal(heartbeat.as_ref().map(|heartbeat| heartbeat.state)) {
        decide::skip(store, family, run, reason, now)?;
        return Ok(None);
    }
    if attempt >= finish::ATTEMPTS_MAX {
        let reason = "every attempt was interrupted";
        finish::end_unstarted(store, family, run, heartbeat, reason, now)?;
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
    store.put_lease(family, id, attempt, until.as_millisecond())
}

fn end_of(lease: SignedDuration, now: Timestamp) -> Result<i64, Failure> {
    let end = now.checked_add(lease).map_err(StoreError::new)?;
    Ok(end.as_millisecond())
}
