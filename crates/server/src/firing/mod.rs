//! Firing: what runs at the planned times of heartbeats.
//!
//! # From a planned time to a result
//!
//! | step | module | the run is then |
//! |---|---|---|
//! | it is decided which planned times run, and which are skipped | `plan`, `decide` | due, or skipped |
//! | the server or a home agent claims the run, for the time of a lease | `claim` | claimed |
//! | the prompt is rendered, with the skill as it is now | `start` | running |
//! | its program, or the agent, ends it with a result or a failure | `finish` | completed, failed, or due again |
//!
//! Hundreds of heartbeats that are due at the same moment are decided in one transaction; if that
//! fails, each one is decided alone. A server takes the other steps of a run in `attempt`, and writes
//! each until the store takes it. All of it is driven by `scheduler`, which writes nothing while
//! nothing is due.
//!
//! Each step is one transaction, so a crash leaves the run in one of these states. A claim whose
//! lease has ended is taken over; if the run had started, its effects may happen twice, and the run
//! says so. A heartbeat that is paused, changed or cancelled before the start withdraws its runs.

mod attempt;
mod claim;
mod decide;
mod events;
mod finish;
mod plan;
mod runner;
mod scheduler;
mod start;
mod steps;

pub use super::run_result::{RunResult, RunResultError};
pub use claim::ClaimedRun;
pub(crate) use claim::{Claimant, claim_next, claim_run, of_family};
pub(crate) use decide::{decide_due, withdraw};
pub use finish::Retry;
pub(crate) use finish::{complete, fail};
pub use plan::{FirePlan, FireVerdict, Planned, PlannedFire, SkipReason, plan_fires};
pub use runner::{
    CommandOptions, CommandRunner, Execute, Job, OnRunLine, Outcome, RUN_ENVIRONMENT,
    WebhookOptions, WebhookRunner, WebhookUrlError,
};
pub use scheduler::{FiringReport, Scheduler, SchedulerOptions};
pub use start::Executor;
pub(crate) use start::{Started, start};
