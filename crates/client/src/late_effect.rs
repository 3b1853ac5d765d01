//! How long a call without an answer may still take effect.

use std::time::Duration;

use jiff::SignedDuration;

/// How long a call without an answer is expected to take effect at most (60 s). Gateways give up
/// earlier than the servers behind them.
const LATE_EFFECT_MAX: Duration = Duration::from_mins(1);

/// Returns how many seconds ago a call was sent, if it may still take effect. A clock that was set back
/// does not make it wait for longer than another minute.
pub(crate) fn seconds_in_flight(age: SignedDuration) -> Option<i64> {
    (age.unsigned_abs() < LATE_EFFECT_MAX).then(|| age.as_secs().max(0))
}
