//! Heartbeats that fire at the same time, or nearly so.
//!
//! Two schedules of one zone are compared on the calendar, which is exact: whatever day they
//! share is found, also one that comes once in forty years. What a clock change brings together,
//! and schedules of different zones, are looked at one by one over a [`Horizon`].

use std::collections::HashMap;
use std::rc::Rc;

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::sets::{DAY_MINUTES, DaySet, TimeSet};
use super::span::Stretch;
use super::timeline::{Horizon, Stamp, Timeline, near_changes};
use super::{Fire, Schedule};

/// The most conflicts that are listed.
pub const CONFLICTS_MAX: usize = 1_000;
/// The most minutes that fires may be apart to be called near: half a day.
pub const WITHIN_MINUTES_MAX: u32 = 12 * 60;

/// How far ahead the first meeting of two schedules is looked for, once it is known that the
/// calendar has one: 400 years, after which the calendar repeats.
const CALENDAR: SignedDuration = SignedDuration::from_hours(400 * 366 * 24);

/// What is wrong between two heartbeats; the gravest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ConflictKind {
    /// Both have the same schedule in the same zone.
    Duplicate,
    /// They fire in the same minute.
    SameMinute,
    /// A clock change brings them nearer to each other than they are on other days.
    ClockChange,
    /// They fire within the minutes that were asked for.
    Near,
}

impl ConflictKind {
    const ALL: [Self; 4] = [Self::Duplicate, Self::SameMinute, Self::ClockChange, Self::Near];
}

/// A conflict between two heartbeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Conflict {
    /// Their places among the schedules, the smaller one first.
    pub schedules: (usize, usize),
    /// What it is.
    pub kind: ConflictKind,
    /// The first time it happens: the fire of each.
    pub first: (Fire, Fire),
    /// How many fires of the first schedule are in conflict with the other one within the horizon;
    /// none when it was found on the calendar, and so goes on without end.
    pub count: Option<u32>,
}

/// The conflicts of a set of heartbeats.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflicts {
    /// The gravest first, then in the order of the schedules; [`CONFLICTS_MAX`] at most.
    pub found: Vec<Conflict>,
    /// How many there are beyond those.
    pub left_out: usize,
    /// The time in which clock changes and schedules of different zones were looked at.
    pub horizon: Horizon,
}

/// Finds the conflicts of schedules after an instant.
///
/// Fires are near when they are at most `within` minutes apart; with 0 only those in the same
/// minute are. Beyond [`WITHIN_MINUTES_MAX`] it makes no difference.
pub fn conflicts(schedules: &[Schedule], after: Timestamp, within: u32) -> Conflicts {
    let within = within.min(WITHIN_MINUTES_MAX);
    let horizon = Horizon::new(schedules, after);
    let entries = entries(schedules, horizon, within);
    let mut found = Found::default();
    for (index, first) in entries.iter().enumerate() {
        for second in &entries[index + 1..] {
            let each = |kind, search| found.add((first, second), kind, search);
            if first.zone == second.zone {
                first.conflicts_on_one_clock(second, within, each);
            } else {
                first.conflicts_on_two_clocks(second, within, each);
            }
        }
    }
    found.into_conflicts(horizon)
}

/// A schedule, and what it is compared by.
struct Entry<'a> {
    index: usize,
    schedule: &'a Schedule,
    /// The place of its zone among all of them.
    zone: usize,
    days: Rc<DaySet>,
    times: TimeSet,
    /// The times of the day that are near to one of its own.
    widened: TimeSet,
    first_time: usize,
    last_time: usize,
    /// All fires in the horizon; none when all schedules are of one zone.
    fires: Timeline,
    /// Those that are near to a clock change.
    near_changes: Timeline,
}

/// A time zone in a horizon.
struct Zone<'a> {
    clock: &'a TimeZone,
    /// The time between its clock changes.
    stretches: Vec<(u16, Stretch)>,
    /// What of it is near to a clock change.
    near_changes: Vec<(u16, Stretch)>,
}

/// The schedules that fire at all.
fn entries(schedules: &[Schedule], horizon: Horizon, within: u32) -> Vec<Entry<'_>> {
    let is_one_zone = schedules.windows(2).all(|pair| pair[0].zone == pair[1].zone);
    let mut zones: Vec<Zone> = Vec::new();
    let mut day_sets = HashMap::new();
    let mut entries = Vec::with_capacity(schedules.len());
    for (index, schedule) in schedules.iter().enumerate() {
        let cron = &schedule.cron;
        let times = TimeSet::new(cron);
        let (true, Some(first_time), Some(last_time)) =
            (cron.has_days(), times.first(), times.last())
        else {
            continue;
        };
        let known = zones.iter().position(|known| *known.clock == schedule.zone);
        let zone = known.unwrap_or_else(|| {
            let stretches = horizon.stretches(&schedule.zone);
            let near_changes = near_changes(&stretches, within);
            zones.push(Zone { clock: &schedule.zone, stretches, near_changes });
            zones.len() - 1
        });
        let timeline = |stretches: &[_]| Timeline::new(schedule, horizon, stretches, within);
        let days = (cron.day_of_month, cron.month, cron.day_of_week);
        let days = day_sets.entry(days).or_insert_with(|| Rc::new(DaySet::new(cron)));
        entries.push(Entry {
            index,
            schedule,
            zone,
            days: Rc::clone(days),
            widened: times.widened(within as usize),
            times,
            first_time,
            last_time,
            fires: if is_one_zone { Timeline::default() } else { timeline(&zones[zone].stretches) },
            near_changes: timeline(&zones[zone].near_changes),
        });
    }
    entries
}

