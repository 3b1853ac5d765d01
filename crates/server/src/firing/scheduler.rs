//! The loop that fires heartbeats, for as long as a server runs or until nothing is due.

use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use tokio::task::JoinSet;
use tokio::time::{MissedTickBehavior, interval, sleep};

use super::runner::{Execute, Outcome};
use super::steps::ClaimedRun;
use crate::failure::Failure;
use crate::server::Server;
use crate::store::StoreError;
use dibber_skill::contract::RunState;

/// The longest sleep. The clock may be set, the machine suspended, and another process may add a
/// heartbeat, so the store is asked again this often; that costs some microseconds.
const SLEEP_MAX: Duration = Duration::from_secs(1);

/// The shortest sleep after a turn in which nothing was done.
const IDLE_SLEEP_MIN: Duration = Duration::from_millis(200);

/// How often the end of a run is recorded until the store takes it.
const RECORD_ATTEMPTS: u32 = 5;

/// The time between two of these.
const RECORD_PAUSE: Duration = Duration::from_secs(2);

/// The sleep after a failure of the store.
const FAILURE_SLEEP: Duration = Duration::from_secs(5);

/// How far the clock may go back before decisions about the future are forgotten.
const CLOCK_TOLERANCE: SignedDuration = SignedDuration::from_secs(60);

/// The time between two removals of old runs.
const REMOVAL_INTERVAL: SignedDuration = SignedDuration::from_hours(1);

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
    /// The runs that could be claimed at the end, up to 10,000: they wait for a home agent.
    pub waiting: usize,
}

/// How an attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum AttemptEnd {
    Completed,
    Failed,
    /// Another one has taken it over, or nothing could be recorded.
    Lost,
}

/// Fires the heartbeats of all families of a server.
pub struct Scheduler {
    server: Server,
    runner: Option<Arc<dyn Execute>>,
    options: SchedulerOptions,
    /// The id by which it claims runs.
    id: String,
}

