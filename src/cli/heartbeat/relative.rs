//! Times for people: on their clock, and from now.

use jiff::Zoned;
use jiff::civil::{Date, DateTime};

use dibber_schedule::ClockFormat;

/// From so many hours on, days are told.
const HOURS_TOLD: i64 = 24;
/// From so many days on, years are told.
const DAYS_TOLD: i64 = 2 * 365;

/// "Sun 8 Mar 2026".
pub(in crate::cli) fn day(date: Date) -> String {
    date.strftime("%a %-d %b %Y").to_string()
}

/// "2:30am", or "02:30".
pub(in crate::cli) fn clock_time(time: DateTime, clock: ClockFormat) -> String {
    let format = match clock {
        ClockFormat::Twelve => "%-I:%M%P",
        ClockFormat::TwentyFour => "%H:%M",
    };
    time.strftime(format).to_string()
}

/// How many columns the longest time takes.
pub(in crate::cli) const fn clock_columns(clock: ClockFormat) -> usize {
    match clock {
        ClockFormat::Twelve => "12:30am".len(),
        ClockFormat::TwentyFour => "02:30".len(),
    }
}

/// "Sun 8 Mar 2026, 2:30am -05:00".
pub(in crate::cli) fn moment(at: &Zoned, clock: ClockFormat) -> String {
    let time = clock_time(at.datetime(), clock);
    format!("{}, {time} {}", day(at.date()), at.strftime("%:z"))
}

/// How far a time is ahead: "in 2 days".
pub(in crate::cli) fn ahead(from: &Zoned, to: &Zoned) -> String {
    let minutes = from.duration_until(to).as_mins();
    let in_units = |count: i64, unit: &str| {
        let plural = if count == 1 { "" } else { "s" };
        format!("in {count} {unit}{plural}")
    };
    if minutes < 1 {
        return "at once".to_owned();
    }
    if minutes < 60 {
        return in_units(minutes, "minute");
    }
    if minutes < HOURS_TOLD * 60 {
        return in_units(minutes / 60, "hour");
    }
    let days = i64::from(from.date().until(to.date()).map_or(0, |span| span.get_days()));
    if days < DAYS_TOLD { in_units(days.max(1), "day") } else { in_units(days / 365, "year") }
}
