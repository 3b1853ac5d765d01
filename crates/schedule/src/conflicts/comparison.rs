//! The comparison of two schedules: which kinds of conflict they have.

use super::candidate::Candidate;
use super::conflict::ConflictKind;
use super::timeline::FireTime;
use crate::calendar::MINUTES_OF_DAY;

/// Where the first two fires of a conflict are found, and within how many minutes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Search {
    /// On a calendar without clock changes.
    OnCalendar(u32),
    /// Near to a change of their common clock.
    ByChange(u32),
    /// Anywhere in the horizon.
    InHorizon(u32),
}

impl Candidate<'_> {
    /// Calls `each` with the conflicts with another schedule of the same zone.
    pub(super) fn conflicts_in_zone(
        &self,
        other: &Self,
        within: u32,
        mut each: impl FnMut(ConflictKind, Search),
    ) {
        let distance = self.distance_on_calendar(other, within);
        match distance {
            Some(0) if self.schedule.cron == other.schedule.cron => {
                return each(ConflictKind::Duplicate, Search::OnCalendar(0));
            }
            Some(0) => return each(ConflictKind::SameMinute, Search::OnCalendar(0)),
            Some(_) => each(ConflictKind::Near, Search::OnCalendar(within)),
            None => {}
        }
        // A clock change matters only if it brings fires nearer than they come on other days.
        let nearer = distance.map_or(within, |distance| distance - 1);
        if !self.near_changes.is_far_from(&other.near_changes)
            && self.encounters_by_change(other, nearer).next().is_some()
        {
            each(ConflictKind::ClockChange, Search::ByChange(nearer));
        }
    }

    /// Returns the pairs of near fires whose distance a clock change affects.
    pub(super) fn encounters_by_change<'b>(
        &'b self,
        other: &'b Self,
        within: u32,
    ) -> impl Iterator<Item = (FireTime, FireTime)> + 'b {
        let encounters = self.near_changes.encounters(&other.near_changes, within);
        encounters.filter(|(a, b)| a.is_affected_by_change(*b))
    }

    /// Returns the fewest minutes between two fires if they are near, ignoring clock changes.
    fn distance_on_calendar(&self, other: &Self, within: u32) -> Option<u32> {
        let same_day = || self.times.distance(&other.times);
        let same_day = (self.widened.intersects(&other.times) && self.days.intersects(&other.days))
            .then(same_day)
            .flatten();
        // Every day that an expression matches has the same times, so the nearest fires are on one
        // day, or are the last one of a day and the first one of the next.
        let distances = [
            same_day,
            self.distance_over_midnight(other, within),
            other.distance_over_midnight(self, within),
        ];
        distances
            .into_iter()
            .flatten()
            .min()
            .map(|least| u32::try_from(least).expect("minutes of a day"))
    }

    /// Returns the minutes from the last time of a day to the other's first time on the next day.
    fn distance_over_midnight(&self, other: &Self, within: u32) -> Option<usize> {
        let distance = MINUTES_OF_DAY - self.last_time + other.first_time;
        (distance <= within as usize && self.days.intersects_next_day(&other.days))
            .then_some(distance)
    }

    /// Calls `each` with the conflicts with a schedule of another zone.
    pub(super) fn conflicts_across_zones(
        &self,
        other: &Self,
        within: u32,
        mut each: impl FnMut(ConflictKind, Search),
    ) {
        if self.fires.is_far_from(&other.fires) {
            return;
        }
        // Two zones change their clocks on different days, so there is no common calendar; what is
        // found holds for the horizon.
        let mut meet_by_change = false;
        if !self.fires.has_no_common_minute(&other.fires) {
            for (a, b) in self.fires.encounters(&other.fires, 0) {
                if a.are_on_time(b) {
                    return each(ConflictKind::SameMinute, Search::InHorizon(0));
                }
                meet_by_change = true;
            }
        }
        if meet_by_change {
            each(ConflictKind::ClockChange, Search::InHorizon(0));
        }
        let mut encounters = self.fires.encounters(&other.fires, within).peekable();
        let has_any = encounters.peek().is_some();
        if encounters.any(|(a, b)| a.are_on_time(b)) {
            each(ConflictKind::Near, Search::InHorizon(within));
        } else if has_any && !meet_by_change {
            each(ConflictKind::ClockChange, Search::InHorizon(within));
        }
    }
}
