//! The time that one answer may take.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;

use super::failure::Failure;

/// The longest timeout: a year. Adding any duration to an `Instant` could overflow.
const TIMEOUT_MAX: Duration = Duration::from_hours(365 * 24);

/// The moment until which an answer is awaited. Connecting, the call, its retries and the waits
/// between them all share it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    end: Instant,
    timeout: Duration,
}

impl Deadline {
    /// Returns the deadline that begins now.
    pub(super) fn after(timeout: Duration) -> Self {
        Self { end: Instant::now() + timeout.min(TIMEOUT_MAX), timeout }
    }

    /// Returns the whole time from the beginning to the deadline.
    pub(super) const fn timeout(self) -> Duration {
        self.timeout
    }

    /// Returns the remaining time; zero after the deadline.
    pub(super) fn remaining(self) -> Duration {
        self.end.saturating_duration_since(Instant::now())
    }

    /// Runs `work` until the deadline. After it, what the server did is unknown; a caller that
    /// knows more replaces the effect of the failure.
    pub(super) async fn with_timeout<T, E>(
        self,
        work: impl Future<Output = Result<T, E>>,
    ) -> Result<T, Failure>
    where
        Failure: From<E>,
    {
        if let Ok(done) = tokio::time::timeout_at(self.end, work).await {
            return Ok(done?);
        }
        let unit = if self.timeout == Duration::from_secs(1) { "second" } else { "seconds" };
        let seconds = self.timeout.as_secs_f32();
        Err(Failure::connection_lost(format!("no answer within {seconds} {unit}")))
    }
}
