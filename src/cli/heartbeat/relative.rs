//! Times for people: on their clock, and from now.

use jiff::Zoned;
use jiff::civil::{Date, DateTime};

use dibber_schedule::ClockFormat;

/// From this number of hours on, days are shown.
const HOURS_MAX: i64 = 24;
/// From this number of days on, years are shown.
const DAYS_MAX: i64 = 2 * 365;

/// Returns "Sun 8 Mar 2026".
pub(in crate::cli) fn day(date: Date) -> String {
    date.strftime("%a %-d %b %Y").to_string()
}

/// Returns "2:30am", or "02:30".
pub(in crate::cli) fn clock_time(time: DateTime, clock: ClockFormat) -> String {
    let format = match clock {
        ClockFormat::Twelve => "%-I:%M%P",
        ClockFormat::TwentyFour => "%H:%M",
    };
    time.strftime(format).to_string()
}

/// Returns the columns of the longest time.
pub(in crate::cli) const fn clock_columns(clock: ClockFormat) -> usize {
    match clock {
        ClockFormat::Twelve => "12:30am".len(),
        ClockFormat::TwentyFour => "02:30".len(),
    }
}

/// Returns "Sun 8 Mar 2026, 2:30am -05:00".
pub(in crate::cli) fn moment(at: &Zoned, clock: ClockFormat) -> String {
    let time = clock_time(at.datetime(), clock);
    format!("{}, {time} {}", day(at.date()), at.strftime("%:z"))
}

/// Returns how far a time is ahead: "in 2 days".
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
    if minutes < HOURS_MAX * 60 {
        return in_units(minutes / 60, "hour");
    }
    let days = i64::from(from.date().until(to.date()).map_or(0, |span| span.get_days()));
    if days < DAYS_MAX { in_units(days.max(1), "day") } else { in_units(days / 365, "year") }
}
