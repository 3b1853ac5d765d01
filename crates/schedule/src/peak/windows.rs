//! The windows of 24 hours of a calendar, for several schedules.

use std::collections::HashMap;
use std::ops::ControlFlow;

use super::single::Peak;
use crate::calendar::{
    CYCLE_DAYS, DAY_MINUTES, EVERY_KIND_OF_YEAR, MINUTES_OF_DAY, Month, first_day, month_and_day,
};
use crate::cron::Cron;
use crate::fires::to_datetime;

/// The windows of 24 hours that begin on a day, on a calendar without clock changes.
///
/// Their fires depend only on which schedules match that day and the next one, so days alike are
/// counted once.
pub(super) struct Windows<'a> {
    crons: &'a [Cron],
    /// The most fires by the schedules that match: a bit for each that matches the day, and then a
    /// bit for each that matches the next day.
    known: HashMap<Vec<u64>, u32>,
}

impl<'a> Windows<'a> {
    pub(super) fn new(crons: &'a [Cron]) -> Self {
        Self { crons, known: HashMap::new() }
    }

    /// Returns the most fires of any window, and the first day from `today` on with so many.
    pub(super) fn first_best(mut self, today: i64) -> Option<Peak> {
        let bound: u32 = self.crons.iter().map(Cron::times_per_day).sum();
        let [start, end] = [EVERY_KIND_OF_YEAR.start, EVERY_KIND_OF_YEAR.end]
            .map(|year| first_day(Month { year, month: 1 }));
        // Two passes, because the first day may be far away while the most is known sooner: these
        // years have every pair of consecutive days that a calendar can have.
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

    /// Calls `each` with the days in `start..end` and the most fires of a window that begins on each.
    fn each_day<T>(
        &mut self,
        start: i64,
        end: i64,
        mut each: impl FnMut(i64, u32) -> ControlFlow<T>,
    ) -> ControlFlow<T> {
        let words = self.crons.len().div_ceil(64);
        let mut days: Vec<u64> = Vec::new();
        // The schedules that match a day, and in the second half those that match the next day.
        let mut matching = vec![0_u64; 2 * words];
        for day in start..=end {
            let (month, day_of_month) = month_and_day(day);
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

    /// Returns the most fires of a window, given the schedules that match its day and the next one.
    fn most(&mut self, matching: &[u64]) -> u32 {
        if let Some(known) = self.known.get(matching) {
            return *known;
        }
        let (today, tomorrow) = matching.split_at(matching.len() / 2);
        let has = |words: &[u64], index: usize| words[index / 64] >> (index % 64) & 1 == 1;
        let mut gained = [0_i64; MINUTES_OF_DAY];
        let mut fires = 0_i64;
        for (index, cron) in self.crons.iter().enumerate() {
            let (today, tomorrow) = (has(today, index), has(tomorrow, index));
            fires += if today { i64::from(cron.times_per_day()) } else { 0 };
            // A window that begins after a time loses that of today and gains that of tomorrow.
            let change = i64::from(tomorrow) - i64::from(today);
            cron.each_time(|time| gained[usize::from(time)] += change);
        }
        let mut most = fires;
        // A window that begins after the last minute is the first window of the next day.
        for change in &gained[..gained.len() - 1] {
            fires += change;
            most = most.max(fires);
        }
        let most = u32::try_from(most).expect("fires of two days");
        self.known.insert(matching.to_vec(), most);
        most
    }
}
