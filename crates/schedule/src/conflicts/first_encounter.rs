//! The search for the first two fires of a conflict.

use jiff::{SignedDuration, Timestamp};

use super::candidate::Candidate;
use super::comparison::Search;
use super::conflict::{Conflict, ConflictKind};
use super::timeline::FireTime;
use crate::fires::{Fire, Schedule};
use crate::horizon::Horizon;

/// How far ahead the first encounter on the calendar is searched: 400 years, after which the
/// calendar repeats.
const CALENDAR: SignedDuration = SignedDuration::from_hours(400 * 366 * 24);

impl Candidate<'_> {
    /// Returns the conflict with its first two fires.
    pub(super) fn conflict(
        &self,
        other: &Self,
        kind: ConflictKind,
        search: Search,
        horizon: Horizon,
    ) -> Option<Conflict> {
        let (first, count) = match search {
            Search::OnCalendar(within) => {
                (first_encounter(self.schedule, other.schedule, horizon.after, within)?, None)
            }
            Search::ByChange(within) => {
                self.first_and_count(other, horizon, self.encounters_by_change(other, within))?
            }
            Search::InHorizon(within) => {
                self.first_and_count(other, horizon, self.fires.encounters(&other.fires, within))?
            }
        };
        Some(Conflict { schedules: (self.index, other.index), kind, first, count })
    }

    /// Returns the first encounter, and the number of fires of this schedule that have one.
    fn first_and_count(
        &self,
        other: &Self,
        horizon: Horizon,
        encounters: impl Iterator<Item = (FireTime, FireTime)>,
    ) -> Option<((Fire, Fire), Option<u32>)> {
        let mut encounters = encounters.peekable();
        let (a, b) = *encounters.peek()?;
        let mut seconds: Vec<u32> = encounters.map(|(own, _)| own.second).collect();
        seconds.dedup();
        let fires = (fire_at(self.schedule, horizon, a)?, fire_at(other.schedule, horizon, b)?);
        Some((fires, u32::try_from(seconds.len()).ok()))
    }
}

/// Returns the fire of a schedule at a time in the horizon.
fn fire_at(schedule: &Schedule, horizon: Horizon, time: FireTime) -> Option<Fire> {
    let start = Timestamp::from_second(horizon.after.as_second() + i64::from(time.second)).ok()?;
    schedule.next(start.checked_sub(SignedDuration::from_secs(1)).ok()?)
}

/// Returns the first fires of two schedules that are at most `within` minutes apart.
fn first_encounter(
    a: &Schedule,
    b: &Schedule,
    after: Timestamp,
    within: u32,
) -> Option<(Fire, Fire)> {
    let within = i64::from(within);
    let (mut of_a, mut of_b) = (a.next(after)?, b.next(after)?);
    while of_a.at.duration_until(of_b.at).abs().as_mins() > within {
        if after.duration_until(of_a.at.min(of_b.at)) > CALENDAR {
            return None;
        }
        // No fire before that is near to the later one, so the earlier schedule skips to it.
        let near = of_a.at.max(of_b.at).checked_sub(SignedDuration::from_mins(within)).ok()?;
        let just_before = near.checked_sub(SignedDuration::from_secs(1)).ok()?;
        if of_a.at < of_b.at {
            of_a = a.next(just_before)?;
        } else {
            of_b = b.next(just_before)?;
        }
    }
    Some((of_a, of_b))
}
