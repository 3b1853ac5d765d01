//! The options of a client.

use std::time::Duration;

use jiff::Timestamp;

use super::retry::Retry;

/// The default of [`Options::timeout`].
pub const TIMEOUT_DEFAULT: Duration = Duration::from_secs(30);

/// How calls are made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// How long to wait for one answer: connecting, the call, its retries and the waits between
    /// them together.
    pub timeout: Duration,
    /// How a call is repeated after a failed attempt.
    pub retry: Retry,
    /// Returns the current time, for a server whose `Retry-After` is a date.
    pub clock: fn() -> Timestamp,
}

impl Options {
    /// Returns the default options.
    pub fn new(clock: fn() -> Timestamp) -> Self {
        Self { timeout: TIMEOUT_DEFAULT, retry: Retry::default(), clock }
    }
}
