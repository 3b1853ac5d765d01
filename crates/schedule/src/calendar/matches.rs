//! The search for days and minutes that an expression matches.

use super::bits::{bit_range, set_bits};
use super::month::{
    DAY_MINUTES, LocalMinute, MONTH_LENGTHS, Month, first_day, month_and_day, weekday,
};
use crate::cron::Cron;

impl Cron {
    /// Returns `true` if there is a day that the expression matches.
    pub(crate) fn has_days(&self) -> bool {
        if self.requires_both_day_fields() {
            // In 400 years every date, the leap day included, falls on every weekday. So one date
            // that exists and one weekday are enough, whichever they are.
            let has = |month: u32| {
                let length = MONTH_LENGTHS[month as usize - 1];
                self.has_month(month) && self.day_of_month.values & bit_range(1, length) != 0
            };
            (1..=12).any(has) && self.day_of_week.values != 0
        } else {
            self.month.values != 0
        }
    }

    const fn has_month(&self, month: u32) -> bool {
        self.month.values >> month & 1 == 1
    }

    /// Returns the number of days that the expression matches in 400 years.
    pub(crate) fn days_in_cycle(&self) -> u64 {
        let mut month = Month { year: 2000, month: 1 };
        let mut days = 0;
        while month.year < 2400 {
            days += u64::from(self.days_in(month).count_ones());
            month = month.next();
        }
        days
    }

    /// Returns the days of a month that the expression matches, a bit for each from bit 1 on.
    pub(crate) fn days_in(&self, month: Month) -> u64 {
        if !self.has_month(month.month) {
            return 0;
        }
        let first = first_day(month);
        let length = u32::try_from(first_day(month.next()) - first).expect("at most 31");
        let first_weekday = weekday(first);
        let week = self.day_of_week.values;
        // The week rotated so that bit 0 is the weekday of the first.
        let week_from_first = (week >> first_weekday | week << (7 - first_weekday)) & 0x7F;
        // The factor has bits 0, 7, 14, 21 and 28 set, so the product is five copies of the week.
        // They do not overlap; the shift moves the first day to bit 1.
        let on_weekdays = (week_from_first * 0x1020_4081) << 1;
        let in_month = self.day_of_month.values;
        // Vixie's `find_jobs` tests both day fields if either has its star flag, and otherwise
        // takes a day that matches one of them.
        let days = if self.requires_both_day_fields() {
            in_month & on_weekdays
        } else {
            in_month | on_weekdays
        };
        days & bit_range(1, length)
    }

    /// Returns `true` if the expression matches a day, counted from 1970-01-01.
    pub(crate) fn has_day(&self, day: i64) -> bool {
        let (month, day_of_month) = month_and_day(day);
        self.days_in(month) >> day_of_month & 1 == 1
    }

    /// Returns the first minute in `from..end` that the expression matches.
    pub(crate) fn first_match(&self, from: LocalMinute, end: LocalMinute) -> Option<LocalMinute> {
        let (day, minute) = (from.div_euclid(DAY_MINUTES), from.rem_euclid(DAY_MINUTES));
        let (mut month, day_of_month) = month_and_day(day);
        let mut days = self.days_in(month) & bit_range(day_of_month, 63);
        // Only the first day is cut off by `from`; on any later one the first time is the earliest
        // of the day.
        if days >> day_of_month & 1 == 1 {
            if let Some(time) = self.first_time(minute) {
                return Some(day * DAY_MINUTES + time).filter(|found| *found < end);
            }
            days &= !(1 << day_of_month);
        }
        let time = self.first_time(0)?;
        loop {
            if days != 0 {
                let day = first_day(month) + i64::from(days.trailing_zeros()) - 1;
                return Some(day * DAY_MINUTES + time).filter(|found| *found < end);
            }
            month = month.next();
            if first_day(month) * DAY_MINUTES >= end {
                return None;
            }
            days = self.days_in(month);
        }
    }

