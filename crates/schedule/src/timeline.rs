//! The fires of a schedule over a horizon, one by one, to be compared with those of another.

use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};

use super::days::DAY_MINUTES;
use super::sets::TimeSet;
use super::span::{Stretch, stretches};
use super::{Schedule, Timing};

/// How long fires are looked at one by one: a year.
const HORIZON: SignedDuration = SignedDuration::from_hours(366 * 24);
/// The most fires that are looked at one by one, of all schedules together. The horizon is
/// shorter when there would be more in a year; four fires a day of 2,700 schedules are fewer.
const FIRES_MAX: i64 = 4_000_000;

/// Into how many slices of the same length a horizon is cut. Zones that change their clocks at
/// the same time of the year meet, or keep apart, in most of them alike.
const SLICES: u32 = 16;

/// A span of time in which the fires of schedules are looked at one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// It begins after this instant.
    pub after: Timestamp,
    /// The last instant of it.
    pub until: Timestamp,
}

impl Horizon {
    /// The next year, or as much of it as has not too many fires.
    pub(super) fn new(schedules: &[Schedule], after: Timestamp) -> Self {
        let times = schedules.iter().map(|schedule| i64::from(schedule.cron.times_per_day()));
        let per_day: i64 = times.sum();
        let seconds = (FIRES_MAX * 24 * 60 * 60) / per_day.max(1);
        let length = HORIZON.min(SignedDuration::from_secs(seconds));
        Self { after, until: after.checked_add(length).unwrap_or(Timestamp::MAX) }
    }

    /// The time between clock changes of a zone, each stretch with its place among them.
    pub(super) fn stretches(&self, zone: &TimeZone) -> Vec<(u16, Stretch)> {
        (0..).zip(stretches(zone, self.after, self.until)).collect()
    }
}

/// The parts of stretches in which a clock change may bring a fire within so many minutes of
/// another one.
pub(super) fn near_changes(stretches: &[(u16, Stretch)], within: u32) -> Vec<(u16, Stretch)> {
    let last = stretches.len().saturating_sub(1);
    let parts = stretches.iter().flat_map(|(index, stretch)| {
        let ends = (*index == 0, usize::from(*index) == last);
        stretch.near_changes(ends, i64::from(within)).map(|part| (*index, part))
    });
    parts.collect()
}

/// One fire in a horizon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stamp {
    /// The seconds from the start of the horizon.
    pub(super) second: u32,
    /// Which of the stretches between clock changes of its zone it lies in.
    stretch: u16,
    /// A clock change has moved it, or repeated it.
    is_changed: bool,
}

impl Stamp {
    /// Tells whether a change of their common clock has a part in how far two fires are apart.
    pub(super) fn is_apart_by_change(self, other: Self) -> bool {
        self.is_changed || other.is_changed || self.stretch != other.stretch
    }

    /// Tells whether both come at the times that were asked for.
    pub(super) fn is_plain(self, other: Self) -> bool {
        !self.is_changed && !other.is_changed
    }
}

/// Fires in order, and what tells quickly that those of another are never near.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    pub(super) stamps: Vec<Stamp>,
    /// The times of the day in UTC.
    times: TimeSet,
    /// Those, and all that are near to one of them.
    widened: TimeSet,
    slices: [Slice; SLICES as usize],
}

/// What lies in one slice of the horizon.
#[derive(Clone, Copy, Debug, Default)]
struct Slice {
    /// The place of its first fire.
    start: usize,
    /// The place behind its last fire.
    end: usize,
    /// The parts of the day near to its fires.
    near: u64,
    /// The parts of the day of its fires, and of those near to its beginning and its end.
    around: u64,
}

impl Timeline {
    /// The fires of a schedule in stretches of a horizon, each with its place among those between
    /// two clock changes.
    pub(super) fn new(
        schedule: &Schedule,
        horizon: Horizon,
        stretches: &[(u16, Stretch)],
        within: u32,
    ) -> Self {
        let start = horizon.after.as_second();
        let mut stamps = Vec::new();
        for (index, stretch) in stretches {
            let to_start = i64::from(stretch.offset.seconds()) + start;
            schedule.cron.fires_in(stretch, |minute, timing| {
                stamps.push(Stamp {
                    second: u32::try_from(minute * 60 - to_start).expect("seconds of a year"),
                    stretch: *index,
                    is_changed: timing != Timing::OnTime,
                });
            });
        }
        Self::of(stamps, horizon, within)
    }

    fn of(stamps: Vec<Stamp>, horizon: Horizon, within: u32) -> Self {
        let minute = |stamp: &Stamp| {
            let minute = (horizon.after.as_second() + i64::from(stamp.second)).div_euclid(60);
            usize::try_from(minute.rem_euclid(DAY_MINUTES)).expect("a minute of the day")
        };
        let length = horizon.after.duration_until(horizon.until).as_secs() / i64::from(SLICES) + 1;
        let length = u32::try_from(length).expect("seconds of a year");
        let mut times = TimeSet::default();
        let mut slices = [Slice::default(); SLICES as usize];
        for (slice, start) in slices.iter_mut().zip((0..).step_by(length as usize)) {
            let place = |second: u32| stamps.partition_point(|stamp| stamp.second < second);
            let end = start + length;
            slice.start = place(start);
            slice.end = place(end);
            let own = TimeSet::of(stamps[slice.start..slice.end].iter().map(minute));
            times.insert_all_of(&own);
            slice.near = own.widened_round(within as usize).parts();
            let (before, behind) =
                (place(start.saturating_sub(within * 60)), place(end + within * 60 + 60));
            let outside = stamps[before..slice.start].iter().chain(&stamps[slice.end..behind]);
            slice.around = own.parts() | TimeSet::of(outside.map(minute)).parts();
        }
        Self { widened: times.widened_round(within as usize), times, slices, stamps }
    }

    /// Tells that no fire is near to one of the others.
    pub(super) fn is_far_from(&self, other: &Self) -> bool {
        self.stamps.is_empty() || other.stamps.is_empty() || !self.widened.meets(&other.times)
    }

    /// Tells that no fire is in the same minute as one of the others.
    pub(super) fn is_never_at(&self, other: &Self) -> bool {
        !self.times.meets(&other.times)
    }

    /// The fires, each with those of the others that come right before and after it, if they are
    /// at most `within` minutes away. That is at most what the timelines were made for.
    pub(super) fn meetings<'a>(
        &'a self,
        other: &'a Self,
        within: u32,
    ) -> impl Iterator<Item = (Stamp, Stamp)> + 'a {
        let slices = self.slices.iter().zip(&other.slices);
        let slices = slices.filter(|(own, others)| own.near & others.around != 0);
        slices.flat_map(move |(own, others)| {
            let mut behind = others.start;
            self.stamps[own.start..own.end].iter().flat_map(move |stamp| {
                let is_before = |other: &Stamp| other.second < stamp.second;
                while other.stamps.get(behind).is_some_and(is_before) {
                    behind += 1;
                }
                let end = other.stamps.len().min(behind + 1);
                let neighbours = other.stamps[behind.saturating_sub(1)..end].iter();
                let near = neighbours
                    .filter(move |other| other.second.abs_diff(stamp.second) / 60 <= within);
                near.map(|other| (*stamp, *other))
            })
        })
    }
}
