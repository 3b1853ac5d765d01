//! The days and minutes that a schedule matches, on a calendar without clock changes.

use super::Cron;

/// The minutes of a day.
pub(super) const DAY_MINUTES: i64 = 24 * 60;

/// A minute of a local calendar, counted from 1970-01-01 00:00.
pub(super) type LocalMinute = i64;

/// A month of the proleptic Gregorian calendar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Month {
    pub(super) year: i64,
    /// From 1.
    pub(super) month: u32,
}

/// The days from 1970-01-01 to the first of a month.
///
/// Years are counted from March, so that the leap day is the last of its year; then the days
/// before a month follow from its number alone.
pub(super) const fn days_to(Month { year, month }: Month) -> i64 {
    let year = if month <= 2 { year - 1 } else { year };
    let since_march = ((month + 9) % 12) as i64;
    let before_month = (153 * since_march + 2) / 5;
    365 * year + year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400) + before_month
        - 719_468
}

/// The month and the day of the month, from 1, of a day since 1970-01-01.
pub(super) fn month_of(day: i64) -> (Month, u32) {
    // The mean length of a year gives one that is right or one too late.
    let mut year = (day * 400).div_euclid(146_097) + 1970;
    while days_to(Month { year, month: 1 }) > day {
        year -= 1;
    }
    while days_to(Month { year: year + 1, month: 1 }) <= day {
        year += 1;
    }
    let day_of_year = day - days_to(Month { year, month: 1 });
    let mut month = u32::try_from(day_of_year / 31).expect("less than twelve") + 1;
    if month < 12 && days_to(Month { year, month: month + 1 }) <= day {
        month += 1;
    }
    let first = days_to(Month { year, month });
    (Month { year, month }, u32::try_from(day - first).expect("less than 31") + 1)
}

impl Month {
    const fn next(self) -> Self {
        match self.month {
            12 => Self { year: self.year + 1, month: 1 },
            month => Self { month: month + 1, ..self },
        }
    }

    const fn previous(self) -> Self {
        match self.month {
            1 => Self { year: self.year - 1, month: 12 },
            month => Self { month: month - 1, ..self },
        }
    }
}

/// The days of a February with a leap day, and of every other month.
const LENGTHS: [u32; 12] = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

impl Cron {
    /// Tells whether there is a day that it matches. In 400 years every date but the leap day
    /// falls on every weekday, and the leap day does too; so a date that exists is enough.
    pub(super) fn has_days(&self) -> bool {
        if self.days_are_joined() {
            let has = |month: u32| {
                let length = LENGTHS[month as usize - 1];
                self.has_month(month) && self.day_of_month.values & bits(1, length) != 0
            };
            (1..=12).any(has) && self.day_of_week.values != 0
        } else {
            self.month.values != 0
        }
    }

    /// Tells whether a day must match both day fields.
    pub(super) const fn days_are_joined(&self) -> bool {
        self.day_of_month.star.is_some() || self.day_of_week.star.is_some()
    }

    const fn has_month(&self, month: u32) -> bool {
        self.month.values >> month & 1 == 1
    }

    /// Counts the days that it matches in 400 years, after which the calendar repeats.
    pub(super) fn days_in_cycle(&self) -> u64 {
        let mut month = Month { year: 2000, month: 1 };
        let mut days = 0;
        while month.year < 2400 {
            days += u64::from(self.days_in(month).count_ones());
            month = month.next();
        }
        days
    }

    /// The days of a month that it matches, a bit for each from bit 1 on.
    pub(super) fn days_in(&self, month: Month) -> u64 {
        if !self.has_month(month.month) {
            return 0;
        }
        let first = days_to(month);
        let length = u32::try_from(days_to(month.next()) - first).expect("at most 31");
        // 1970-01-01 was a Thursday.
        let first_weekday = (first + 4).rem_euclid(7);
        let week = self.day_of_week.values;
        let week_from_first = (week >> first_weekday | week << (7 - first_weekday)) & 0x7F;
        // Five copies of the week, seven bits apart, the first day at bit 1.
        let on_weekdays = (week_from_first * 0x1020_4081) << 1;
        let in_month = self.day_of_month.values;
        let days =
            if self.days_are_joined() { in_month & on_weekdays } else { in_month | on_weekdays };
        days & bits(1, length)
    }

    /// Tells whether it matches a day since 1970-01-01.
    pub(super) fn has_day(&self, day: i64) -> bool {
        let (month, day_of_month) = month_of(day);
        self.days_in(month) >> day_of_month & 1 == 1
    }

