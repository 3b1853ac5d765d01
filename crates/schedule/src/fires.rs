//! The instants at which a schedule fires in a time zone, forward and backward.
//!
//! The rules for clock changes are those of Debian's cron (`crontab(5)`, "Daylight Saving Time
//! and other time changes"): a fixed job whose time is skipped fires at the first minute after
//! the gap, and one whose time comes twice fires the first time only; a wildcard job follows the
//! clock on the wall.

use jiff::civil::DateTime;
use jiff::tz::{AmbiguousOffset, Offset, TimeZone};
use jiff::{SignedDuration, Timestamp};

use super::days::LocalMinute;
use super::{Cron, JobKind};

/// How far a schedule is followed, in minutes: 500 years.
///
/// Dates and weekdays repeat after 400 years, and so do the clock changes of every time zone once
/// its last listed change, in this century, is past. What has not fired by then never will.
const HORIZON_MINUTES: i64 = 500 * 366 * 24 * 60;
/// The longest gap, in seconds, behind which a fixed job is caught up with: 3 hours.
pub(super) const CAUGHT_UP_SECONDS_MAX: i32 = 3 * 60 * 60;

/// One fire of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fire {
    /// When.
    pub at: Timestamp,
    /// How it came to that time.
    pub timing: Timing,
}

/// How a fire came to its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// It is the time that was asked for.
    OnTime,
    /// The time that was asked for does not exist on that day; this is the first one after.
    MovedFrom(DateTime),
    /// The clock shows that time again, and it has fired before.
    Repeated,
}

/// A schedule in a time zone.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// When, on the clock.
    pub cron: Cron,
    /// On which clock.
    pub zone: TimeZone,
}

/// The two readings of a stretch of local time that comes twice.
struct Fold {
    start: LocalMinute,
    end: LocalMinute,
    first: Offset,
    second: Offset,
}

impl Schedule {
    /// The first fire after an instant.
    pub fn next(&self, after: Timestamp) -> Option<Fire> {
        if !self.cron.has_days() {
            return None;
        }
        let offset = self.zone.to_offset(after);
        let mut local = floor_minute(local_second(after, offset)) + 1;
        let end = local + HORIZON_MINUTES;
        if self.repeats()
            && let Some(fold) = self.fold_at(after, offset).filter(|fold| fold.first == offset)
        {
            if let Some(found) = self.cron.first_match(local, fold.end) {
                return fire(found, fold.first, Timing::OnTime);
            }
            if let Some(found) = self.cron.first_match(fold.start, fold.end) {
                return fire(found, fold.second, Timing::Repeated);
            }
            local = fold.end;
        }
        while let Some(found) = self.cron.first_match(local, end) {
            local = found + 1;
            match self.offsets(found)? {
                AmbiguousOffset::Unambiguous { offset } => {
                    return fire(found, offset, Timing::OnTime);
                }
                AmbiguousOffset::Fold { before, after: second } => {
                    if let Some(first) = fire(found, before, Timing::OnTime)
                        && first.at > after
                    {
                        return Some(first);
                    }
                    if self.repeats() {
                        return fire(found, second, Timing::Repeated);
                    }
                }
                AmbiguousOffset::Gap { before, after: behind } => {
                    let change = self.change_after(found, behind)?;
                    if self.is_caught_up(before, behind)
                        && let Some(fire) = self.after_gap(change, found)
                        && fire.at > after
                    {
                        return Some(fire);
                    }
                    local = ceil_minute(local_second(change, behind));
                }
            }
        }
        None
    }

    /// The last fire before an instant.
    pub fn previous(&self, before: Timestamp) -> Option<Fire> {
        if !self.cron.has_days() {
            return None;
        }
        let just_before = before.checked_sub(SignedDuration::from_nanos(1)).ok()?;
        let offset = self.zone.to_offset(just_before);
        let mut end = floor_minute(local_second(just_before, offset)) + 1;
        let start = end - HORIZON_MINUTES;
        if let Some(fold) = self.fold_at(just_before, offset).filter(|fold| fold.second == offset) {
            let repeated = self.cron.last_match(fold.start, end).filter(|_| self.repeats());
            if let Some(found) = repeated {
                return fire(found, fold.second, Timing::Repeated);
            }
            end = fold.end;
        }
        while let Some(found) = self.cron.last_match(start, end) {
            match self.offsets(found)? {
                AmbiguousOffset::Unambiguous { offset } => {
                    return fire(found, offset, Timing::OnTime);
                }
                AmbiguousOffset::Fold { before: first, after: second } => {
                    let again = fire(found, second, Timing::Repeated);
                    if let Some(again) = again.filter(|fire| self.repeats() && fire.at < before) {
                        return Some(again);
                    }
                    return fire(found, first, Timing::OnTime);
                }
                AmbiguousOffset::Gap { before: ahead, after: behind } => {
                    let change = self.change_after(found, behind)?;
                    let gap_start = floor_minute(local_second(change, ahead));
                    let first_missed = self.cron.first_match(gap_start, found + 1)?;
                    if self.is_caught_up(ahead, behind)
                        && let Some(fire) = self.after_gap(change, first_missed)
                        && fire.at < before
                    {
                        return Some(fire);
                    }
                    end = gap_start;
                }
            }
        }
        None
    }

