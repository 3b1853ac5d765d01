//! A run that has its slot. It is a task of its own, which ends when nothing of the run exists any more, also
//! if its caller has gone before.

use tokio::sync::oneshot;
use tokio::sync::oneshot::error::TryRecvError;

use super::blobs::{MountedBlobs, internal};
use super::run_record::RunRecord;
use super::run_slots::RunSlot;
use dibber_protocol::{FinishedRun, RunPlan, finish_run, sandbox_refusal};
use dibber_sandbox::Sandbox;
use dibber_skill::contract::skills_protocol::RpcError;

/// A run that has everything that it needs.
pub(super) struct StartedRun {
    pub(super) sandbox: Sandbox,
    pub(super) plan: RunPlan,
    /// The files of its blobs.
    pub(super) mounted: MountedBlobs,
    pub(super) slot: RunSlot,
    pub(super) record: RunRecord,
}

impl StartedRun {
    /// Runs to the end. If this is dropped before, the run is cancelled: its slot is free when its processes
    /// and files are gone.
    pub(super) async fn finish(self) -> Result<(FinishedRun, RunRecord), RpcError> {
        let (caller, is_gone) = oneshot::channel();
        let ended = tokio::spawn(self.run(is_gone)).await;
        drop(caller);
        ended.unwrap_or_else(|cause| Err(internal(cause)))
    }

    async fn run(
        self,
        mut is_gone: oneshot::Receiver<()>,
    ) -> Result<(FinishedRun, RunRecord), RpcError> {
        let Self { sandbox, plan, mounted, slot, mut record } = self;
        let cancelled = async { drop((&mut is_gone).await) };
        let ended = sandbox.run_until(&plan.job, cancelled).await;
        drop(mounted);
        drop(slot);
        let outcome = match ended {
            Ok(outcome) => outcome,
            Err(error) => {
                tracing::error!(cause = %error, "the sandbox could not run a job");
                record.set_not_run();
                return Err(sandbox_refusal(&error));
            }
        };
        let finished = finish_run(outcome, &plan, record.id().as_str().to_owned());
        // Without a caller, it is recorded as cancelled.
        if is_gone.try_recv() != Err(TryRecvError::Closed) {
            record.set_result(&finished.run);
        }
        Ok((finished, record))
    }
}