impl Entry<'_> {
    /// The conflicts with another schedule of the same zone.
    fn conflicts_on_one_clock(
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
        let nearer = distance.map_or(within, |distance| distance - 1);
        if !self.near_changes.is_far_from(&other.near_changes)
            && self.meetings_by_change(other, nearer).next().is_some()
        {
            each(ConflictKind::ClockChange, Search::ByChange(nearer));
        }
    }

    fn meetings_by_change<'b>(
        &'b self,
        other: &'b Self,
        within: u32,
    ) -> impl Iterator<Item = (Stamp, Stamp)> + 'b {
        let meetings = self.near_changes.meetings(&other.near_changes, within);
        meetings.filter(|(a, b)| a.is_apart_by_change(*b))
    }

    /// The fewest minutes between two fires on a clock that never changes, if they are near.
    fn distance_on_calendar(&self, other: &Self, within: u32) -> Option<u32> {
        let same_day = || self.times.distance(&other.times);
        let same_day = (self.widened.meets(&other.times) && self.days.meets(&other.days))
            .then(same_day)
            .flatten();
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

    /// The minutes from the last time of a day to the first of the other on the day after.
    fn distance_over_midnight(&self, other: &Self, within: u32) -> Option<usize> {
        let distance = DAY_MINUTES - self.last_time + other.first_time;
        (distance <= within as usize && self.days.meets_day_after(&other.days)).then_some(distance)
    }

    /// The conflicts with a schedule of another zone.
    fn conflicts_on_two_clocks(
        &self,
        other: &Self,
        within: u32,
        mut each: impl FnMut(ConflictKind, Search),
    ) {
        if self.fires.is_far_from(&other.fires) {
            return;
        }
        let mut is_moved_together = false;
        if !self.fires.is_never_at(&other.fires) {
            for (a, b) in self.fires.meetings(&other.fires, 0) {
                if a.is_plain(b) {
                    return each(ConflictKind::SameMinute, Search::InHorizon(0));
                }
                is_moved_together = true;
            }
        }
        if is_moved_together {
            each(ConflictKind::ClockChange, Search::InHorizon(0));
        }
        let mut meetings = self.fires.meetings(&other.fires, within).peekable();
        let has_any = meetings.peek().is_some();
        if meetings.any(|(a, b)| a.is_plain(b)) {
            each(ConflictKind::Near, Search::InHorizon(within));
        } else if has_any && !is_moved_together {
            each(ConflictKind::ClockChange, Search::InHorizon(within));
        }
    }

    /// The conflict that a search finds.
    fn conflict(
        &self,
        other: &Self,
        kind: ConflictKind,
        search: Search,
        horizon: Horizon,
    ) -> Option<Conflict> {
        let (first, count) = match search {
            Search::OnCalendar(within) => {
                (first_meeting(self.schedule, other.schedule, horizon.after, within)?, None)
            }
            Search::ByChange(within) => {
                self.seen(other, horizon, self.meetings_by_change(other, within))?
            }
            Search::InHorizon(within) => {
                self.seen(other, horizon, self.fires.meetings(&other.fires, within))?
            }
        };
        Some(Conflict { schedules: (self.index, other.index), kind, first, count })
    }

    /// The first of the meetings, and how many fires of this schedule have one.
    fn seen(
        &self,
        other: &Self,
        horizon: Horizon,
        meetings: impl Iterator<Item = (Stamp, Stamp)>,
    ) -> Option<((Fire, Fire), Option<u32>)> {
        let mut meetings = meetings.peekable();
        let (a, b) = *meetings.peek()?;
        let mut seconds: Vec<u32> = meetings.map(|(own, _)| own.second).collect();
        seconds.dedup();
        let fires = (fire_at(self.schedule, horizon, a)?, fire_at(other.schedule, horizon, b)?);
        Some((fires, u32::try_from(seconds.len()).ok()))
    }
}

/// Where two schedules meet, and within how many minutes.
#[derive(Clone, Copy, Debug)]
enum Search {
    /// On a calendar without clock changes.
    OnCalendar(u32),
    /// Near to a change of the clock that they have in common.
    ByChange(u32),
    /// Anywhere in the horizon.
    InHorizon(u32),
}

/// The conflicts found, those of each kind in order, and no more of each than can be listed.
#[derive(Default)]
struct Found<'a> {
    of_kind: [Vec<((&'a Entry<'a>, &'a Entry<'a>), Search)>; ConflictKind::ALL.len()],
    count: usize,
}

impl<'a> Found<'a> {
    fn add(&mut self, pair: (&'a Entry<'a>, &'a Entry<'a>), kind: ConflictKind, search: Search) {
        let list = &mut self.of_kind[kind as usize];
        if list.len() < CONFLICTS_MAX {
            list.push((pair, search));
        }
        self.count += 1;
    }

    fn into_conflicts(self, horizon: Horizon) -> Conflicts {
        let all = ConflictKind::ALL.into_iter().zip(self.of_kind);
        let all = all.flat_map(|(kind, list)| list.into_iter().map(move |found| (kind, found)));
        let found = all
            .take(CONFLICTS_MAX)
            .filter_map(|(kind, ((a, b), search))| a.conflict(b, kind, search, horizon));
        let left_out = self.count.saturating_sub(CONFLICTS_MAX);
        Conflicts { left_out, found: found.collect(), horizon }
    }
}

/// The fire of a schedule that a stamp stands for.
fn fire_at(schedule: &Schedule, horizon: Horizon, stamp: Stamp) -> Option<Fire> {
    let start = Timestamp::from_second(horizon.after.as_second() + i64::from(stamp.second)).ok()?;
    schedule.next(start.checked_sub(SignedDuration::from_secs(1)).ok()?)
}

/// The first fires of two schedules that are at most `within` minutes apart.
fn first_meeting(
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
        // The earlier one catches up with what is near to the other.
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