    /// The fires after an instant, in order, without end as long as there are any.
    pub fn fires_after(&self, after: Timestamp) -> impl Iterator<Item = Fire> {
        std::iter::successors(self.next(after), |fire| self.next(fire.at))
    }

    /// Tells whether it fires again when the clock shows the same time again.
    pub(super) fn repeats(&self) -> bool {
        self.cron.kind() == JobKind::Wildcard
    }

    pub(super) fn is_caught_up(&self, before: Offset, after: Offset) -> bool {
        !self.repeats() && after.seconds() - before.seconds() <= CAUGHT_UP_SECONDS_MAX
    }

    /// The fire that a gap has moved to its end. When one is due there anyway, it is that one.
    fn after_gap(&self, change: Timestamp, missed: LocalMinute) -> Option<Fire> {
        let behind = self.zone.to_offset(change);
        let first = ceil_minute(local_second(change, behind));
        let timing = match self.cron.first_match(first, first + 1) {
            Some(_) => Timing::OnTime,
            None => Timing::MovedFrom(to_datetime(missed)?),
        };
        fire(first, behind, timing)
    }

    fn offsets(&self, local: LocalMinute) -> Option<AmbiguousOffset> {
        Some(self.zone.to_ambiguous_timestamp(to_datetime(local)?).offset())
    }

    /// The change of clocks that skips a local time: `behind` is the offset after it.
    fn change_after(&self, skipped: LocalMinute, behind: Offset) -> Option<Timestamp> {
        // Read with the offset behind the gap, the time that was skipped lies in front of it.
        let in_front = Timestamp::from_second(skipped * 60 - i64::from(behind.seconds())).ok()?;
        self.next_change(in_front)
    }

    /// The first instant after another at which the offset is a different one.
    pub(super) fn next_change(&self, after: Timestamp) -> Option<Timestamp> {
        let before = self.zone.to_offset(after);
        let mut changes = self.zone.following(after);
        changes.find(|change| change.offset() != before).map(|change| change.timestamp())
    }

    /// The stretch of time that an instant lies in, if the clock shows it twice.
    fn fold_at(&self, at: Timestamp, offset: Offset) -> Option<Fold> {
        let local = floor_minute(local_second(at, offset));
        let AmbiguousOffset::Fold { before: first, after: second } = self.offsets(local)? else {
            return None;
        };
        let start_of_first =
            Timestamp::from_second(local * 60 - i64::from(first.seconds())).ok()?;
        let change = self.next_change(start_of_first)?;
        Some(Fold {
            start: ceil_minute(local_second(change, second)),
            end: ceil_minute(local_second(change, first)),
            first,
            second,
        })
    }
}

pub(super) fn fire(local: LocalMinute, offset: Offset, timing: Timing) -> Option<Fire> {
    let at = Timestamp::from_second(local * 60 - i64::from(offset.seconds())).ok()?;
    Some(Fire { at, timing })
}

/// The second of the local calendar that an instant lies in.
pub(super) fn local_second(at: Timestamp, offset: Offset) -> i64 {
    // Before 1970 the seconds count backward, and so do their fractions.
    let floor = i64::from(at.subsec_nanosecond() < 0);
    at.as_second() - floor + i64::from(offset.seconds())
}

pub(super) fn floor_minute(second: i64) -> LocalMinute {
    second.div_euclid(60)
}

pub(super) fn ceil_minute(second: i64) -> LocalMinute {
    (second + 59).div_euclid(60)
}

pub(super) fn to_datetime(local: LocalMinute) -> Option<DateTime> {
    Timestamp::from_second(local * 60).ok().map(|at| Offset::UTC.to_datetime(at))
}
