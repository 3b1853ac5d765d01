//! The repetition of failed attempts, with backoff. Nothing else in this package repeats anything.

use std::fmt::Display;
use std::future::Future;
use std::time::Duration;

use jiff::Timestamp;

use super::deadline::Deadline;
use super::error::ClientError;
use super::failure::{Effect, Failure, NextAttempt};
use dibber_skill::contract::ErrorCode;

/// The default of [`Retry::attempts`].
const ATTEMPTS_MAX: u32 = 6;
/// The default of [`Retry::first`].
const WAIT_FIRST: Duration = Duration::from_millis(200);
/// The default of [`Retry::max`].
const WAIT_MAX: Duration = Duration::from_secs(8);
/// The default of [`Retry::retry_after_max`].
const RETRY_AFTER_MAX: Duration = Duration::from_mins(1);
/// The default of [`Retry::total`].
const RETRYING_MAX: Duration = Duration::from_mins(2);

/// How failed attempts are repeated: after a random wait between zero and a bound that doubles
/// (full jitter). `Options::timeout` limits all attempts together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retry {
    /// The most attempts, the first one included.
    pub attempts: u32,
    /// The bound of the wait after the first attempt.
    pub first: Duration,
    /// The bound that the doubling never exceeds.
    pub max: Duration,
    /// The longest wait that a server can ask for; if it asks for more, there is no other attempt.
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
    /// Repeats `attempt` until it succeeds, until another attempt would not help, or until the
    /// deadline. `now` is the clock, for a server whose `Retry-After` is a date.
    pub(super) async fn until_done<T, F>(
        &self,
        deadline: Deadline,
        now: fn() -> Timestamp,
        mut attempt: impl FnMut() -> F,
    ) -> Result<T, ClientError>
    where
        F: Future<Output = Result<T, Failure>>,
    {
        let last_start = Deadline::after(self.total);
        let mut may_have_applied = false;
        for count in 1.. {
            let failure = match attempt().await {
                Ok(done) => return Ok(done),
                Err(failure) => failure,
            };
            may_have_applied |= failure.effect == Effect::MayHaveApplied;
            let remaining = deadline.remaining().min(last_start.remaining());
            match self.next_wait(failure, count, remaining, now) {
                Ok(wait) => tokio::time::sleep(wait).await,
                Err(error) => return Err(final_error(error, may_have_applied)),
            }
        }
        unreachable!("the attempts are counted")
    }

    /// Returns how long to wait before the next attempt, or why there is none.
    fn next_wait(
        &self,
        failure: Failure,
        attempts: u32,
        remaining: Duration,
        now: fn() -> Timestamp,
    ) -> Result<Duration, ClientError> {
        let Failure { error, next_attempt, .. } = failure;
        let retry_after = match next_attempt {
            NextAttempt::Never => return Err(error),
            NextAttempt::NotSafe(retry_after) => {
                let requested = retry_after.and_then(|value| requested_wait(&value, now));
                return Err(match requested {
                    Some(requested) => with_detail(error, requested_words(requested)),
                    None => error,
                });
            }
            NextAttempt::After(retry_after) => retry_after,
        };
        if attempts >= self.attempts || remaining.is_zero() {
            return Err(with_attempts(error, attempts));
        }
        let requested = retry_after.as_deref().and_then(|value| requested_wait(value, now));
        if let Some(requested) = requested
            && (requested > self.retry_after_max || requested >= remaining)
        {
            return Err(with_detail(error, requested_words(requested)));
        }
        // Half of the remaining time is left for the attempt itself. Waiting until the deadline
        // would give up a call whose answer was lost without another attempt.
        let wait = self.backoff(attempts).min(remaining / 2);
        Ok(wait.max(requested.unwrap_or_default()))
    }

    /// Returns a random wait after that many attempts.
    fn backoff(&self, attempts: u32) -> Duration {
        let doubled = 2_u32.checked_pow(attempts - 1).and_then(|n| self.first.checked_mul(n));
        let bound = doubled.unwrap_or(self.max).min(self.max);
        // Without random bytes all clients wait for the same time, which is no reason to fail.
        let random = getrandom::u32().unwrap_or(u32::MAX);
        bound.mul_f64(f64::from(random) / f64::from(u32::MAX))
    }
}

/// Returns the time that `Retry-After` asks to wait: in seconds, or until a date (RFC 9110).
fn requested_wait(value: &str, now: fn() -> Timestamp) -> Option<Duration> {
    let value = value.trim();
    if let Ok(seconds) = value.parse() {
        return Some(Duration::from_secs(seconds));
    }
    let date = jiff::fmt::rfc2822::parse(value).ok()?;
    // A date that has passed asks for no wait.
    Some(Duration::try_from(date.timestamp().duration_since(now())).unwrap_or_default())
}

fn requested_words(wait: Duration) -> String {
    match wait.as_secs() {
        1 => "it asks to wait for 1 second".to_owned(),
        seconds => format!("it asks to wait for {seconds} seconds"),
    }
}

/// Returns the error after the last attempt.
fn final_error(error: ClientError, may_have_applied: bool) -> ClientError {
    match error {
        // The stored answer to the call. Any other refusal, such as one before the server looks up the
        // key, says nothing about the attempts before.
        ClientError::Refused(refusal)
            if refusal.replayed && refusal.code != ErrorCode::InternalError =>
        {
            ClientError::Refused(refusal)
        }
        // It says itself whether something may have been changed.
        error @ ClientError::Failed { .. } => error,
        error if !may_have_applied => error,
        error => error.with_unknown_outcome(),
    }
}

fn with_attempts(error: ClientError, attempts: u32) -> ClientError {
    if attempts == 1 { error } else { with_detail(error, format!("tried {attempts} times")) }
}

fn with_detail(error: ClientError, detail: impl Display) -> ClientError {
    match error {
        ClientError::Unreachable(cause) => ClientError::Unreachable(format!("{cause} ({detail})")),
        ClientError::NoAnswer(cause) => ClientError::NoAnswer(format!("{cause} ({detail})")),
        ClientError::AnswerLost(cause) => ClientError::AnswerLost(format!("{cause} ({detail})")),
        ClientError::TooManyRequests(cause) => {
            ClientError::TooManyRequests(format!("{cause} ({detail})"))
        }
        other => other,
    }
}
