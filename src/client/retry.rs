//! The one place where something is tried again.

use std::fmt::Display;
use std::future::Future;
use std::pin::pin;
use std::time::Duration;

use jiff::Timestamp;

use super::ClientError;
use super::failure::{Again, Failure};
use crate::contract::ErrorCode;

/// How often something is tried when nothing else is said, the first time included.
const ATTEMPTS_MAX: u32 = 6;
/// The longest wait after the first attempt; after each further one it doubles.
const WAIT_FIRST: Duration = Duration::from_millis(200);
/// The longest wait that chance can choose.
const WAIT_MAX: Duration = Duration::from_secs(8);
/// The longest wait that a server can ask for.
const RETRY_AFTER_MAX: Duration = Duration::from_mins(1);
/// The time after which no further attempt begins.
const RETRYING_MAX: Duration = Duration::from_mins(2);

/// How something is tried again: with a wait that chance chooses between nothing and a bound
/// that doubles (full jitter).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// How often it is tried, the first time included.
    pub attempts: u32,
    /// The longest wait after the first attempt.
    pub first: Duration,
    /// The longest wait that chance can choose.
    pub max: Duration,
    /// The longest wait that a server can ask for; if it asks for more, that was the last attempt.
    pub retry_after_max: Duration,
    /// The time after which no further attempt begins.
    pub total: Duration,
}

impl Default for Retry {
    fn default() -> Self {
        Self {
            attempts: ATTEMPTS_MAX,
            first: WAIT_FIRST,
            max: WAIT_MAX,
            retry_after_max: RETRY_AFTER_MAX,
            total: RETRYING_MAX,
        }
    }
}

impl Retry {
    /// Does something until it succeeds, or until another attempt would not help. `now` is asked
    /// for when a server names a date to wait for.
    pub(super) async fn until_done<T, F>(
        &self,
        now: fn() -> Timestamp,
        mut attempt: impl FnMut() -> F,
    ) -> Result<T, ClientError>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let mut may_be_done = false;
        let mut end = pin!(tokio::time::sleep(self.total));
        for count in 1.. {
            let failure = match attempt().await {
                Ok(done) => return Ok(done),
                Err(failure) => failure,
            };
            may_be_done |= failure.may_be_done;
            let asked = match &failure.again {
                Again::Never => return Err(told(failure.error, may_be_done)),
                Again::Later(text) => text.as_deref().and_then(|text| asked_wait(text, now)),
            };
            let wait = self.wait(count).max(asked.unwrap_or_default());
            if count >= self.attempts {
                return Err(told(tried(failure.error, count), may_be_done));
            }
            if asked.is_some_and(|asked| asked > self.retry_after_max) {
                let asked = format!("it asks to wait for {} seconds", wait.as_secs());
                return Err(told(add(failure.error, asked), may_be_done));
            }
            tokio::select! {
                biased;
                () = &mut end => return Err(told(tried(failure.error, count), may_be_done)),
                () = tokio::time::sleep(wait) => {}
            }
        }
        unreachable!("the attempts are counted")
    }

    /// How long to wait after that many attempts.
    fn wait(&self, attempts: u32) -> Duration {
        let doubled = 2_u32.checked_pow(attempts - 1).and_then(|n| self.first.checked_mul(n));
        let bound = doubled.unwrap_or(self.max).min(self.max);
        // Without chance all clients come back at the same time, which is no reason to stop.
        let chance = getrandom::u32().unwrap_or(u32::MAX);
        bound.mul_f64(f64::from(chance) / f64::from(u32::MAX))
    }
}

/// The time that `Retry-After` asks to wait: in seconds, or until a date (RFC 9110).
fn asked_wait(text: &str, now: fn() -> Timestamp) -> Option<Duration> {
    let text = text.trim();
    if let Ok(seconds) = text.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(text).ok()?;
    // A date that has passed asks for no wait.
    Some(Duration::try_from(date.timestamp().duration_since(now())).unwrap_or_default())
}

/// What is said after the last attempt.
fn told(error: ClientError, may_be_done: bool) -> ClientError {
    match error {
        // An answer to the call itself, and so to every attempt with the same key.
        ClientError::Refused(refusal) if refusal.code != ErrorCode::InternalError => {
            ClientError::Refused(refusal)
        }
        error if !may_be_done => error,
        ClientError::Unreachable(cause) | ClientError::Protocol(cause) => {
            ClientError::OutcomeUnknown(cause)
        }
        other => ClientError::OutcomeUnknown(other.to_string()),
    }
}

fn tried(error: ClientError, attempts: u32) -> ClientError {
    if attempts == 1 { error } else { add(error, format!("tried {attempts} times")) }
}

fn add(error: ClientError, more: impl Display) -> ClientError {
    match error {
        ClientError::Unreachable(cause) => ClientError::Unreachable(format!("{cause} ({more})")),
        other => other,
    }
}
