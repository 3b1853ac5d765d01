//! The steps of firing, each in a transaction of its own.

use jiff::{SignedDuration, Timestamp};

use super::claim::{self, Claimant, ClaimedRun};
use super::decide::{decide_due, has_decisions};
use super::finish::{self, Retry};
use super::runner::{Job, Outcome};
use super::start::{Executor, Started, start};
use crate::failure::Failure;
use crate::run_result::RunResult;
use crate::server::Server;
use crate::store::{
    FamilyId, FiredRun, NextWork, Reader, RunsOf, StoreError, StoreExt, StoreResult, Writer,
    attempt,
};
use crate::times;
use dibber_skill::contract::{RunId, RunState};

/// The most heartbeats that are decided in one transaction.
const DECIDED_PER_TRANSACTION: usize = 500;

/// The most runs that one transaction removes: it takes some hundredths of a second, for which what is
/// due may have to wait.
const REMOVED_PER_TRANSACTION: usize = 1_000;

impl Server {
    /// Prepares firing after a start, or after the clock was set: decisions that were made for the
    /// future are forgotten, and if the rules of time zones have changed, the next fires are computed
    /// again.
    pub async fn prepare_firing(&self) -> Result<(), Failure> {
        let now = self.now();
        // A clock that is a little ahead, as on another server, changes nothing.
        let tolerated = now.checked_add(SignedDuration::from_mins(2)).map_err(StoreError::new)?;
        let is_ahead = move |store: &dyn Reader| store.is_decided_after(tolerated.as_millisecond());
        let version = dibber_schedule::tzdb_version();
        let has_other_rules =
            move |store: &dyn Reader| Ok(store.tzdb_version()?.as_deref() != Some(version));
        let is_prepared = move |store: &dyn Reader| -> StoreResult<bool> {
            Ok(!is_ahead(store)? && !has_other_rules(store)?)
        };
        if self.store.read(is_prepared).await? {
            return Ok(());
        }
        self.store
            .write(move |store| -> Result<(), Failure> {
                if store.is_decided_after(tolerated.as_millisecond())? {
                    store.forget_decisions_after(now.as_millisecond())?;
                }
                if store.tzdb_version()?.as_deref() != Some(version) {
                    store.reset_next_fires(version)?;
                }
                Ok(())
            })
            .await
    }

    /// Decides which of the planned times until now run; returns how much was decided.
    pub async fn decide_due(&self) -> Result<usize, Failure> {
        Ok(self.decide_all().await?.0)
    }

    /// Does the same, and returns also what has to be done next. If nothing is due, nothing is written.
    pub(super) async fn decide_all(&self) -> Result<(usize, NextWork), Failure> {
        let mut total = 0;
        loop {
            let next = self.next_work().await?;
            let now = self.now();
            if !has_decisions(&next, now)? {
                return Ok((total, next));
            }
            let decide = move |store: &dyn Writer| -> Result<usize, Failure> {
                Ok(decide_due(store, None, now, DECIDED_PER_TRANSACTION)?)
            };
            let decided = self.store.write(decide).await?;
            total += decided;
            if decided == 0 {
                return Ok((total, next));
            }
        }
    }

    /// Claims the runs that are due longest, up to `limit`, without those that the claimant still
    /// holds.
    pub async fn claim_due(
        &self,
        claimant: &str,
        lease: SignedDuration,
        held: &[ClaimedRun],
        limit: usize,
    ) -> Result<Vec<ClaimedRun>, Failure> {
        let (now, id, held) = (self.now(), claimant.to_owned(), held.to_owned());
        self.store
            .write(move |store| -> Result<_, Failure> {
                let by = Claimant { id: &id, lease, held: &held };
                let claimed = claim::claim_next(store, RunsOf::All, by, now, limit)?.into_iter();
                let claimed = claimed.map(|(family, run)| ClaimedRun {
                    family,
                    run_id: run.id,
                    attempt: run.attempt,
                });
                Ok(claimed.collect())
            })
            .await
    }

    /// Starts a claimed run. Returns none if the claim is no longer held, or if it ended instead. After
    /// an error, which may mean that the answer was lost, it can be started again.
    pub async fn start_run(
        &self,
        claimed: &ClaimedRun,
        executor: Executor,
    ) -> Result<Option<Job>, Failure> {
        let (now, family, claimed) = (self.now(), claimed.family.clone(), claimed.clone());
        let started = self.store.write(move |store| -> Result<_, Failure> {
            let ClaimedRun { family, run_id, attempt } = &claimed;
            start(store, family, run_id, *attempt, executor, now)
        });
        started.await?.map(|started| job(family, started)).transpose()
    }

