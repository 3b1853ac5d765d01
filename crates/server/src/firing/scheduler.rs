//! The loop that fires heartbeats, for as long as a server runs or until nothing is due.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::task::JoinSet;
use tokio::time::sleep;

use super::attempt::{Attempt, AttemptEnd, HeldRun, HeldRuns, WRITES_MAX, WRITES_MAX_ONCE};
use super::runner::Execute;
use crate::failure::Failure;
use crate::mutex::lock;
use crate::server::Server;
use crate::store::{NextWork, StoreError};

/// The longest sleep. The clock may be set, the machine suspended, and another process may add a
/// heartbeat, so the store is asked again this often; that costs some microseconds, since nothing is
/// written if nothing is due.
const SLEEP_MAX: Duration = Duration::from_secs(1);

/// The sleep after a failure of the store.
const FAILURE_SLEEP: Duration = Duration::from_secs(5);

/// How far the clock may go back before decisions about the future are forgotten.
const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_secs(60);

/// The time between two removals of old runs.
const REMOVAL_INTERVAL: SignedDuration = SignedDuration::from_hours(1);

/// The pause between two parts of a removal.
const REMOVAL_PAUSE: Duration = Duration::from_millis(50);

/// The most runs that are counted as waiting.
const WAITING_MAX: usize = 10_000;

/// How heartbeats are fired.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchedulerOptions {
    /// The most runs that are executed at the same time.
    pub concurrency: usize,
    /// The time after which a run is taken over from a server that has stopped.
    pub lease: SignedDuration,
    /// The age at which ended runs are removed.
    pub kept: SignedDuration,
}

impl Default for SchedulerOptions {
    fn default() -> Self {
        Self {
            concurrency: 4,
            lease: SignedDuration::from_secs(60),
            kept: SignedDuration::from_hours(90 * 24),
        }
    }
}

/// What was done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FiringReport {
    /// The heartbeats of which something was decided.
    pub decided: usize,
    /// The runs that were claimed.
    pub executed: usize,
    /// Those that ended with a result.
    pub completed: usize,
    /// Those whose attempt failed. A run may be tried again later.
    pub failed: usize,
    /// Those that were executed, and whose end could not be recorded: they may be executed again.
    pub not_recorded: usize,
    /// The runs that could be claimed at the end, up to 10,000: they wait for a home agent.
    pub waiting: usize,
}

impl FiringReport {
    fn add(&mut self, ended: Option<AttemptEnd>) {
        match ended {
            Some(AttemptEnd::Completed) => self.completed += 1,
            // A task that has ended in any other way has no result either.
            Some(AttemptEnd::Failed) | None => self.failed += 1,
            Some(AttemptEnd::NotRecorded) => self.not_recorded += 1,
            Some(AttemptEnd::NotStarted) => {}
        }
    }
}

/// What a turn of the loop did.
struct Turn {
    /// The heartbeats of which something was decided.
    decided: usize,
    /// The runs that were claimed.
    executed: usize,
    /// What had to be done next after the decisions, before runs were claimed.
    next: NextWork,
}

/// Fires the heartbeats of all families of a server.
pub struct Scheduler {
    server: Server,
    runner: Option<Arc<dyn Execute>>,
    options: SchedulerOptions,
    /// The id by which it claims runs.
    id: String,
    /// The runs that it works on. It does not claim them again after their lease has ended, as when
    /// the machine was suspended, or when the store could not be written.
    held: HeldRuns,
}

impl Scheduler {
    /// Creates a scheduler. Without a runner, it decides what is due, and the runs wait for a home agent.
    pub fn new(
        server: Server,
        runner: Option<Arc<dyn Execute>>,
        options: SchedulerOptions,
    ) -> Self {
        let id = crate::id::instance();
        Self { server, runner, options, id, held: Arc::default() }
    }

    /// Fires until `stop` ends. What was started is ended then, and its runs are taken over after the
    /// next start.
    pub async fn run_until(self, stop: impl Future<Output = ()>) {
        let mut executing = JoinSet::new();
        tokio::select! {
            () = self.fire_forever(&mut executing) => {}
            () = stop => {}
        }
        executing.shutdown().await;
    }

