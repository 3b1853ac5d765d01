//! Running skills and code: planned, in their turn, in the sandbox, and recorded.

use std::sync::Arc;

use super::blobs::BlobOwner;
use super::run_record::RunRecord;
use super::skills_protocol::SkillsProtocol;
use super::started_run::StartedRun;
use crate::caller::Caller;
use crate::store::RunProgram;
use dibber_protocol::{
    FinishedRun, Index, ProtocolSkill, RunPlan, SecretStore, SecretsError, plan_code, plan_skill,
};
use dibber_skill::contract::skills_protocol::{
    ExecuteSkill, RpcCode, RpcError, RpcReason, Run, RunCode, RunFailure, RunStatus,
};

/// The MIME type of an output in a blob.
const OUTPUT_MIME: &str = "application/json";

/// The error type of a run whose output is too large to be returned, and cannot be stored.
const OUTPUT_NOT_STORED: &str = "OutputNotStored";

impl SkillsProtocol {
    /// Runs a skill.
    pub(super) async fn execute_skill(
        &self,
        caller: &Caller,
        owner: &BlobOwner,
        call: ExecuteSkill,
    ) -> Result<Run, RpcError> {
        let ids = call.input_blobs.clone().unwrap_or_default();
        let limits = self.limits.clone();
        let data = self.data.clone();
        let planned = self.read(move |index| {
            let skill = index.find(&call.name, call.version.as_deref())?;
            let secrets = SecretStore::for_skill(&skill, &data)
                .map_err(|error| unreadable_secrets(&error))?;
            let plan = plan_skill(&skill, &call, Vec::new(), &secrets, &limits)?;
            let version = skill.version.to_string();
            Ok((plan, RunProgram::Skill { name: skill.name.clone(), version }))
        });
        let (plan, program) = planned.await?;
        self.run(caller, owner, plan, &ids, program).await
    }

    /// Runs code.
    pub(super) async fn run_code(
        &self,
        caller: &Caller,
        owner: &BlobOwner,
        call: RunCode,
    ) -> Result<Run, RpcError> {
        let ids = call.input_blobs.clone().unwrap_or_default();
        let limits = self.limits.clone();
        let planned = self.read(move |index| {
            let names = call.mount_skills.as_deref().unwrap_or_default();
            let skills: Result<Vec<_>, _> =
                names.iter().map(|name| mounted_skill(index, name)).collect();
            plan_code(&call, &skills?, Vec::new(), &limits)
        });
        self.run(caller, owner, planned.await?, &ids, RunProgram::Code).await
    }

    /// Runs what was planned, with these blobs. They become files only in the slot of the run, so that
    /// runs that wait have none.
    async fn run(
        &self,
        caller: &Caller,
        owner: &BlobOwner,
        mut plan: RunPlan,
        blobs: &[String],
        program: RunProgram,
    ) -> Result<Run, RpcError> {
        let sandbox = self.sandbox.find().await.map_err(|reason| unavailable(&reason))?;
        let slot = self.slots.acquire(owner).await?;
        let mut mounted = self.blobs.mount(owner, blobs).await?;
        plan.job.blobs = std::mem::take(&mut mounted.blobs);
        let record = RunRecord::begin(&self.server, caller, program).await;
        let started = StartedRun { sandbox: sandbox.clone(), plan, mounted, slot, record };
        let (FinishedRun { mut run, large_output, .. }, mut record) = started.finish().await?;
        if let Some(output) = large_output {
            match self.blobs.store_output(owner, OUTPUT_MIME, output).await {
                Ok(id) => run.output_blobs.push(id),
                Err(error) => not_stored(&mut run, error),
            }
        }
        record.set_result(&run);
        Ok(run)
    }
}

/// Returns a skill of `mount_skills`, which may have a version after an `@`.
fn mounted_skill(index: &Index, name: &str) -> Result<Arc<ProtocolSkill>, RpcError> {
    match name.split_once('@') {
        Some((name, version)) => index.find(name, Some(version)),
        None => index.find(name, None),
    }
}

/// Returns the refusal of a run whose secrets cannot be read. The error names a path of this computer.
fn unreadable_secrets(error: &SecretsError) -> RpcError {
    tracing::error!(cause = %error, "the secrets of skills cannot be read");
    RpcError::invalid(
        RpcReason::SecretMissing,
        "nothing ran: the secrets of the server cannot be read",
        "the log of the server has the cause, which its owner can correct",
    )
}

/// Returns the refusal of a run that nothing can isolate.
fn unavailable(reason: &str) -> RpcError {
    RpcError::new(
        RpcCode::InternalError,
        RpcReason::SandboxUnavailable,
        format!("nothing ran: {reason}"),
        "the owner of the server can run `dibber doctor`, which says what each mode of the sandbox needs; \
         skills can still be found and read",
    )
}

/// Turns a run into one that failed, since its output cannot be read.
fn not_stored(run: &mut Run, error: RpcError) {
    let help = error.data.map(|data| data.help).unwrap_or_default();
    run.status = RunStatus::Failed;
    run.summary =
        format!("the output is too large to be returned, and was not stored: {}", error.message);
    run.error = Some(RunFailure {
        kind: OUTPUT_NOT_STORED.to_owned(),
        message: format!("{}; {help}", error.message),
        trace: None,
    });
}
