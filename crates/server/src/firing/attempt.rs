//! An attempt of a run: it starts, is executed, and its end is recorded, even if the store fails for a
//! while. What was executed must not be executed again because the disk was full.

use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jiff::SignedDuration;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::claim::ClaimedRun;
use super::runner::{Execute, Job, Outcome};
use crate::failure::Failure;
use crate::mutex::lock;
use crate::server::Server;
use dibber_skill::contract::RunState;

/// How often the start and the end of a run are written until the store takes them, as when the disk
/// is full: for about a day, after which the run would not be executed any more.
pub(super) const WRITES_MAX: u32 = 24 * 60 * 60;

/// The same for a program that fires once: for some seconds.
pub(super) const WRITES_MAX_ONCE: u32 = 8;

/// The time after the first of these writes. It doubles with each one.
const WRITE_PAUSE_MIN: Duration = Duration::from_millis(100);

/// The longest time between two of them. The lease may have ended while the store failed, and another
/// server looks for such runs once a second.
const WRITE_PAUSE_MAX: Duration = Duration::from_secs(1);

/// The longest time between two renewals of a lease. A run that is ended by hand is noticed then, and its
/// program is ended before the run is due again.
const RENEWAL_MAX: Duration = Duration::from_secs(20);

/// The runs that a scheduler works on.
pub(super) type HeldRuns = Arc<Mutex<Vec<ClaimedRun>>>;

/// A run that a scheduler works on, until this is dropped.
pub(super) struct HeldRun {
    claimed: ClaimedRun,
    held: HeldRuns,
}

impl HeldRun {
    /// Adds a run to those that a scheduler works on.
    pub(super) fn new(claimed: ClaimedRun, held: &HeldRuns) -> Self {
        lock(held).push(claimed.clone());
        Self { claimed, held: Arc::clone(held) }
    }
}

impl Drop for HeldRun {
    fn drop(&mut self) {
        lock(&self.held).retain(|held| *held != self.claimed);
    }
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttemptEnd {
    Completed,
    Failed,
    /// It was withdrawn or taken over before the start, or the start could not be recorded.
    NotStarted,
    /// It was executed, and then taken over, or its end could not be recorded.
    NotRecorded,
}

/// A claimed run that is executed.
pub(super) struct Attempt {
    pub(super) server: Server,
    pub(super) runner: Arc<dyn Execute>,
    pub(super) held: HeldRun,
    /// The time until others may take it over, unless it is renewed.
    pub(super) lease: SignedDuration,
    /// How often its start and its end are written while the store fails.
    pub(super) writes_max: u32,
}

impl Attempt {
    /// Starts the run, executes it, and records how it ended.
    pub(super) async fn carry_out(self) -> AttemptEnd {
        let run = self.held.claimed.run_id.as_str();
        let job = match self.while_held(self.start()).await {
            Ok(Some(job)) => job,
            // It has failed, unless it was taken over or withdrawn.
            Ok(None) => return AttemptEnd::NotStarted,
            Err(cause) => {
                tracing::error!(%cause, run, "cannot start a run");
                return AttemptEnd::NotStarted;
            }
        };
        let heartbeat = job.heartbeat_id.as_str();
        tracing::info!(run, heartbeat, attempt = job.attempt, "run started");
        let outcome = tokio::select! {
            outcome = self.runner.execute(job) => outcome,
            () = self.hold() => {
                tracing::warn!(run, "the run was taken over, and its program is ended");
                return AttemptEnd::NotRecorded;
            }
        };
        match self.while_held(self.record(&outcome)).await {
            Ok(Some(RunState::Completed)) => {
                tracing::info!(run, state = "completed", "run ended");
                return AttemptEnd::Completed;
            }
            Ok(Some(_)) => {
                tracing::info!(run, state = "failed", "run ended");
                return AttemptEnd::Failed;
            }
            Ok(None) => {
                tracing::warn!(run, "the run was taken over, and its end is not recorded");
            }
            Err(cause) => tracing::error!(%cause, run, "the end of a run was not recorded"),
        }
        AttemptEnd::NotRecorded
    }

    async fn start(&self) -> Result<Option<Job>, Failure> {
        let executor = self.runner.executor();
        self.write(|| self.server.start_run(&self.held.claimed, executor)).await
    }

    async fn record(&self, outcome: &Outcome) -> Result<Option<RunState>, Failure> {
        self.write(|| self.server.finish_run(&self.held.claimed, outcome.clone())).await
    }

    /// Writes until the store takes it.
    async fn write<T, W: Future<Output = Result<T, Failure>>>(
        &self,
        write: impl Fn() -> W,
    ) -> Result<T, Failure> {
        let mut pause = WRITE_PAUSE_MIN;
        for count in 1..self.writes_max {
            match write().await {
                Err(cause) if cause.may_pass() => {
                    // The log must not fill the disk further.
                    if count.is_power_of_two() {
                        let run = self.held.claimed.run_id.as_str();
                        tracing::warn!(%cause, run, count, "cannot write what happens to a run yet");
                    }
                }
                written => return written,
            }
            sleep(pause).await;
            pause = (2 * pause).min(WRITE_PAUSE_MAX);
        }
        write().await
    }

    /// Writes to the store, and renews the lease meanwhile. If the run is taken over, the store says
    /// so: what is written names the attempt.
    async fn while_held<T>(&self, write: impl Future<Output = T>) -> T {
        let mut write = pin!(write);
        tokio::select! {
            written = &mut write => written,
            () = self.hold() => write.await,
        }
    }

    /// Renews the lease for as long as the run is held.
    async fn hold(&self) {
        let period = Duration::try_from(self.lease / 3).unwrap_or(RENEWAL_MAX).min(RENEWAL_MAX);
        let mut ticks = interval(period.max(Duration::from_millis(100)));
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks.tick().await;
        loop {
            ticks.tick().await;
            match self.server.renew_claim(&self.held.claimed, self.lease).await {
                Ok(true) => {}
                Ok(false) => return,
                // The lease may last until the store answers again.
                Err(cause) => tracing::warn!(%cause, "the lease of a run was not renewed"),
            }
        }
    }
}