    async fn fire_forever(&self, executing: &mut JoinSet<AttemptEnd>) {
        let mut last = self.server.now();
        let mut removed_at = None;
        let mut is_prepared = false;
        loop {
            let now = self.server.now();
            if !is_prepared || now.duration_since(last) < -CLOCK_TOLERANCE {
                is_prepared = self.prepare().await;
            }
            last = now;
            while executing.try_join_next().is_some() {}
            let mut slept = match self.fire(executing, WRITES_MAX).await {
                Ok(turn) => self.until_next_work(&turn, executing),
                Err(cause) => {
                    tracing::error!(%cause, "cannot fire heartbeats");
                    FAILURE_SLEEP
                }
            };
            if removed_at.is_none_or(|at| now.duration_since(at) >= REMOVAL_INTERVAL) {
                // What is due comes before the next part of what is removed.
                if self.remove_old_runs(now).await {
                    slept = slept.min(REMOVAL_PAUSE);
                } else {
                    removed_at = Some(now);
                }
            }
            tokio::select! {
                () = sleep(slept) => {}
                Some(_) = executing.join_next() => {}
            }
        }
    }

    /// Fires what is due, waits until it has ended, and returns what was done. What is due only later,
    /// as after a failed attempt, stays.
    pub async fn run_once(self) -> Result<FiringReport, Failure> {
        self.server.prepare_firing().await?;
        let mut executing = JoinSet::new();
        let mut report = FiringReport::default();
        let mut fired = Ok(());
        loop {
            // What is executed already is not ended because the store fails.
            if fired.is_ok() {
                fired = self.fire(&mut executing, WRITES_MAX_ONCE).await.map(|turn| {
                    report.decided += turn.decided;
                    report.executed += turn.executed;
                });
            }
            let Some(ended) = executing.join_next().await else { break };
            report.add(ended.ok());
            while let Some(ended) = executing.try_join_next() {
                report.add(ended.ok());
            }
        }
        fired?;
        report.waiting = self.server.count_claimable(WAITING_MAX).await?;
        while self.remove_old_runs(self.server.now()).await {}
        Ok(report)
    }

    /// Prepares firing; returns whether that succeeded.
    async fn prepare(&self) -> bool {
        let prepared = self.server.prepare_firing().await;
        if let Err(cause) = &prepared {
            tracing::error!(%cause, "cannot prepare to fire heartbeats");
        }
        prepared.is_ok()
    }

    /// Decides what is due, and begins to execute as much of it as there is room for.
    /// What happens to a run is written up to so many times while the store fails.
    async fn fire(
        &self,
        executing: &mut JoinSet<AttemptEnd>,
        writes_max: u32,
    ) -> Result<Turn, Failure> {
        let (decided, next) = self.server.decide_all().await?;
        let mut turn = Turn { decided, executed: 0, next };
        let Some(runner) = &self.runner else { return Ok(turn) };
        let room = self.options.concurrency.saturating_sub(executing.len());
        let now = self.server.now().as_millisecond();
        if room == 0 || next.claim_at.is_none_or(|at| at > now) {
            return Ok(turn);
        }
        let (lease, held) = (self.options.lease, lock(&self.held).clone());
        let claimed = self.server.claim_due(&self.id, lease, &held, room).await?;
        turn.executed = claimed.len();
        for claimed in claimed {
            let (server, runner) = (self.server.clone(), Arc::clone(runner));
            let held = HeldRun::new(claimed, &self.held);
            let attempt = Attempt { server, runner, held, lease, writes_max };
            executing.spawn(async move { attempt.carry_out().await });
        }
        Ok(turn)
    }

    /// Returns how long nothing has to be done after a turn.
    fn until_next_work(&self, turn: &Turn, executing: &JoinSet<AttemptEnd>) -> Duration {
        if turn.executed > 0 {
            return Duration::ZERO;
        }
        // A run that can be claimed has to wait for room, or for an agent.
        let claims = self.runner.is_some() && executing.len() < self.options.concurrency;
        let times = [turn.next.fire_at, turn.next.claim_at.filter(|_| claims)];
        let Some(at) = times.into_iter().flatten().min() else { return SLEEP_MAX };
        match at.saturating_sub(self.server.now().as_millisecond()) {
            milliseconds @ 1.. => Duration::from_millis(milliseconds.unsigned_abs()).min(SLEEP_MAX),
            // It became due meanwhile, or nothing can be done about it, such as a damaged row.
            _ if turn.decided > 0 => Duration::ZERO,
            _ => SLEEP_MAX,
        }
    }

    /// Removes runs that ended long ago, some of them; returns whether more are left.
    async fn remove_old_runs(&self, now: Timestamp) -> bool {
        let before = now.checked_sub(self.options.kept).map_err(StoreError::new);
        let removed = match before {
            Ok(before) => self.server.remove_runs_before(before).await,
            Err(error) => Err(error.into()),
        };
        removed.unwrap_or_else(|cause| {
            tracing::warn!(%cause, "old runs were not removed");
            false
        })
    }
}
