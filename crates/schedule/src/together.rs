//! The most fires of several heartbeats together, in any 24 hours.
//!
//! The window is the one of a single schedule: 24 hours of local wall clock, in which a fire
//! counts at the time that was asked for. With several schedules it may begin at any time of the
//! day, and it does matter: fires of a Monday evening and of a Tuesday morning add up.

use std::collections::HashMap;
use std::ops::ControlFlow;

use jiff::tz::Offset;
use jiff::{SignedDuration, Timestamp};

use super::cap::Peak;
use super::days::{DAY_MINUTES, LocalMinute, Month, days_to, month_of};
use super::fires::{ceil_minute, floor_minute, local_second, to_datetime};
use super::timeline::Horizon;
use super::{Cron, JobKind, Schedule, Timing, sets};

/// Years in a row in which every kind of year, and every one that may follow it, comes once.
const EVERY_KIND: std::ops::Range<i64> = 2000..2029;
/// The days after which the calendar repeats.
const CYCLE_DAYS: i64 = 146_097;

/// The most fires of several schedules in any 24 hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PeakTogether {
    /// How many, and the day on which the 24 hours begin.
    pub peak: Peak,
    /// The time that was looked at; none when it holds for all time to come.
    pub horizon: Option<Horizon>,
}

/// The most fires of schedules together in any 24 hours, from the day of the first fire after an
/// instant on; none when none of them fires.
///
/// Schedules of one zone are solved for all time to come. When there are several zones there is no
/// common wall clock: the one of the first schedule is taken, the fires of the others are placed
/// on it at the instant at which they come, and they are counted over a [`Horizon`].
pub fn peak_together(schedules: &[Schedule], from: Timestamp) -> Option<PeakTogether> {
    let first = schedules.first()?;
    if schedules.iter().all(|schedule| schedule.zone == first.zone) {
        let peak = peak_on_one_clock(schedules, from)?;
        return Some(PeakTogether { peak, horizon: None });
    }
    let horizon = Horizon::new(schedules, from);
    let mut marks = Vec::new();
    for schedule in schedules {
        for fire in schedule.fires_between(horizon.after, horizon.until) {
            let asked = match fire.timing {
                Timing::MovedFrom(asked) if schedule.zone == first.zone => asked,
                _ => first.zone.to_datetime(fire.at),
            };
            let second = Offset::UTC.to_timestamp(asked).ok()?.as_second();
            marks.push(Mark {
                minute: floor_minute(second),
                is_repeated: fire.timing == Timing::Repeated,
            });
        }
    }
    Some(PeakTogether { peak: most_in_a_window(&mut marks)?, horizon: Some(horizon) })
}

/// A fire on the wall clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Mark {
    minute: LocalMinute,
    is_repeated: bool,
}

/// The window of 24 hours with the most fires, the first of them.
fn most_in_a_window(marks: &mut [Mark]) -> Option<Peak> {
    marks.sort_unstable();
    let mut best = 0..0;
    let mut start = 0;
    for (index, mark) in marks.iter().enumerate() {
        while marks[start].minute <= mark.minute - DAY_MINUTES {
            start += 1;
        }
        if index + 1 - start > best.len() {
            best = start..index + 1;
        }
    }
    let best = &marks[best];
    let count = |marks: usize| u32::try_from(marks).expect("a horizon has few enough fires");
    Some(Peak {
        fires: count(best.len()),
        day: to_datetime(best.first()?.minute)?.date(),
        repeated: count(best.iter().filter(|mark| mark.is_repeated).count()),
    })
}

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
        let mut marks = repeats(&crons, start, end);
        // No window has more than the most of the calendar and all that is repeated.
        if calendar as usize + marks.len() <= best.fires as usize {
            continue;
        }
        for cron in &crons {
            cron.each_match(start - DAY_MINUTES, end + DAY_MINUTES, |minute| {
                marks.push(Mark { minute, is_repeated: false });
            });
        }
        best = most_in_a_window(&mut marks).filter(|peak| peak.fires > best.fires).unwrap_or(best);
    }
    Some(best)
}

