//! All fires between two instants, one period of constant offset after the other.
//!
//! Between two clock changes the matching minutes are those of the calendar, so the time zone is
//! consulted once for each change and not once for each fire.

use jiff::tz::{Offset, TimeZone, TimeZoneTransition};
use jiff::{SignedDuration, Timestamp};

use super::local::{ceil_minute, fire_at, floor_minute, local_second, to_datetime};
use super::schedule::{CAUGHT_UP_SECONDS_MAX, Fire, Schedule, Timing};
use crate::calendar::LocalMinute;
use crate::cron::{Cron, JobKind};

/// How far before the first instant clock changes are considered. No clock was ever set back by
/// more than a day, so a repeated time was first shown within this.
const LOOK_BACK: SignedDuration = SignedDuration::from_hours(48);

/// The part of a time span between two clock changes, in which the offset is constant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OffsetPeriod {
    /// The first minute.
    start: LocalMinute,
    /// The minute after the last one.
    end: LocalMinute,
    pub(crate) offset: Offset,
    /// The first minute that the clock has not shown before the change.
    first_new: LocalMinute,
    /// The first minute that the change at the start has skipped, and how many seconds the clock
    /// was set forward.
    skipped: Option<(LocalMinute, i32)>,
}

/// Returns the periods after an instant, up to and including another.
pub(crate) fn offset_periods(
    zone: &TimeZone,
    after: Timestamp,
    until: Timestamp,
) -> Vec<OffsetPeriod> {
    let mut periods = Vec::with_capacity(4);
    let mut start = after.checked_sub(LOOK_BACK).unwrap_or(Timestamp::MIN);
    let mut before: Option<Offset> = None;
    let mut offset = zone.to_offset(start);
    let mut changes = zone.following(start);
    while start <= until {
        let current = offset;
        // Transitions that only rename the time do not end a period.
        let change = changes.find(|change| change.offset() != current);
        let end = change.as_ref().map_or(Timestamp::MAX, TimeZoneTransition::timestamp);
        if end > after {
            periods.push(clipped_period((start, end), before, offset, (after, until)));
        }
        let Some(change) = change else { break };
        (start, before, offset) = (end, Some(offset), change.offset());
    }
    periods
}

/// Returns the part that is inside the span of the time between two changes.
fn clipped_period(
    (change, next_change): (Timestamp, Timestamp),
    before: Option<Offset>,
    offset: Offset,
    (after, until): (Timestamp, Timestamp),
) -> OffsetPeriod {
    let first = ceil_minute(local_second(change, offset));
    let first_in_span = floor_minute(local_second(after, offset)) + 1;
    let end_in_span = floor_minute(local_second(until, offset)) + 1;
    let shown_until = before.map_or(first, |before| ceil_minute(local_second(change, before)));
    let forward = before.map_or(0, |before| offset.seconds() - before.seconds());
    OffsetPeriod {
        start: first.max(first_in_span),
        end: ceil_minute(local_second(next_change, offset)).min(end_in_span),
        offset,
        first_new: first.max(shown_until),
        skipped: (shown_until < first && first_in_span <= first && first < end_in_span)
            .then_some((shown_until, forward)),
    }
}

impl OffsetPeriod {
    /// Returns the parts that are at most `within` minutes from a clock change, or repeat time.
    /// There is no change at the start if `is_first`, and none at the end if `is_last`.
    pub(crate) fn near_changes(
        &self,
        (is_first, is_last): (bool, bool),
        within: i64,
    ) -> impl Iterator<Item = Self> {
        let begins_again = self.first_new > self.start;
        let head_end =
            if is_first && !begins_again { self.start } else { self.first_new + within + 1 };
        let tail_start = if is_last { self.end } else { self.end - within };
        let head = Self { end: self.end.min(head_end), ..*self };
        let tail = Self { start: tail_start.max(head.end), skipped: None, ..*self };
        [head, tail].into_iter().filter(|part| part.start < part.end)
    }
}

impl Cron {
    /// Calls `each` with the fires of a period, in order: the local minute and the timing.
    pub(crate) fn fires_in(
        &self,
        period: &OffsetPeriod,
        mut each: impl FnMut(LocalMinute, Timing),
    ) {
        let OffsetPeriod { start, end, first_new, .. } = *period;
        // The minutes before `first_new` are the second pass of a fold: a wildcard job repeats its
        // fires there, a fixed one has had them.
        if self.kind() == JobKind::Wildcard {
            self.each_match(start, end.min(first_new), |found| each(found, Timing::Repeated));
        } else if let Some((skipped, forward)) = period.skipped
            && forward <= CAUGHT_UP_SECONDS_MAX
            && let Some(missed) = self.first_match(skipped, start)
            // A fire that is scheduled at the end of the gap covers the skipped ones.
            && self.first_match(start, start + 1).is_none()
            && let Some(missed) = to_datetime(missed)
        {
            each(start, Timing::MovedFrom(missed));
        }
        self.each_match(start.max(first_new), end, |found| each(found, Timing::OnTime));
    }
}

impl Schedule {
    /// Returns the fires after an instant, up to and including another, in order.
    ///
    /// They are those of [`Schedule::fires_after`], without consulting the zone for each.
    pub fn fires_between(&self, after: Timestamp, until: Timestamp) -> Vec<Fire> {
        let mut fires = Vec::new();
        for period in offset_periods(&self.zone, after, until) {
            self.cron.fires_in(&period, |minute, timing| {
                fires.extend(fire_at(minute, period.offset, timing));
            });
        }
        fires
    }
}
