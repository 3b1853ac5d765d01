//! The fires of a schedule over a horizon, to be compared one by one with those of another.

use jiff::tz::TimeZone;

use crate::calendar::{DAY_MINUTES, TimeSet};
use crate::fires::{OffsetPeriod, Schedule, Timing, offset_periods};
use crate::horizon::Horizon;

/// The number of slices of equal length in a horizon. Zones that change their clocks at the same
/// time of the year meet, or do not meet, in most slices alike.
const SLICES: u32 = 16;

/// The period of a zone in a horizon, with its index among the clock changes of the zone.
pub(super) type IndexedPeriod = (u16, OffsetPeriod);

/// Returns the periods of a zone in a horizon.
pub(super) fn indexed_periods(zone: &TimeZone, horizon: Horizon) -> Vec<IndexedPeriod> {
    (0..).zip(offset_periods(zone, horizon.after, horizon.until)).collect()
}

/// Returns the parts of periods in which a clock change may bring a fire within so many minutes
/// of another one.
pub(super) fn near_changes(periods: &[IndexedPeriod], within: u32) -> Vec<IndexedPeriod> {
    let last = periods.len().saturating_sub(1);
    let parts = periods.iter().flat_map(|(index, period)| {
        let ends = (*index == 0, usize::from(*index) == last);
        period.near_changes(ends, i64::from(within)).map(|part| (*index, part))
    });
    parts.collect()
}

/// A fire in a horizon, in as few bytes as comparing needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct FireTime {
    /// The seconds since the start of the horizon.
    pub(super) second: u32,
    /// The index of the period between clock changes of its zone.
    period: u16,
    /// Whether a clock change has moved or repeated it.
    is_changed: bool,
}

impl FireTime {
    /// Returns `true` if a change of the common clock affects the distance of two fires.
    pub(super) fn is_affected_by_change(self, other: Self) -> bool {
        self.is_changed || other.is_changed || self.period != other.period
    }

    /// Returns `true` if both are at their scheduled times.
    pub(super) fn are_on_time(self, other: Self) -> bool {
        !self.is_changed && !other.is_changed
    }
}

/// The fires of a schedule in order, with sets that rule out most other schedules at once.
#[derive(Clone, Debug, Default)]
pub(super) struct Timeline {
    pub(super) fires: Vec<FireTime>,
    /// The times of the day in UTC.
    times: TimeSet,
    /// The times of the day near to one of `times`, themselves included.
    widened: TimeSet,
    slices: [Slice; SLICES as usize],
}

/// The fires in one slice of the horizon.
///
/// Two slices are compared fire by fire only if `near` of one has a bit of `around` of the other.
/// That loses no pair: a fire that is near to one in this slice is in the same slice of the other
/// schedule, or so near to its edge that `around` covers it.
#[derive(Clone, Copy, Debug, Default)]
struct Slice {
    /// The index of its first fire.
    start: usize,
    /// The index after its last fire.
    end: usize,
    /// The parts of the day near to its fires.
    near: u64,
    /// The parts of the day of its fires, and of those near to its beginning and its end.
    around: u64,
}

impl Timeline {
    /// Returns the fires of a schedule in periods of a horizon.
    pub(super) fn new(
        schedule: &Schedule,
        horizon: Horizon,
        periods: &[IndexedPeriod],
        within: u32,
    ) -> Self {
        let start = horizon.after.as_second();
        let mut fires = Vec::new();
        for (index, period) in periods {
            let to_start = i64::from(period.offset.seconds()) + start;
            schedule.cron.fires_in(period, |minute, timing| {
                fires.push(FireTime {
                    second: u32::try_from(minute * 60 - to_start).expect("seconds of a year"),
                    period: *index,
                    is_changed: timing != Timing::OnTime,
                });
            });
        }
        Self::from_fires(fires, horizon, within)
    }

    fn from_fires(fires: Vec<FireTime>, horizon: Horizon, within: u32) -> Self {
        let minute = |fire: &FireTime| {
            let minute = (horizon.after.as_second() + i64::from(fire.second)).div_euclid(60);
            usize::try_from(minute.rem_euclid(DAY_MINUTES)).expect("a minute of the day")
        };
        let length = horizon.after.duration_until(horizon.until).as_secs() / i64::from(SLICES) + 1;
        let length = u32::try_from(length).expect("seconds of a year");
        let mut times = TimeSet::default();
        let mut slices = [Slice::default(); SLICES as usize];
        for (slice, start) in slices.iter_mut().zip((0..).step_by(length as usize)) {
            let index = |second: u32| fires.partition_point(|fire| fire.second < second);
            let end = start + length;
            slice.start = index(start);
            slice.end = index(end);
            let own = TimeSet::from_minutes(fires[slice.start..slice.end].iter().map(minute));
            times.extend_from(&own);
            slice.near = own.widened_across_midnight(within as usize).parts();
            // The extra minute is a margin: distances are rounded down to minutes.
            let (before, after) =
                (index(start.saturating_sub(within * 60)), index(end + within * 60 + 60));
            let outside = fires[before..slice.start].iter().chain(&fires[slice.end..after]);
            slice.around = own.parts() | TimeSet::from_minutes(outside.map(minute)).parts();
        }
        Self { widened: times.widened_across_midnight(within as usize), times, slices, fires }
    }

    /// Returns `true` if surely no fire is near to one of the others.
    pub(super) fn is_far_from(&self, other: &Self) -> bool {
        self.fires.is_empty() || other.fires.is_empty() || !self.widened.intersects(&other.times)
    }

    /// Returns `true` if surely no fire is in the same minute as one of the others.
    pub(super) fn has_no_common_minute(&self, other: &Self) -> bool {
        !self.times.intersects(&other.times)
    }

    /// Returns each fire with the other schedule's fires right before and after it, if they are at
    /// most `within` minutes away. `within` is at most that for which the timelines were built.
    pub(super) fn encounters<'a>(
        &'a self,
        other: &'a Self,
        within: u32,
    ) -> impl Iterator<Item = (FireTime, FireTime)> + 'a {
        let slices = self.slices.iter().zip(&other.slices);
        let slices = slices.filter(|(own, others)| own.near & others.around != 0);
        slices.flat_map(move |(own, others)| {
            let mut next = others.start;
            self.fires[own.start..own.end].iter().flat_map(move |fire| {
                let is_before = |other: &FireTime| other.second < fire.second;
                // The fire at `next` is the first one not before this; it only moves forward.
                while other.fires.get(next).is_some_and(is_before) {
                    next += 1;
                }
                let end = other.fires.len().min(next + 1);
                let neighbours = other.fires[next.saturating_sub(1)..end].iter();
                let near = neighbours
                    .filter(move |other| other.second.abs_diff(fire.second) / 60 <= within);
                near.map(|other| (*fire, *other))
            })
        })
    }
}
