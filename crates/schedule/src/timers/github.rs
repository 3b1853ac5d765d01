//! Schedules as those of workflows of GitHub Actions: POSIX cron, beside a time zone.

use super::days::{Days, EVERY_MONTH};
use super::error::TimerError;
use super::values::list;
use crate::calendar::{DAY_MINUTES, DaySet};
use crate::cron::Cron;

/// The fewest minutes between two starts of a workflow.
const MINUTES_APART_MIN: u32 = 5;

/// Returns the value of `cron` of a schedule, as POSIX specifies it: a day that matches either of two
/// day fields counts if both are lists.
///
/// # Errors
/// If a day has to match both fields, or if times are less than 5 minutes apart.
pub fn github_cron(cron: &Cron) -> Result<String, TimerError> {
    if has_close_times(cron) {
        return Err(TimerError::TooClose { minutes: MINUTES_APART_MIN });
    }
    let every = || "*".to_owned();
    let (days, weekdays) = match Days::of(cron) {
        Days::Every => (every(), every()),
        Days::OfMonth(days) => (numbers(days), every()),
        Days::OfWeek(days) => (every(), numbers(days)),
        Days::Either { of_month, of_week } => (numbers(of_month), numbers(of_week)),
        Days::Both { .. } => return Err(TimerError::BothDayFields),
    };
    let months = cron.month.values;
    let months = if months == EVERY_MONTH { every() } else { numbers(months) };
    let (minutes, hours) = (numbers(cron.minute.values), numbers(cron.hour.values));
    Ok(format!("{minutes} {hours} {days} {months} {weekdays}"))
}

/// Returns `true` if two times of a day, or of one day and the next, are too close.
fn has_close_times(cron: &Cron) -> bool {
    let mut times = Vec::new();
    cron.each_time(|time| times.push(i64::from(time)));
    let (Some(first), Some(last)) = (times.first(), times.last()) else { return false };
    let is_close = |time: i64, next: i64| next - time < i64::from(MINUTES_APART_MIN);
    let has_consecutive_days = || {
        let days = DaySet::new(cron);
        days.intersects_next_day(&days)
    };
    times.windows(2).any(|pair| is_close(pair[0], pair[1]))
        || (is_close(*last, first + DAY_MINUTES) && has_consecutive_days())
}

fn numbers(values: u64) -> String {
    list(values, "-", |value| value.to_string())
}
