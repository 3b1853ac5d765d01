//! Failures while a server is watched: which of them pass, and how long to wait after each.

use std::time::Duration;

use super::super::error::ClientError;
use super::super::failure::is_lasting;
use dibber_skill::contract::ErrorCode;

/// How long to wait after the first failure; the time doubles with each one. The client has tried
/// several times before each of them.
const PAUSE_MIN: Duration = Duration::from_secs(1);
/// The most failures of the server itself that follow one another. A connection that is lost is opened
/// again for as long as it takes.
const SERVER_FAILURES_MAX: u32 = 5;

/// The failures since the last answer.
#[derive(Debug, Default)]
pub(super) struct Interruption {
    cause: Option<Cause>,
    failures: u32,
    server_failures: u32,
}

/// Why there is no answer, as far as another attempt may get one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// There is no connection, or it was lost.
    Connection,
    /// The server accepts no more requests for now.
    Overload,
    /// The server failed at the call.
    Server,
}

impl Cause {
    /// Returns the cause of an error after which the server may answer later.
    fn of(error: &ClientError) -> Option<Self> {
        match error {
            ClientError::Unreachable(_) | ClientError::NoAnswer(_) | ClientError::AnswerLost(_) => {
                Some(Self::Connection)
            }
            ClientError::TooManyRequests(_) => Some(Self::Overload),
            ClientError::Refused(refusal) => {
                let may_pass = refusal.code == ErrorCode::InternalError
                    && !refusal.reason.as_deref().is_some_and(is_lasting);
                may_pass.then_some(Self::Server)
            }
            _ => None,
        }
    }
}

impl Interruption {
    /// Counts a failure. Returns the error to report, if its cause is another one than that of the
    /// failure before.
    ///
    /// # Errors
    /// The error itself, if further attempts would not help.
    pub(super) fn count(&mut self, error: ClientError) -> Result<Option<ClientError>, ClientError> {
        let Some(cause) = Cause::of(&error) else { return Err(error) };
        self.failures += 1;
        self.server_failures = if cause == Cause::Server { self.server_failures + 1 } else { 0 };
        if self.server_failures >= SERVER_FAILURES_MAX {
            return Err(error);
        }
        let is_new = self.cause.replace(cause) != Some(cause);
        Ok(is_new.then_some(error))
    }

    /// Returns how long to wait before the next attempt: not at all without a failure.
    pub(super) fn pause(&self, max: Duration) -> Duration {
        let Some(doublings) = self.failures.checked_sub(1) else { return Duration::ZERO };
        let doubled = 2_u32.checked_pow(doublings).and_then(|n| PAUSE_MIN.checked_mul(n));
        doubled.unwrap_or(max).min(max)
    }

    /// Returns `true` if the last attempt has failed.
    pub(super) const fn is_open(&self) -> bool {
        self.cause.is_some()
    }

    /// Ends the interruption, and returns `true` if there was one.
    pub(super) fn end(&mut self) -> bool {
        std::mem::take(self).cause.is_some()
    }
}
