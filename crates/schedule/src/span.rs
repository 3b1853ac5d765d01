//! All fires of a span of time, from one change of the clocks to the next.
//!
//! Between two changes the offset is the same, so the minutes that a schedule matches are read
//! from the calendar; the time zone is asked only where its clocks change.

use jiff::tz::{Offset, TimeZone, TimeZoneTransition};
use jiff::{SignedDuration, Timestamp};

use super::days::LocalMinute;
use super::fires::{
    CAUGHT_UP_SECONDS_MAX, ceil_minute, fire, floor_minute, local_second, to_datetime,
};
use super::{Cron, Fire, JobKind, Schedule, Timing};

/// How far before a span its clocks are looked at. No clock was ever set back by more than a day,
/// so a time that the span shows again was first shown within this.
const LOOK_BACK: SignedDuration = SignedDuration::from_hours(48);

/// Local time between two changes of the clocks, as far as it lies in a span.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// The first minute of it.
    start: LocalMinute,
    /// The minute behind the last.
    end: LocalMinute,
    pub(super) offset: Offset,
    /// The first minute that the clock has not shown before.
    first_new: LocalMinute,
    /// The first of the minutes that the clock has left out to come to the start, and how many
    /// seconds it was set forward.
    skipped: Option<(LocalMinute, i32)>,
}

/// The stretches of the time after an instant, up to and with another.
pub(super) fn stretches(zone: &TimeZone, after: Timestamp, until: Timestamp) -> Vec<Stretch> {
    let mut stretches = Vec::with_capacity(4);
    let mut start = after.checked_sub(LOOK_BACK).unwrap_or(Timestamp::MIN);
    let mut before: Option<Offset> = None;
    let mut offset = zone.to_offset(start);
    let mut changes = zone.following(start);
    while start <= until {
        let following = offset;
        let change = changes.find(|change| change.offset() != following);
        let end = change.as_ref().map_or(Timestamp::MAX, TimeZoneTransition::timestamp);
        if end > after {
            stretches.push(stretch((start, end), before, offset, (after, until)));
        }
        let Some(change) = change else { break };
        (start, before, offset) = (end, Some(offset), change.offset());
    }
    stretches
}

/// The part in a span of the time between two changes.
fn stretch(
    (change, next_change): (Timestamp, Timestamp),
    before: Option<Offset>,
    offset: Offset,
    (after, until): (Timestamp, Timestamp),
) -> Stretch {
    let first = ceil_minute(local_second(change, offset));
    let first_in_span = floor_minute(local_second(after, offset)) + 1;
    let end_in_span = floor_minute(local_second(until, offset)) + 1;
    let shown_until = before.map_or(first, |before| ceil_minute(local_second(change, before)));
    let forward = before.map_or(0, |before| offset.seconds() - before.seconds());
    Stretch {
        start: first.max(first_in_span),
        end: ceil_minute(local_second(next_change, offset)).min(end_in_span),
        offset,
        first_new: first.max(shown_until),
        skipped: (shown_until < first && first_in_span <= first && first < end_in_span)
            .then_some((shown_until, forward)),
    }
}

impl Stretch {
    /// Its parts that are at most `within` minutes from a clock change, or show time again;
    /// `is_first` and `is_last` tell that there is no change at its start and at its end.
    pub(super) fn near_changes(
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
    /// Calls `each` with the fires of a stretch, in order: the local minute, and how it came to it.
    pub(super) fn fires_in(&self, stretch: &Stretch, mut each: impl FnMut(LocalMinute, Timing)) {
        let Stretch { start, end, first_new, .. } = *stretch;
        if self.kind() == JobKind::Wildcard {
            self.each_match(start, end.min(first_new), |found| each(found, Timing::Repeated));
        } else if let Some((skipped, forward)) = stretch.skipped
            && forward <= CAUGHT_UP_SECONDS_MAX
            && let Some(missed) = self.first_match(skipped, start)
            && self.first_match(start, start + 1).is_none()
            && let Some(missed) = to_datetime(missed)
        {
            each(start, Timing::MovedFrom(missed));
        }
        self.each_match(start.max(first_new), end, |found| each(found, Timing::OnTime));
    }
}

impl Schedule {
    /// The fires after an instant, up to and with another, in order.
    ///
    /// They are those of [`Schedule::fires_after`], found a good deal faster.
    pub fn fires_between(&self, after: Timestamp, until: Timestamp) -> Vec<Fire> {
        let mut fires = Vec::new();
        for stretch in stretches(&self.zone, after, until) {
            self.cron.fires_in(&stretch, |minute, timing| {
                fires.extend(fire(minute, stretch.offset, timing));
            });
        }
        fires
    }
}
