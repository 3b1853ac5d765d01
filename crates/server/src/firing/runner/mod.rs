//! Executing a run.

mod command;
mod command_error;
mod execute;
mod job;
mod output;
mod run_files;
mod signature;
mod webhook;

pub use command::{CommandOptions, CommandRunner, OnRunLine, RUN_ENVIRONMENT};
pub use execute::Execute;
pub use job::{Job, Outcome};
pub use webhook::{WebhookOptions, WebhookRunner, WebhookUrlError};