impl Scheduler {
    /// Creates a scheduler. Without a runner, it decides what is due, and the runs wait for a home agent.
    pub fn new(
        server: Server,
        runner: Option<Arc<dyn Execute>>,
        options: SchedulerOptions,
    ) -> Self {
        let id = crate::id::instance();
        Self { server, runner, options, id }
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
        self.prepare().await;
        loop {
            let now = self.server.now();
            if now.duration_since(last) < -CLOCK_TOLERANCE {
                self.prepare().await;
            }
            last = now;
            while executing.try_join_next().is_some() {}
            let slept = match self.fire(executing).await {
                // What nothing could be done about, such as a damaged row, can wait.
                Ok((0, 0)) => self.until_next_work(executing).await.max(IDLE_SLEEP_MIN),
                Ok(_) => self.until_next_work(executing).await,
                Err(cause) => {
                    tracing::error!(%cause, "cannot fire heartbeats");
                    FAILURE_SLEEP
                }
            };
            if removed_at.is_none_or(|at| now.duration_since(at) >= REMOVAL_INTERVAL) {
                self.remove_old_runs(now).await;
                removed_at = Some(now);
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
        loop {
            let (decided, executed) = self.fire(&mut executing).await?;
            report.decided += decided;
            report.executed += executed;
            match executing.join_next().await {
                Some(Ok(AttemptEnd::Completed)) => report.completed += 1,
                // A task that has ended in any other way has no result either.
                Some(Ok(AttemptEnd::Failed) | Err(_)) => report.failed += 1,
                Some(Ok(AttemptEnd::Lost)) => {}
                None => break,
            }
        }
        report.waiting = self.server.count_claimable(WAITING_MAX).await?;
        self.remove_old_runs(self.server.now()).await;
        Ok(report)
    }

    async fn prepare(&self) {
        if let Err(cause) = self.server.prepare_firing().await {
            tracing::error!(%cause, "cannot prepare to fire heartbeats");
        }
    }

    /// Decides what is due, and begins to execute as much of it as there is room for. Returns for how
    /// many heartbeats something was decided, and how many runs were claimed.
    async fn fire(&self, executing: &mut JoinSet<AttemptEnd>) -> Result<(usize, usize), Failure> {
        let decided = self.server.decide_due().await?;
        let Some(runner) = &self.runner else {
            return Ok((decided, 0));
        };
        let room = self.options.concurrency.saturating_sub(executing.len());
        if room == 0 {
            return Ok((decided, 0));
        }
        let claimed = self.server.claim_due(&self.id, self.options.lease, room).await?;
        let executed = claimed.len();
        for claimed in claimed {
            let (server, runner) = (self.server.clone(), Arc::clone(runner));
            let lease = self.options.lease;
            executing.spawn(async move { execute(&server, runner.as_ref(), claimed, lease).await });
        }
        Ok((decided, executed))
    }

    /// Returns how long nothing has to be done.
    async fn until_next_work(&self, executing: &JoinSet<AttemptEnd>) -> Duration {
        let Ok(next) = self.server.next_work().await else { return SLEEP_MAX };
        // A run that can be claimed has to wait for room, or for an agent.
        let claims = self.runner.is_some() && executing.len() < self.options.concurrency;
        let times = [next.fire_at, next.claim_at.filter(|_| claims)];
        let Some(at) = times.into_iter().flatten().min() else { return SLEEP_MAX };
        let milliseconds = at.saturating_sub(self.server.now().as_millisecond()).max(0);
        Duration::from_millis(milliseconds.unsigned_abs()).min(SLEEP_MAX)
    }

    async fn remove_old_runs(&self, now: Timestamp) {
        let before = now.checked_sub(self.options.kept).map_err(StoreError::new);
        let removed = match before {
            Ok(before) => self.server.remove_runs_before(before).await,
            Err(error) => Err(error.into()),
        };
        if let Err(cause) = removed {
            tracing::warn!(%cause, "old runs were not removed");
        }
    }
}

/// Starts a claimed run, executes it, and records how it ended.
async fn execute(
    server: &Server,
    runner: &dyn Execute,
    claimed: ClaimedRun,
    lease: SignedDuration,
) -> AttemptEnd {
    let run = claimed.run_id.as_str();
    let job = match server.start_run(&claimed, runner.executor()).await {
        Ok(Some(job)) => job,
        // It has failed, unless it was taken over or withdrawn.
        Ok(None) => return AttemptEnd::Lost,
        Err(cause) => {
            tracing::error!(%cause, run, "cannot start a run");
            return AttemptEnd::Lost;
        }
    };
    tracing::info!(
        run,
        heartbeat = job.heartbeat_id.as_str(),
        attempt = job.attempt,
        "run started"
    );
    let outcome = tokio::select! {
        outcome = runner.execute(job) => outcome,
        () = hold(server, &claimed, lease) => {
            tracing::warn!(run, "the run was taken over, and its program is ended");
            return AttemptEnd::Lost;
        }
    };
    match record(server, &claimed, &outcome).await {
        Ok(Some(RunState::Completed)) => {
            tracing::info!(run, state = "completed", "run ended");
            return AttemptEnd::Completed;
        }
        Ok(Some(_)) => {
            tracing::info!(run, state = "failed", "run ended");
            return AttemptEnd::Failed;
        }
        Ok(None) => tracing::warn!(run, "the run was taken over before its end was recorded"),
        Err(cause) => tracing::error!(%cause, run, "the end of a run was not recorded"),
    }
    AttemptEnd::Lost
}

/// Records how a run ended. What it did must not be done again because the store was busy.
async fn record(
    server: &Server,
    claimed: &ClaimedRun,
    outcome: &Outcome,
) -> Result<Option<RunState>, Failure> {
    for _ in 1..RECORD_ATTEMPTS {
        match server.finish_run(claimed, outcome.clone()).await {
            Err(cause) => tracing::warn!(%cause, "the end of a run is recorded again"),
            recorded => return recorded,
        }
        sleep(RECORD_PAUSE).await;
    }
    server.finish_run(claimed, outcome.clone()).await
}

/// Renews the lease of a claim for as long as it is held.
async fn hold(server: &Server, claimed: &ClaimedRun, lease: SignedDuration) {
    let period = Duration::try_from(lease / 3).unwrap_or(SLEEP_MAX);
    let mut ticks = interval(period.max(Duration::from_millis(100)));
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    ticks.tick().await;
    loop {
        ticks.tick().await;
        match server.renew_claim(claimed, lease).await {
            Ok(true) => {}
            Ok(false) => return,
            // The lease may last until the store answers again.
            Err(cause) => tracing::warn!(%cause, "the lease of a run was not renewed"),
        }
    }
}
