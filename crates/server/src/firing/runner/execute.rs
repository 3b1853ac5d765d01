//! What executes a run, whatever it is.

use std::pin::Pin;

use super::job::{Job, Outcome};
use crate::firing::start::Executor;

/// Executes runs: a program of the owner's, or one that is called over the network.
pub trait Execute: Send + Sync {
    /// Executes a run until it ends. If the future is dropped, the run is no longer this server's, and
    /// what was started is ended.
    fn execute(&self, job: Job) -> Pin<Box<dyn Future<Output = Outcome> + Send + '_>>;

    /// Returns in whose place it executes runs.
    fn executor(&self) -> Executor;
}
