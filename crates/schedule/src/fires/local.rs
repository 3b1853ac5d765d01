//! Conversions between instants and minutes of a local calendar.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::Offset;

use super::schedule::{Fire, Timing};
use crate::calendar::LocalMinute;

/// Returns the fire at a local minute, read with an offset.
pub(super) fn fire_at(local: LocalMinute, offset: Offset, timing: Timing) -> Option<Fire> {
    let at = Timestamp::from_second(local * 60 - i64::from(offset.seconds())).ok()?;
    Some(Fire { at, timing })
}

/// Returns the second of the local calendar that an instant is in.
pub(crate) fn local_second(at: Timestamp, offset: Offset) -> i64 {
    // Before 1970 the fraction is negative: -0.5 s is in second -1, while `as_second` returns 0.
    let floor = i64::from(at.subsec_nanosecond() < 0);
    at.as_second() - floor + i64::from(offset.seconds())
}

pub(crate) fn floor_minute(second: i64) -> LocalMinute {
    second.div_euclid(60)
}

pub(crate) fn ceil_minute(second: i64) -> LocalMinute {
    (second + 59).div_euclid(60)
}

pub(crate) fn to_datetime(local: LocalMinute) -> Option<DateTime> {
    Timestamp::from_second(local * 60).ok().map(|at| Offset::UTC.to_datetime(at))
}