    /// Extends the lease of a claim; returns whether it was still held.
    pub async fn renew_claim(
        &self,
        claimed: &ClaimedRun,
        lease: SignedDuration,
    ) -> Result<bool, Failure> {
        let until = self.now().checked_add(lease).map_err(StoreError::new)?;
        let claimed = claimed.clone();
        let renew = move |store: &dyn Writer| -> Result<bool, Failure> {
            let ClaimedRun { family, run_id, attempt } = &claimed;
            Ok(claim::renew(store, family, run_id, *attempt, until)?)
        };
        self.store.write(renew).await
    }

    /// Records how an attempt ended. Returns the state of the run: one whose result is not what its skill
    /// declares has failed. Returns none if the claim was no longer held. After an error, which may
    /// mean that the answer was lost, the end can be recorded again.
    pub async fn finish_run(
        &self,
        claimed: &ClaimedRun,
        outcome: Outcome,
    ) -> Result<Option<RunState>, Failure> {
        let (now, claimed) = (self.now(), claimed.clone());
        self.store
            .write(move |store| -> Result<_, Failure> {
                let ClaimedRun { family, run_id, attempt } = &claimed;
                let run = (run_id, *attempt);
                let ended = match outcome {
                    Outcome::Completed(result) => complete(store, family, run, result, now)?,
                    Outcome::Failed { reason, retry } => {
                        finish::fail(store, family, run, &reason, retry, now)?
                    }
                };
                let ended = match ended {
                    None => finish::ended(store, family, run_id, *attempt)?,
                    ended => ended,
                };
                Ok(ended.map(|run| run.state))
            })
            .await
    }

    /// Returns the number of runs that could be claimed now, up to `limit`.
    pub(super) async fn count_claimable(&self, limit: usize) -> Result<usize, Failure> {
        let now = self.now().as_millisecond();
        let count = move |store: &dyn crate::store::Reader| -> Result<usize, Failure> {
            Ok(store.claimable(crate::store::RunsOf::All, now, limit)?.rows.len())
        };
        self.store.read(count).await
    }

    /// Returns when something has to be done next.
    pub async fn next_work(&self) -> Result<NextWork, Failure> {
        self.store.read(|store| -> Result<_, Failure> { Ok(store.next_work()?) }).await
    }

    /// Removes ended runs that were decided before a time, some of them; returns whether
    /// more are left.
    pub async fn remove_runs_before(&self, time: Timestamp) -> Result<bool, Failure> {
        let time = time.as_millisecond();
        if self.next_work().await?.removable_since.is_none_or(|oldest| oldest >= time) {
            return Ok(false);
        }
        let remove = move |store: &dyn Writer| -> Result<usize, Failure> {
            Ok(store.remove_runs_before(time, REMOVED_PER_TRANSACTION)?)
        };
        Ok(self.store.write(remove).await? == REMOVED_PER_TRANSACTION)
    }
}

/// Ends a run with its result, or as failed if the result is not one that the skill declares, or cannot
/// be checked because of damage: what was executed is not executed again.
fn complete(
    store: &dyn Writer,
    family: &FamilyId,
    run: (&RunId, i64),
    result: RunResult,
    now: Timestamp,
) -> Result<Option<FiredRun>, Failure> {
    match attempt(store, || finish::complete(store, family, run, result, now)) {
        Err(Failure::Refused(error)) => {
            finish::fail(store, family, run, &error.message, Retry::Never, now)
        }
        Err(cause) if cause.is_damage() => {
            tracing::error!(%cause, run = run.0.as_str(), "the result of a run cannot be checked");
            let reason = format!("the result cannot be checked: {}", StoreError::Damaged);
            finish::fail(store, family, run, &reason, Retry::Never, now)
        }
        ended => ended,
    }
}

fn job(family: FamilyId, started: Started) -> Result<Job, Failure> {
    let Started { run, heartbeat, prompt, response_model } = started;
    let zone = &heartbeat.cadence.schedule().zone;
    Ok(Job {
        family,
        run_id: run.id,
        attempt: run.attempt,
        heartbeat_id: heartbeat.id,
        name: heartbeat.name,
        skill_id: run.skill_id,
        child_id: heartbeat.child_id,
        planned_at: times::format_stored(run.planned_at, zone)?,
        time_zone: heartbeat.cadence.time_zone().to_owned(),
        may_have_repeated: run.may_have_repeated,
        prompt_hash: run.prompt_hash.unwrap_or_default(),
        response_model,
        prompt,
    })
}
