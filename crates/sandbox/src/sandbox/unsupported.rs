//! Systems without a launcher: every run is refused.

use super::launcher::Launcher;
use super::read::{Kept, read_all};
use crate::outcome::SandboxError;
use crate::specification::{Refusal, Report, Specification};

/// What a launcher wrote.
pub(super) struct Exchange {
    pub(super) report: Report,
    pub(super) result: Kept,
    pub(super) logs: Kept,
}

/// Refuses a run.
pub(super) async fn exchange(
    _: &Launcher,
    specification: &Specification,
    _: impl Future<Output = ()>,
) -> Result<Exchange, SandboxError> {
    let empty = || read_all(tokio::io::empty(), specification.limits.log_bytes);
    let refusal = Refusal::new("start a sandbox", "sandboxes need Linux");
    Ok(Exchange {
        report: Report::Refused(refusal),
        result: empty().await.map_err(SandboxError::Launcher)?,
        logs: empty().await.map_err(SandboxError::Launcher)?,
    })
}
