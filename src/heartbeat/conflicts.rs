//! Heartbeats that fire at the same time, or nearly so.
//!
//! Two schedules of one zone are compared on the calendar, which is exact: whatever day they
//! share is found, also one that comes once in forty years. What a clock change brings together,
//! and schedules of different zones, are looked at one by one over a [`Horizon`].

use jiff::{SignedDuration, Timestamp};

use super::days::DAY_MINUTES;
use super::sets::{DaySet, TimeSet};
use super::span::Stretch;
use super::timeline::{Horizon, Meetings, Timeline};
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
            let pair = (first.index, second.index);
            if first.zone == second.zone {
                first.conflicts_on_one_clock(second, within, |found_| found.add(pair, found_));
            } else {
                first.conflicts_on_two_clocks(second, within, |found_| found.add(pair, found_));
            }
        }
    }
    found.into_conflicts(schedules, horizon, within)
}

/// A schedule, and what it is compared by.
struct Entry<'a> {
    index: usize,
    schedule: &'a Schedule,
    /// The place of its zone among all of them.
    zone: usize,
    days: DaySet,
    times: TimeSet,
    /// The times of the day that are near to one of its own.
    widened: TimeSet,
    /// All fires in the horizon.
    fires: Timeline,
    /// Those that are near to a clock change.
    near_changes: Timeline,
}

/// The schedules that fire at all.
fn entries(schedules: &[Schedule], horizon: Horizon, within: u32) -> Vec<Entry<'_>> {
    let mut zones: Vec<(&Schedule, Vec<Stretch>)> = Vec::new();
    let mut entries = Vec::with_capacity(schedules.len());
    let firing = schedules.iter().enumerate().filter(|(_, schedule)| schedule.cron.has_days());
    for (index, schedule) in firing {
        let known = zones.iter().position(|(known, _)| known.zone == schedule.zone);
        let zone = known.unwrap_or_else(|| {
            zones.push((schedule, horizon.stretches(&schedule.zone)));
            zones.len() - 1
        });
        let stretches = &zones[zone].1;
        let times = TimeSet::new(&schedule.cron);
        let fires = Timeline::new(schedule, horizon, stretches, within);
        entries.push(Entry {
            index,
            schedule,
            zone,
            days: DaySet::new(&schedule.cron),
            widened: times.widened(within as usize),
            times,
            near_changes: fires.near_changes(horizon, stretches, within),
            fires,
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
        mut each: impl FnMut((ConflictKind, Option<Meetings>)),
    ) {
        let distance = self.distance_on_calendar(other, within);
        match distance {
            Some(0) if self.schedule.cron == other.schedule.cron => {
                each((ConflictKind::Duplicate, None));
            }
            Some(0) => each((ConflictKind::SameMinute, None)),
            Some(_) => each((ConflictKind::Near, None)),
            None => {}
        }
        let nearer = distance.map_or(Some(within), |distance| distance.checked_sub(1));
        if let Some(nearer) = nearer
            && !self.near_changes.is_far_from(&other.near_changes)
            && let Some(meetings) =
                self.near_changes
                    .meetings(&other.near_changes, nearer, |a, b| a.is_apart_by_change(b))
        {
            each((ConflictKind::ClockChange, Some(meetings)));
        }
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
        let to_midnight =
            usize::try_from(DAY_MINUTES).expect("a small number") - self.times.last()?;
        let distance = to_midnight + other.times.first()?;
        (distance <= within as usize && self.days.meets_day_after(&other.days)).then_some(distance)
    }

    /// The conflicts with a schedule of another zone.
    fn conflicts_on_two_clocks(
        &self,
        other: &Self,
        within: u32,
        mut each: impl FnMut((ConflictKind, Option<Meetings>)),
    ) {
        if self.fires.is_far_from(&other.fires) {
            return;
        }
        let meetings = |within| self.fires.meetings(&other.fires, within, |_, _| true);
        let same_minute = if self.fires.is_never_at(&other.fires) { None } else { meetings(0) };
        if let Some(same_minute) = same_minute {
            if same_minute.are_plain {
                return each((ConflictKind::SameMinute, Some(same_minute)));
            }
            each((ConflictKind::ClockChange, Some(same_minute)));
        }
        match meetings(within) {
            Some(near) if near.are_plain => each((ConflictKind::Near, Some(near))),
            Some(near) if same_minute.is_none() => each((ConflictKind::ClockChange, Some(near))),
            _ => {}
        }
    }
}

/// The conflicts found, those of each kind in order, and no more of each than can be listed.
#[derive(Default)]
struct Found {
    of_kind: [Vec<((usize, usize), Option<Meetings>)>; ConflictKind::ALL.len()],
    count: usize,
}

impl Found {
    fn add(&mut self, pair: (usize, usize), (kind, meetings): (ConflictKind, Option<Meetings>)) {
        let list = &mut self.of_kind[kind as usize];
        if list.len() < CONFLICTS_MAX {
            list.push((pair, meetings));
        }
        self.count += 1;
    }

    fn into_conflicts(self, schedules: &[Schedule], horizon: Horizon, within: u32) -> Conflicts {
        let all = ConflictKind::ALL.into_iter().zip(self.of_kind);
        let all = all.flat_map(|(kind, list)| list.into_iter().map(move |found| (kind, found)));
        let found: Vec<Conflict> = all
            .take(CONFLICTS_MAX)
            .filter_map(|(kind, (pair, meetings))| {
                let (a, b) = (&schedules[pair.0], &schedules[pair.1]);
                let first = match meetings {
                    Some(Meetings { first: (of_a, of_b), .. }) => {
                        (fire_at(a, horizon, of_a)?, fire_at(b, horizon, of_b)?)
                    }
                    None if kind == ConflictKind::Near => {
                        first_meeting(a, b, horizon.after, within)?
                    }
                    None => first_meeting(a, b, horizon.after, 0)?,
                };
                let count = meetings.map(|meetings| meetings.count);
                Some(Conflict { schedules: pair, kind, first, count })
            })
            .collect();
        Conflicts { left_out: self.count.saturating_sub(CONFLICTS_MAX), found, horizon }
    }
}

/// The fire that a schedule has so many seconds after the start of the horizon.
fn fire_at(schedule: &Schedule, horizon: Horizon, second: u32) -> Option<Fire> {
    let start = Timestamp::from_second(horizon.after.as_second() + i64::from(second)).ok()?;
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
