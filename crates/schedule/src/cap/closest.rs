//! The schedule within the cap that is closest to one above it.

use jiff::Timestamp;

use super::rejection::FIRES_PER_DAY_MAX;
use crate::calendar::set_bits;
use crate::cron::{Cron, Field, FieldName};
use crate::fires::Schedule;

impl Schedule {
    /// Returns the closest schedule within the cap; `None` if this one is within it, or never fires.
    ///
    /// It has the same days, and some of the same times: as many hours as possible, spread over all
    /// of them, and then as many minutes. `*` remains where clock changes allow it.
    pub fn closest_within_cap(&self, from: Timestamp) -> Option<Cron> {
        if self.peak(from)?.fires <= FIRES_PER_DAY_MAX {
            return None;
        }
        let Cron { minute, hour, .. } = self.cron;
        let hour_count = hour.values.count_ones().min(FIRES_PER_DAY_MAX);
        let minute_count = minute.values.count_ones().min(FIRES_PER_DAY_MAX / hour_count);
        let hours = spread(hour.values, hour_count, 24);
        let minutes = spread(minute.values, minute_count, 60);
        // With a star a clock change may repeat fires and exceed the cap; without one it cannot.
        let with_stars = Cron {
            minute: Field::with_star_of(minute, FieldName::Minute, minutes),
            hour: Field::with_star_of(hour, FieldName::Hour, hours),
            ..self.cron
        };
        let fixed = Cron {
            minute: Field { values: minutes, star: None },
            hour: Field { values: hours, star: None },
            ..self.cron
        };
        [with_stars, fixed].into_iter().find(|cron| {
            let schedule = Self { cron: *cron, zone: self.zone.clone() };
            schedule.peak(from).is_some_and(|peak| peak.fires <= FIRES_PER_DAY_MAX)
        })
    }
}

/// Returns `count` values of a set, spread as evenly as possible.
///
/// A set that covers the whole round, such as every hour, is divided into equal parts; of one with
/// a beginning and an end, such as 9 to 17, both remain.
fn spread(set: u64, count: u32, round: u32) -> u64 {
    let all: Vec<u32> = set_bits(set).collect();
    let (count, len) = (count as usize, all.len());
    let widest = all.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(round);
    let is_cyclic = all[0] + round - all[len - 1] <= widest;
    let (steps, parts) = if is_cyclic || count == 1 { (len, count) } else { (len - 1, count - 1) };
    // Each position is rounded to the nearest value. `len` steps make a whole round, so that the
    // last value is not next to the first one; `len - 1` steps end exactly at the last value.
    (0..count)
        .map(|index| (index * steps + parts / 2) / parts)
        .fold(0, |set, at| set | 1 << all[at])
}
