//! The record of a run, which is written however the run ends.

use jiff::Timestamp;

use crate::caller::Caller;
use crate::id;
use crate::server::Server;
use crate::store::{RunProgram, SkillRun, StoreError, StoreExt};
use dibber_skill::contract::skills_protocol::{Run, RunStatus};
use dibber_skill::contract::{FamilyId, RunId};

/// The error type of a run whose caller has gone.
const CANCELLED: &str = "Cancelled";

/// A run, which is recorded when this is dropped: until it has ended, as a cancelled one.
pub(super) struct RunRecord {
    server: Server,
    family: FamilyId,
    began: Timestamp,
    run: SkillRun,
}

impl RunRecord {
    /// Begins the record of a run that begins now.
    pub(super) fn begin(server: &Server, caller: &Caller, program: RunProgram) -> Self {
        let began = server.now();
        let run = SkillRun {
            id: id::new(),
            user_id: caller.user_id.clone(),
            program,
            status: RunStatus::Failed,
            error_type: Some(CANCELLED.to_owned()),
            started_at: began.as_millisecond(),
            milliseconds: 0,
            summary: "the caller did not wait for the end".to_owned(),
        };
        Self { server: server.clone(), family: caller.family.clone(), began, run }
    }

    /// Returns the id of the run.
    pub(super) fn id(&self) -> &RunId {
        &self.run.id
    }

    /// Records what became of the run.
    pub(super) fn finish(mut self, run: &Run) {
        self.run.status = run.status;
        self.run.error_type = run.error.as_ref().map(|error| error.kind.clone());
        self.run.summary.clone_from(&run.summary);
    }
}

impl Drop for RunRecord {
    fn drop(&mut self) {
        self.run.milliseconds = self.server.milliseconds_since(self.began);
        let (family, run) = (self.family.clone(), self.run.clone());
        let write = move |store: &dyn crate::store::Writer| store.add_skill_run(&family, &run);
        self.server.store.write_then(write, |recorded: Result<(), StoreError>| {
            if let Err(cause) = recorded {
                tracing::warn!(%cause, "a run was not recorded");
            }
        });
    }
}
