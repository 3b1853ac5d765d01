//! The time that one answer may take.

use std::future::Future;
use std::time::Duration;

use tokio::time::Instant;

use super::failure::Failure;

/// The longest timeout: a year. Adding any duration to an `Instant` could overflow.
const TIMEOUT_MAX: Duration = Duration::from_hours(365 * 24);

/// The longest wait for one answer, however often the server reports progress (2 hours), unless the
/// timeout itself is longer.
const PROGRESSING_MAX: Duration = Duration::from_hours(2);

/// The moment until which an answer is awaited. Connecting, the call, its retries and the waits
/// between them all share it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Deadline {
    start: Instant,
    end: Instant,
    timeout: Duration,
}

impl Deadline {
    /// Returns the deadline that begins now.
    pub(super) fn after(timeout: Duration) -> Self {
        let (start, timeout) = (Instant::now(), timeout.min(TIMEOUT_MAX));
        Self { start, end: start + timeout, timeout }
    }

    /// Returns the deadline after the server has reported progress now.
    pub(super) fn extended(self) -> Self {
        let end_max = self.start + self.timeout.max(PROGRESSING_MAX);
        Self { end: (Instant::now() + self.timeout).min(end_max), ..self }
    }

    /// Returns the deadline after a time that does not count.
    pub(super) fn postponed(self, by: Duration) -> Self {
        Self { start: self.start + by, end: self.end + by, ..self }
    }

    /// Returns the deadline that begins again now.
    pub(super) fn restarted(self) -> Self {
        Self::after(self.timeout)
    }

    /// Waits until the deadline.
    pub(super) async fn passed(self) {
        tokio::time::sleep_until(self.end).await;
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
        Err(self.failure())
    }

    /// Returns the failure of a request without an answer until the deadline.
    pub(super) fn failure(self) -> Failure {
        let unit = if self.timeout == Duration::from_secs(1) { "second" } else { "seconds" };
        let seconds = self.timeout.as_secs_f32();
        Failure::no_answer(format!("no answer within {seconds} {unit}"))
    }
}
