//! The most fires of several schedules together in 24 hours.
//!
//! The window is that of a single schedule: 24 hours of wall clock, in which a fire counts at its
//! scheduled time. With several schedules the time of day at which it begins matters: fires of a
//! Monday evening and of a Tuesday morning add up.

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::single::Peak;
use super::windows::Windows;
use crate::calendar::{CYCLE_DAYS, DAY_MINUTES, LocalMinute};
use crate::cron::{Cron, JobKind};
use crate::fires::{Schedule, Timing, ceil_minute, floor_minute, local_second, to_datetime};
use crate::horizon::Horizon;

/// The most fires of several schedules in any 24 hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CombinedPeak {
    /// The number of fires, and the day on which the 24 hours begin.
    pub peak: Peak,
    /// The time span that was searched; `None` when the result holds for all time to come.
    pub horizon: Option<Horizon>,
}

/// Returns the most fires of all schedules together in any 24 hours, from the day of the first
/// fire after an instant on; `None` if none of them fires in the time that is searched.
///
/// Schedules of one zone are solved for all time to come. Several zones have no common wall clock:
/// that of the first schedule is used, fires of other zones count at their instants on it, and
/// they are counted over a [`Horizon`].
pub fn combined_peak(schedules: &[Schedule], from: Timestamp) -> Option<CombinedPeak> {
    let first = schedules.first()?;
    if schedules.iter().all(|schedule| schedule.zone == first.zone) {
        let peak = peak_on_one_clock(schedules, from)?;
        return Some(CombinedPeak { peak, horizon: None });
    }
    let horizon = Horizon::new(schedules, from);
    let mut fires = Vec::new();
    for schedule in schedules {
        for fire in schedule.fires_between(horizon.after, horizon.until) {
            let wall_clock = match fire.timing {
                Timing::MovedFrom(missed) if schedule.zone == first.zone => missed,
                _ => first.zone.to_datetime(fire.at),
            };
            let second = Offset::UTC.to_timestamp(wall_clock).ok()?.as_second();
            fires.push(WallClockFire {
                minute: floor_minute(second),
                is_repeated: fire.timing == Timing::Repeated,
            });
        }
    }
    Some(CombinedPeak { peak: most_in_a_window(&mut fires)?, horizon: Some(horizon) })
}

/// A fire on the wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct WallClockFire {
    minute: LocalMinute,
    is_repeated: bool,
}

/// Returns the first window of 24 hours with the most fires.
fn most_in_a_window(fires: &mut [WallClockFire]) -> Option<Peak> {
    fires.sort_unstable();
    let mut best = 0..0;
    let mut start = 0;
    for (index, fire) in fires.iter().enumerate() {
        while fires[start].minute <= fire.minute - DAY_MINUTES {
            start += 1;
        }
        if index + 1 - start > best.len() {
            best = start..index + 1;
        }
    }
    let best = &fires[best];
    let count = |fires: usize| u32::try_from(fires).expect("a horizon has few enough fires");
    Some(Peak {
        fires: count(best.len()),
        day: to_datetime(best.first()?.minute)?.date(),
        repeated: count(best.iter().filter(|fire| fire.is_repeated).count()),
    })
}

/// Returns the peak of schedules of one zone: the best window of the calendar, or one with fires
/// that a clock change repeats.
fn peak_on_one_clock(schedules: &[Schedule], from: Timestamp) -> Option<Peak> {
    let zone = &schedules.first()?.zone;
    let firing = schedules.iter().filter_map(|one| Some((one.cron, one.next(from)?.at)));
    let (crons, firsts): (Vec<Cron>, Vec<Timestamp>) = firing.unzip();
    let first = firsts.into_iter().min()?;
    let today = floor_minute(local_second(first, zone.to_offset(first))).div_euclid(DAY_MINUTES);
    let mut best = Windows::new(&crons).first_best(today)?;
    let calendar = best.fires;
    let end = from.checked_add(SignedDuration::from_hours(24 * (CYCLE_DAYS + 366)));
    let end = end.unwrap_or(Timestamp::MAX);
    let mut before = zone.to_offset(from);
    for change in zone.following(from).take_while(|change| change.timestamp() < end) {
        let first = std::mem::replace(&mut before, change.offset());
        let minute = |offset| ceil_minute(local_second(change.timestamp(), offset));
        let (start, end) = (minute(change.offset()), minute(first));
        let mut fires = repeated_fires(&crons, start, end);
        // No window has more fires than the best one of the calendar and all repeated ones.
        if calendar as usize + fires.len() <= best.fires as usize {
            continue;
        }
        // A window with a repeated fire lies within a day of the repeated minutes.
        for cron in &crons {
            cron.each_match(start - DAY_MINUTES, end + DAY_MINUTES, |minute| {
                fires.push(WallClockFire { minute, is_repeated: false });
            });
        }
        best = most_in_a_window(&mut fires).filter(|peak| peak.fires > best.fires).unwrap_or(best);
    }
    Some(best)
}

/// Returns the fires that are repeated when the clock shows the minutes in `start..end` again.
fn repeated_fires(crons: &[Cron], start: LocalMinute, end: LocalMinute) -> Vec<WallClockFire> {
    let mut fires = Vec::new();
    for cron in crons.iter().filter(|cron| cron.kind() == JobKind::Wildcard) {
        cron.each_match(start, end, |minute| {
            fires.push(WallClockFire { minute, is_repeated: true });
        });
    }
    fires
}
