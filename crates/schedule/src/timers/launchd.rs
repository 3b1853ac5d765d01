//! Schedules as calendar intervals of launchd (launchd.plist(5)), which knows the time zone of the
//! computer alone.

use super::days::{Days, EVERY_MONTH};
use super::error::TimerError;
use crate::calendar::set_bits;
use crate::cron::Cron;

/// The most intervals of a schedule.
pub const INTERVALS_MAX: usize = 400;

/// The values of hours and minutes that match all.
const EVERY_HOUR: u64 = (1 << 24) - 1;
const EVERY_MINUTE: u64 = (1 << 60) - 1;

/// An item of `StartCalendarInterval`. What it does not have matches everything; it never has both a day
/// and a weekday.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LaunchdInterval {
    /// The month, from 1.
    pub month: Option<u32>,
    /// The day of the month.
    pub day: Option<u32>,
    /// The day of the week, from 0 for Sunday.
    pub weekday: Option<u32>,
    /// The hour.
    pub hour: Option<u32>,
    /// The minute.
    pub minute: Option<u32>,
}

impl LaunchdInterval {
    /// Returns the keys that it has, with their values.
    pub fn keys(&self) -> impl Iterator<Item = (&'static str, u32)> {
        let keys = [
            ("Month", self.month),
            ("Day", self.day),
            ("Weekday", self.weekday),
            ("Hour", self.hour),
            ("Minute", self.minute),
        ];
        keys.into_iter().filter_map(|(key, value)| Some((key, value?)))
    }
}

/// Returns the intervals of a schedule, on the clock of the computer.
///
/// # Errors
/// If a day has to match both day fields, or if there are more than [`INTERVALS_MAX`].
pub fn launchd_intervals(cron: &Cron) -> Result<Vec<LaunchdInterval>, TimerError> {
    let of_month = |days| set_bits(days).map(|day| (Some(day), None)).collect::<Vec<_>>();
    let of_week = |days| set_bits(days).map(|day| (None, Some(day))).collect::<Vec<_>>();
    let days = match Days::of(cron) {
        Days::Every => vec![(None, None)],
        Days::OfMonth(days) => of_month(days),
        Days::OfWeek(days) => of_week(days),
        Days::Either { of_month: dates, of_week: weekdays } => {
            [of_month(dates), of_week(weekdays)].concat()
        }
        Days::Both { .. } => return Err(TimerError::BothDayFields),
    };
    let months = values(cron.month.values, EVERY_MONTH);
    let hours = values(cron.hour.values, EVERY_HOUR);
    let minutes = values(cron.minute.values, EVERY_MINUTE);
    if months.len() * days.len() * hours.len() * minutes.len() > INTERVALS_MAX {
        return Err(TimerError::TooManyEntries { max: INTERVALS_MAX });
    }
    let mut intervals = Vec::new();
    for month in &months {
        for (day, weekday) in &days {
            for hour in &hours {
                intervals.extend(minutes.iter().map(|minute| LaunchdInterval {
                    month: *month,
                    day: *day,
                    weekday: *weekday,
                    hour: *hour,
                    minute: *minute,
                }));
            }
        }
    }
    Ok(intervals)
}

/// Returns the values of a field; one that matches all if it has every value.
fn values(values: u64, every: u64) -> Vec<Option<u32>> {
    if values & every == every { vec![None] } else { set_bits(values).map(Some).collect() }
}