    /// Calls `each` with the minutes in `from..end` that the expression matches, in order.
    pub(crate) fn each_match(
        &self,
        from: LocalMinute,
        end: LocalMinute,
        mut each: impl FnMut(LocalMinute),
    ) {
        if from >= end {
            return;
        }
        let (mut month, day_of_month) = month_and_day(from.div_euclid(DAY_MINUTES));
        let mut days = self.days_in(month) & bit_range(day_of_month, 63);
        loop {
            let before = first_day(month) - 1;
            if before * DAY_MINUTES >= end {
                return;
            }
            for day in set_bits(days) {
                let day = (before + i64::from(day)) * DAY_MINUTES;
                self.each_time(|time| {
                    let found = day + i64::from(time);
                    if (from..end).contains(&found) {
                        each(found);
                    }
                });
            }
            month = month.next();
            days = self.days_in(month);
        }
    }

    /// Calls `each` with the times of day that the expression matches, in order.
    pub(crate) fn each_time(&self, mut each: impl FnMut(u16)) {
        for hour in set_bits(self.hour.values) {
            for minute in set_bits(self.minute.values) {
                each(u16::try_from(hour * 60 + minute).expect("a minute of the day"));
            }
        }
    }

    /// Returns the last minute in `from..end` that the expression matches.
    pub(crate) fn last_match(&self, from: LocalMinute, end: LocalMinute) -> Option<LocalMinute> {
        let last = end - 1;
        let (day, minute) = (last.div_euclid(DAY_MINUTES), last.rem_euclid(DAY_MINUTES));
        let (mut month, day_of_month) = month_and_day(day);
        let mut days = self.days_in(month) & bit_range(0, day_of_month);
        if days >> day_of_month & 1 == 1 {
            if let Some(time) = self.last_time(minute) {
                return Some(day * DAY_MINUTES + time).filter(|found| *found >= from);
            }
            days &= !(1 << day_of_month);
        }
        let time = self.last_time(DAY_MINUTES - 1)?;
        loop {
            if days != 0 {
                let day = first_day(month) + i64::from(days.ilog2()) - 1;
                return Some(day * DAY_MINUTES + time).filter(|found| *found >= from);
            }
            if first_day(month) * DAY_MINUTES <= from {
                return None;
            }
            month = month.previous();
            days = self.days_in(month);
        }
    }

    /// Returns the first matching minute of the day from `minute` on.
    fn first_time(&self, minute: i64) -> Option<i64> {
        let (hour, minute) = hour_and_minute(minute);
        let hours = self.hour.values & bit_range(hour, 63);
        if hours >> hour & 1 == 1 {
            let minutes = self.minute.values & bit_range(minute, 63);
            if minutes != 0 {
                return Some(minute_of_day(hour, minutes.trailing_zeros()));
            }
        }
        let later = hours & !(1 << hour);
        (later != 0)
            .then(|| minute_of_day(later.trailing_zeros(), self.minute.values.trailing_zeros()))
    }

    /// Returns the last matching minute of the day up to `minute`.
    fn last_time(&self, minute: i64) -> Option<i64> {
        let (hour, minute) = hour_and_minute(minute);
        let hours = self.hour.values & bit_range(0, hour);
        if hours >> hour & 1 == 1 {
            let minutes = self.minute.values & bit_range(0, minute);
            if minutes != 0 {
                return Some(minute_of_day(hour, minutes.ilog2()));
            }
        }
        let earlier = hours & !(1 << hour);
        (earlier != 0).then(|| minute_of_day(earlier.ilog2(), self.minute.values.ilog2()))
    }

    /// Returns the number of matching minutes of the day in `from..end`.
    pub(crate) fn times_between(&self, from: i64, end: i64) -> u32 {
        let mut count = 0;
        let mut next = from;
        while let Some(time) = (next < end).then(|| self.first_time(next)).flatten()
            && time < end
        {
            count += 1;
            next = time + 1;
            if next == DAY_MINUTES {
                break;
            }
        }
        count
    }
}

/// Returns the hour and the minute of a minute of the day.
fn hour_and_minute(minute: i64) -> (u32, u32) {
    let minute = u32::try_from(minute).expect("a minute of the day");
    (minute / 60, minute % 60)
}

fn minute_of_day(hour: u32, minute: u32) -> i64 {
    i64::from(hour * 60 + minute)
}