/// The fires that come again when the clock shows the minutes from `start` to `end` again.
fn repeats(crons: &[Cron], start: LocalMinute, end: LocalMinute) -> Vec<Mark> {
    let mut marks = Vec::new();
    for cron in crons.iter().filter(|cron| cron.kind() == JobKind::Wildcard) {
        cron.each_match(start, end, |minute| marks.push(Mark { minute, is_repeated: true }));
    }
    marks
}

/// The windows that begin on a day, on a calendar without clock changes.
///
/// How many fires they have depends on which schedules match that day and the next.
struct Windows<'a> {
    crons: &'a [Cron],
    /// The most fires for sets of schedules: a bit for each that matches the day, and then a bit
    /// for each that matches the day after.
    known: HashMap<Vec<u64>, u32>,
}

impl<'a> Windows<'a> {
    fn new(crons: &'a [Cron]) -> Self {
        Self { crons, known: HashMap::new() }
    }

    /// The most fires there can be, and the first day from `today` on that has so many.
    fn first_best(mut self, today: i64) -> Option<Peak> {
        let bound: u32 = self.crons.iter().map(Cron::times_per_day).sum();
        let [start, end] =
            [EVERY_KIND.start, EVERY_KIND.end].map(|year| days_to(Month { year, month: 1 }));
        let mut most = 0;
        let _ = self.each_day(start, end, |_, fires| {
            most = most.max(fires);
            if most == bound { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        let found = self.each_day(today, today + CYCLE_DAYS, |day, fires| {
            if fires == most { ControlFlow::Break(day) } else { ControlFlow::Continue(()) }
        });
        let day = to_datetime(found.break_value()? * DAY_MINUTES)?.date();
        (most > 0).then_some(Peak { fires: most, day, repeated: 0 })
    }

    /// Calls `each` with the days from `start` to `end` and the most fires of a window that begins
    /// on them.
    fn each_day<T>(
        &mut self,
        start: i64,
        end: i64,
        mut each: impl FnMut(i64, u32) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let words = self.crons.len().div_ceil(64);
        let mut days: Vec<u64> = Vec::new();
        // The schedules that match a day, and in the second half those of the day after.
        let mut matching = vec![0_u64; 2 * words];
        for day in start..=end {
            let (month, day_of_month) = month_of(day);
            if day == start || day_of_month == 1 {
                days = self.crons.iter().map(|cron| cron.days_in(month)).collect();
            }
            matching.copy_within(words.., 0);
            matching[words..].fill(0);
            for (index, days) in days.iter().enumerate() {
                matching[words + index / 64] |= (days >> day_of_month & 1) << (index % 64);
            }
            if day > start {
                each(day - 1, self.most(&matching))?;
            }
        }
        ControlFlow::Continue(())
    }

    /// The most fires of a window, for the schedules that match its day and the day after.
    fn most(&mut self, matching: &[u64]) -> u32 {
        if let Some(known) = self.known.get(matching) {
            return *known;
        }
        let (today, tomorrow) = matching.split_at(matching.len() / 2);
        let has = |words: &[u64], index: usize| words[index / 64] >> (index % 64) & 1 == 1;
        let mut gained = [0_i64; sets::DAY_MINUTES];
        let mut fires = 0_i64;
        for (index, cron) in self.crons.iter().enumerate() {
            let (today, tomorrow) = (has(today, index), has(tomorrow, index));
            fires += if today { i64::from(cron.times_per_day()) } else { 0 };
            // A window that begins behind a time has lost it today, and has it tomorrow.
            let change = i64::from(tomorrow) - i64::from(today);
            cron.each_time(|time| gained[usize::from(time)] += change);
        }
        let mut most = fires;
        // The one that begins behind the last minute is the first one of the day after.
        for change in &gained[..gained.len() - 1] {
            fires += change;
            most = most.max(fires);
        }
        let most = u32::try_from(most).expect("fires of two days");
        self.known.insert(matching.to_vec(), most);
        most
    }
}
