//! Months, days and years of the proleptic Gregorian calendar.

use std::ops::Range;

/// A minute of a local calendar, counted from 1970-01-01 00:00.
pub(crate) type LocalMinute = i64;

/// The minutes of a day.
pub(crate) const DAY_MINUTES: LocalMinute = 24 * 60;
/// [`DAY_MINUTES`] as the length of an array.
#[expect(clippy::cast_possible_truncation, reason = "1,440 fits in every integer but a byte")]
pub(crate) const MINUTES_OF_DAY: usize = DAY_MINUTES as usize;

/// The days of 400 years, after which dates and weekdays repeat: 146,097 is a multiple of 7.
pub(crate) const CYCLE_DAYS: i64 = 146_097;

/// Consecutive years with one of each kind (14: seven first weekdays, leap or not), and with each
/// kind that may follow another. Between two century exceptions they repeat after 28 years.
pub(crate) const EVERY_KIND_OF_YEAR: Range<i64> = 2000..2029;

/// The most days of each month: February has its leap day.
pub(crate) const MONTH_LENGTHS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/// A month of a year.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Month {
    pub(crate) year: i64,
    /// From 1.
    pub(crate) month: u32,
}

impl Month {
    pub(super) const fn next(self) -> Self {
        match self.month {
            12 => Self { year: self.year + 1, month: 1 },
            month => Self { month: month + 1, ..self },
        }
    }

    pub(super) const fn previous(self) -> Self {
        match self.month {
            1 => Self { year: self.year - 1, month: 12 },
            month => Self { month: month - 1, ..self },
        }
    }
}

/// Returns the first day of a month, counted from 1970-01-01.
pub(crate) const fn first_day(Month { year, month }: Month) -> i64 {
    // Years begin in March here, so that the leap day is the last of its year. The days before a
    // month then follow from its number alone: 153 days for every five months from March on.
    let year = if month <= 2 { year - 1 } else { year };
    let since_march = ((month + 9) % 12) as i64;
    let before_month = (153 * since_march + 2) / 5;
    // 719,468 days lie between 0000-03-01 and 1970-01-01.
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + before_month
        - 719_468
}

/// Returns the month and the day of the month, from 1, of a day counted from 1970-01-01.
pub(crate) fn month_and_day(day: i64) -> (Month, u32) {
    // The mean length of a year gives the right year or one next to it.
    let mut year = (day * 400).div_euclid(CYCLE_DAYS) + 1970;
    while first_day(Month { year, month: 1 }) > day {
        year -= 1;
    }
    while first_day(Month { year: year + 1, month: 1 }) <= day {
        year += 1;
    }
    // A month has at most 31 days, so this is the right month or the one before it.
    let day_of_year = day - first_day(Month { year, month: 1 });
    let mut month = u32::try_from(day_of_year / 31).expect("less than twelve") + 1;
    if month < 12 && first_day(Month { year, month: month + 1 }) <= day {
        month += 1;
    }
    let first = first_day(Month { year, month });
    (Month { year, month }, u32::try_from(day - first).expect("less than 31") + 1)
}

/// Returns the weekday of a day, from 0 for Sunday: 1970-01-01 was a Thursday.
pub(super) const fn weekday(day: i64) -> i64 {
    (day + 4).rem_euclid(7)
}
