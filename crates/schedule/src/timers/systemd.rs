//! Schedules as calendar events of systemd (systemd.time(7)).

use super::days::{Days, EVERY_DAY_OF_MONTH, EVERY_MONTH};
use super::values::list;
use crate::cron::Cron;
use crate::fires::Schedule;

/// The days of the week as systemd names them and orders them.
const WEEKDAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// Returns the values of `OnCalendar=` of a schedule: two if its days match either of its day fields.
///
/// systemd skips a time that a change of the clocks skips, and takes the first of two.
pub fn on_calendar(schedule: &Schedule) -> Vec<String> {
    let zone = schedule.zone.iana_name().unwrap_or("UTC");
    let months = numbers(schedule.cron.month.values, EVERY_MONTH);
    let times = times(&schedule.cron);
    let event = |of_week: Option<u64>, of_month: u64| {
        let weekdays = of_week.map(|days| format!("{} ", weekdays(days))).unwrap_or_default();
        let days = numbers(of_month, EVERY_DAY_OF_MONTH);
        format!("{weekdays}*-{months}-{days} {times} {zone}")
    };
    match Days::of(&schedule.cron) {
        Days::Every => vec![event(None, EVERY_DAY_OF_MONTH)],
        Days::OfMonth(days) => vec![event(None, days)],
        Days::OfWeek(days) => vec![event(Some(days), EVERY_DAY_OF_MONTH)],
        Days::Either { of_month, of_week } => {
            vec![event(None, of_month), event(Some(of_week), EVERY_DAY_OF_MONTH)]
        }
        Days::Both { of_month, of_week } => vec![event(Some(of_week), of_month)],
    }
}

fn times(cron: &Cron) -> String {
    const EVERY_HOUR: u64 = (1 << 24) - 1;
    const EVERY_MINUTE: u64 = (1 << 60) - 1;
    let hours = numbers(cron.hour.values, EVERY_HOUR);
    format!("{hours}:{}:00", numbers(cron.minute.values, EVERY_MINUTE))
}

fn numbers(values: u64, every: u64) -> String {
    if values & every == every {
        return "*".to_owned();
    }
    list(values & every, "..", |value| format!("{value:02}"))
}

/// Returns days of the week, which begins on a Monday here.
fn weekdays(days: u64) -> String {
    let from_monday = days >> 1 | (days & 1) << 6;
    list(from_monday, "..", |day| WEEKDAYS[day as usize].to_owned())
}
