//! What changes of the clocks have to do with timers.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use crate::fires::{Fire, Schedule, Timing};

/// How far clock changes are looked for: two years have all of a zone.
const CLOCK_CHANGES_SPAN: SignedDuration = SignedDuration::from_hours(2 * 366 * 24);

/// Returns the first fire within two years that a change of the clocks moves or repeats.
pub fn clock_change_after(schedule: &Schedule, after: Timestamp) -> Option<Fire> {
    let end = after.checked_add(CLOCK_CHANGES_SPAN).unwrap_or(Timestamp::MAX);
    let mut fires = schedule.fires_after(after).take_while(|fire| fire.at < end);
    fires.find(|fire| fire.timing != Timing::OnTime)
}

/// Returns `true` if the clocks of two time zones show the same for two years.
pub fn has_same_clock(one: &TimeZone, other: &TimeZone, after: Timestamp) -> bool {
    let end = after.checked_add(CLOCK_CHANGES_SPAN).unwrap_or(Timestamp::MAX);
    let changes = |zone: &TimeZone| {
        let changes = zone.following(after).take_while(|change| change.timestamp() < end);
        changes.map(|change| (change.timestamp(), change.offset())).collect::<Vec<_>>()
    };
    one.to_offset(after) == other.to_offset(after) && changes(one) == changes(other)
}
