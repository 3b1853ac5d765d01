//! What a server of skills does beside its calls: it looks for the sandbox, removes blobs and records of runs
//! that are too old, and records runs as interrupted that a killed server has left. Where there is nothing to
//! do, nothing is written.

use std::time::Duration;

use tokio::time::{sleep, timeout};

use super::skills_protocol::SkillsProtocol;
use crate::server::Server;
use crate::store::{StoreError, StoreExt, StoreResult};

/// The time between two sweeps.
const SWEEP_PERIOD: Duration = Duration::from_mins(10);

/// The most runs of skills that are kept of a family.
const SKILL_RUNS_MAX: usize = 10_000;

/// How long runs of skills are kept.
const SKILL_RUN_LIFETIME: Duration = Duration::from_hours(30 * 24);

/// After what time a run without an end was interrupted: no run takes so long, whichever server has begun it.
const UNFINISHED_LIFETIME: Duration = Duration::from_mins(10);

/// How long runs may take to end after the server begins to stop: longer than their requests, which are
/// aborted after ten seconds.
const RUN_END_TIME: Duration = Duration::from_secs(15);

/// What a sweep has done to the records of runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SweptRuns {
    /// How many were removed.
    pub removed: usize,
    /// How many were interrupted.
    pub interrupted: usize,
}

impl SkillsProtocol {
    /// Looks for the sandbox, and then sweeps now and then, until `stop` is ready. Then it waits for the end
    /// of runs, which end at the latest with their requests.
    pub async fn maintain(&self, stop: impl Future<Output = ()>) {
        let work = async {
            if let Ok(sandbox) = self.sandbox.find().await {
                let mode = sandbox.mode().to_string();
                tracing::info!(mode, "the code of skills runs in a sandbox");
            }
            loop {
                self.sweep().await;
                sleep(SWEEP_PERIOD).await;
            }
        };
        tokio::select! {
            () = work => {}
            () = stop => {}
        }
        if timeout(RUN_END_TIME, self.slots.wait_until_idle()).await.is_err() {
            tracing::warn!("runs have not ended in time; their launchers end them");
        }
    }

    async fn sweep(&self) {
        // If it fails, the cause is in the log already.
        if let Ok(blobs) = self.blobs.remove_expired().await {
            tracing::debug!(?blobs, "swept the blobs");
        }
        match sweep_runs(&self.server).await {
            Ok(runs) => tracing::debug!(?runs, "swept the records of runs"),
            Err(cause) => tracing::error!(%cause, "cannot sweep the records of runs"),
        }
    }
}

/// Removes records of runs that are too old or too many, and records runs as interrupted that have no end.
///
/// # Errors
/// If the store fails. What was done until then stays done.
pub async fn sweep_runs(server: &Server) -> StoreResult<SweptRuns> {
    let now = server.now().as_millisecond();
    let before = |lifetime: Duration| {
        now.saturating_sub(i64::try_from(lifetime.as_millis()).unwrap_or(i64::MAX))
    };
    let (old, unfinished) = (before(SKILL_RUN_LIFETIME), before(UNFINISHED_LIFETIME));
    let found = server.store().read(move |store| {
        let mut found = Vec::new();
        for family in store.families()?.rows {
            let family = family.id;
            if store.has_old_skill_runs(&family, old, SKILL_RUNS_MAX)?
                || store.has_unfinished_skill_runs(&family, unfinished)?
            {
                found.push(family);
            }
        }
        Ok::<_, StoreError>(found)
    });
    let mut swept = SweptRuns::default();
    for family in found.await? {
        let work = server.store().write(move |store| {
            let removed = store.remove_old_skill_runs(&family, old, SKILL_RUNS_MAX)?;
            let interrupted = store.interrupt_skill_runs(&family, unfinished)?;
            Ok::<_, StoreError>(SweptRuns { removed, interrupted })
        });
        let SweptRuns { removed, interrupted } = work.await?;
        swept.removed += removed;
        swept.interrupted += interrupted;
    }
    Ok(swept)
}
