//! The search for the next and the previous fire.

use jiff::tz::{AmbiguousOffset, Offset};
use jiff::{SignedDuration, Timestamp};

use super::local::{ceil_minute, fire_at, floor_minute, local_second, to_datetime};
use super::schedule::{Fire, Schedule, Timing};
use crate::calendar::LocalMinute;

/// How far a schedule is followed, in minutes: 500 years.
///
/// Dates and weekdays repeat after 400 years, and so do the clock changes of every time zone once
/// its last listed change, in this century, is past. A schedule that has not fired by then never
/// will.
const HORIZON_MINUTES: i64 = 500 * 366 * 24 * 60;

/// Local times that a clock change repeats, and the offsets of both passes.
struct Fold {
    start: LocalMinute,
    end: LocalMinute,
    first: Offset,
    second: Offset,
}

impl Schedule {
    /// Returns the first fire after an instant.
    pub fn next(&self, after: Timestamp) -> Option<Fire> {
        if !self.cron.has_days() {
            return None;
        }
        let offset = self.zone.to_offset(after);
        let mut local = floor_minute(local_second(after, offset)) + 1;
        let end = local + HORIZON_MINUTES;
        // Between the two passes of a fold the order of instants is not that of local times: what
        // is left of the first pass comes first, then all of the second one.
        if self.is_repeated_by_clock()
            && let Some(fold) = self.fold_at(after, offset).filter(|fold| fold.first == offset)
        {
            if let Some(found) = self.cron.first_match(local, fold.end) {
                return fire_at(found, fold.first, Timing::OnTime);
            }
            if let Some(found) = self.cron.first_match(fold.start, fold.end) {
                return fire_at(found, fold.second, Timing::Repeated);
            }
            local = fold.end;
        }
        while let Some(found) = self.cron.first_match(local, end) {
            local = found + 1;
            match self.offsets(found)? {
                AmbiguousOffset::Unambiguous { offset } => {
                    return fire_at(found, offset, Timing::OnTime);
                }
                AmbiguousOffset::Fold { before, after: second } => {
                    if let Some(first) = fire_at(found, before, Timing::OnTime)
                        && first.at > after
                    {
                        return Some(first);
                    }
                    if self.is_repeated_by_clock() {
                        return fire_at(found, second, Timing::Repeated);
                    }
                }
                AmbiguousOffset::Gap { before: old, after: new } => {
                    let change = self.change_that_skips(found, new)?;
                    if self.is_caught_up(old, new)
                        && let Some(fire) = self.fire_after_gap(change, found)
                        && fire.at > after
                    {
                        return Some(fire);
                    }
                    // However many times of the gap match, they make one fire.
                    local = ceil_minute(local_second(change, new));
                }
            }
        }
        None
    }

    /// Returns the last fire before an instant.
    pub fn previous(&self, before: Timestamp) -> Option<Fire> {
        if !self.cron.has_days() {
            return None;
        }
        let just_before = before.checked_sub(SignedDuration::from_nanos(1)).ok()?;
        let offset = self.zone.to_offset(just_before);
        let mut end = floor_minute(local_second(just_before, offset)) + 1;
        let start = end - HORIZON_MINUTES;
        // The mirror image of `next`: in the second pass of a fold its repeated fires are the last
        // ones, and before them those of the whole first pass.
        if let Some(fold) = self.fold_at(just_before, offset).filter(|fold| fold.second == offset) {
            let repeated =
                self.cron.last_match(fold.start, end).filter(|_| self.is_repeated_by_clock());
            if let Some(found) = repeated {
                return fire_at(found, fold.second, Timing::Repeated);
            }
            end = fold.end;
        }
        while let Some(found) = self.cron.last_match(start, end) {
            match self.offsets(found)? {
                AmbiguousOffset::Unambiguous { offset } => {
                    return fire_at(found, offset, Timing::OnTime);
                }
                AmbiguousOffset::Fold { before: first, after: second } => {
                    let again = fire_at(found, second, Timing::Repeated);
                    if let Some(again) =
                        again.filter(|fire| self.is_repeated_by_clock() && fire.at < before)
                    {
                        return Some(again);
                    }
                    return fire_at(found, first, Timing::OnTime);
                }
                AmbiguousOffset::Gap { before: old, after: new } => {
                    let change = self.change_that_skips(found, new)?;
                    let gap_start = floor_minute(local_second(change, old));
                    // `next` reaches a gap at its first time, and so the fire is moved from that.
                    let first_missed = self.cron.first_match(gap_start, found + 1)?;
                    if self.is_caught_up(old, new)
                        && let Some(fire) = self.fire_after_gap(change, first_missed)
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

    /// Returns the fires after an instant, in order; the iterator ends only if the schedule does.
    pub fn fires_after(&self, after: Timestamp) -> impl Iterator<Item = Fire> {
        std::iter::successors(self.next(after), |fire| self.next(fire.at))
    }

    /// Returns the fire that a gap has moved to its end, or the one that is scheduled there anyway.
    fn fire_after_gap(&self, change: Timestamp, missed: LocalMinute) -> Option<Fire> {
        let offset = self.zone.to_offset(change);
        let first = ceil_minute(local_second(change, offset));
        let timing = match self.cron.first_match(first, first + 1) {
            Some(_) => Timing::OnTime,
            None => Timing::MovedFrom(to_datetime(missed)?),
        };
        fire_at(first, offset, timing)
    }

    fn offsets(&self, local: LocalMinute) -> Option<AmbiguousOffset> {
        Some(self.zone.to_ambiguous_timestamp(to_datetime(local)?).offset())
    }

    /// Returns the clock change that skips a local time, given the offset after it.
    fn change_that_skips(&self, skipped: LocalMinute, new: Offset) -> Option<Timestamp> {
        // Read with the offset after the gap, a skipped time is an instant before the change.
        let before = Timestamp::from_second(skipped * 60 - i64::from(new.seconds())).ok()?;
        self.next_change(before)
    }

    /// Returns the next change of the offset. The database also lists transitions that change only
    /// the name of the time, such as from EST to CDT.
    fn next_change(&self, after: Timestamp) -> Option<Timestamp> {
        let before = self.zone.to_offset(after);
        let mut changes = self.zone.following(after);
        changes.find(|change| change.offset() != before).map(|change| change.timestamp())
    }

    /// Returns the repeated local time that an instant is in, if it is in one.
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