    /// The first minute that it matches, from `from` on and before `end`.
    pub(super) fn first_match(&self, from: LocalMinute, end: LocalMinute) -> Option<LocalMinute> {
        let (day, minute) = (from.div_euclid(DAY_MINUTES), from.rem_euclid(DAY_MINUTES));
        let (mut month, day_of_month) = month_of(day);
        let mut days = self.days_in(month) & bits(day_of_month, 63);
        if days >> day_of_month & 1 == 1 {
            if let Some(time) = self.first_time(minute) {
                return Some(day * DAY_MINUTES + time).filter(|found| *found < end);
            }
            days &= !(1 << day_of_month);
        }
        let time = self.first_time(0)?;
        loop {
            if days != 0 {
                let day = days_to(month) + i64::from(days.trailing_zeros()) - 1;
                return Some(day * DAY_MINUTES + time).filter(|found| *found < end);
            }
            month = month.next();
            if days_to(month) * DAY_MINUTES >= end {
                return None;
            }
            days = self.days_in(month);
        }
    }

    /// Calls `each` with the minutes that it matches, from `from` on and before `end`, in order.
    pub(super) fn each_match(
        &self,
        from: LocalMinute,
        end: LocalMinute,
        mut each: impl FnMut(LocalMinute),
    ) {
        if from >= end {
            return;
        }
        let (mut month, day_of_month) = month_of(from.div_euclid(DAY_MINUTES));
        let mut days = self.days_in(month) & bits(day_of_month, 63);
        loop {
            let before = days_to(month) - 1;
            if before * DAY_MINUTES >= end {
                return;
            }
            for day in values(days) {
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

    /// Calls `each` with the times that it has, as minutes of the day, in order.
    pub(super) fn each_time(&self, mut each: impl FnMut(u16)) {
        for hour in values(self.hour.values) {
            for minute in values(self.minute.values) {
                each(u16::try_from(hour * 60 + minute).expect("a minute of the day"));
            }
        }
    }

    /// The last minute that it matches, before `end` and from `from` on.
    pub(super) fn last_match(&self, from: LocalMinute, end: LocalMinute) -> Option<LocalMinute> {
        let last = end - 1;
        let (day, minute) = (last.div_euclid(DAY_MINUTES), last.rem_euclid(DAY_MINUTES));
        let (mut month, day_of_month) = month_of(day);
        let mut days = self.days_in(month) & bits(0, day_of_month);
        if days >> day_of_month & 1 == 1 {
            if let Some(time) = self.last_time(minute) {
                return Some(day * DAY_MINUTES + time).filter(|found| *found >= from);
            }
            days &= !(1 << day_of_month);
        }
        let time = self.last_time(DAY_MINUTES - 1)?;
        loop {
            if days != 0 {
                let day = days_to(month) + i64::from(days.ilog2()) - 1;
                return Some(day * DAY_MINUTES + time).filter(|found| *found >= from);
            }
            if days_to(month) * DAY_MINUTES <= from {
                return None;
            }
            month = month.previous();
            days = self.days_in(month);
        }
    }

    /// The first time of the day that it has, as a minute of the day, from `minute` on.
    fn first_time(&self, minute: i64) -> Option<i64> {
        let (hour, minute) = parts(minute);
        let hours = self.hour.values & bits(hour, 63);
        if hours >> hour & 1 == 1 {
            let minutes = self.minute.values & bits(minute, 63);
            if minutes != 0 {
                return Some(time(hour, minutes.trailing_zeros()));
            }
        }
        let later = hours & !(1 << hour);
        (later != 0).then(|| time(later.trailing_zeros(), self.minute.values.trailing_zeros()))
    }

    /// The last time of the day that it has, as a minute of the day, up to `minute`.
    fn last_time(&self, minute: i64) -> Option<i64> {
        let (hour, minute) = parts(minute);
        let hours = self.hour.values & bits(0, hour);
        if hours >> hour & 1 == 1 {
            let minutes = self.minute.values & bits(0, minute);
            if minutes != 0 {
                return Some(time(hour, minutes.ilog2()));
            }
        }
        let earlier = hours & !(1 << hour);
        (earlier != 0).then(|| time(earlier.ilog2(), self.minute.values.ilog2()))
    }

    /// Counts the times of day from the minute `from` on and before `end`, both of one day.
    pub(super) fn times_between(&self, from: i64, end: i64) -> u32 {
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

/// The bits from `first` to `last`.
const fn bits(first: u32, last: u32) -> u64 {
    u64::MAX >> (63 - last) & u64::MAX << first
}

/// The values of a set, in order.
pub(super) fn values(mut set: u64) -> impl Iterator<Item = u32> {
    std::iter::from_fn(move || {
        let first = (set != 0).then(|| set.trailing_zeros())?;
        set &= set - 1;
        Some(first)
    })
}

/// The hour and the minute of a minute of the day.
fn parts(minute: i64) -> (u32, u32) {
    let minute = u32::try_from(minute).expect("a minute of the day");
    (minute / 60, minute % 60)
}

fn time(hour: u32, minute: u32) -> i64 {
    i64::from(hour * 60 + minute)
}
