//! The schedule within the cap that is closest to one above it.

use jiff::Timestamp;

use super::cap::FIRES_PER_DAY_MAX;
use super::days::values;
use super::field::{Field, FieldName};
use super::{Cron, Schedule};

impl Schedule {
    /// The schedule closest to this one that never fires more often than the cap allows; none when
    /// this one keeps within it, or never fires.
    ///
    /// It has the same days, and some of the same times: as many hours as may be, spread over all
    /// of them, and then as many minutes. `*` stays where clock changes allow it.
    pub fn closest_within_cap(&self, from: Timestamp) -> Option<Cron> {
        if self.peak(from)?.fires <= FIRES_PER_DAY_MAX {
            return None;
        }
        let Cron { minute, hour, .. } = self.cron;
        let hour_count = hour.values.count_ones().min(FIRES_PER_DAY_MAX);
        let minute_count = minute.values.count_ones().min(FIRES_PER_DAY_MAX / hour_count);
        let hours = spread(hour.values, hour_count, 24);
        let minutes = spread(minute.values, minute_count, 60);
        let with_stars = Cron {
            minute: Field::like(minute, FieldName::Minute, minutes),
            hour: Field::like(hour, FieldName::Hour, hours),
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

/// So many values of a set, as evenly as they can be.
///
/// A set that goes all the way round, such as every hour, is divided into equal parts; of one that
/// has a beginning and an end, such as 9 to 17, both are kept.
fn spread(set: u64, count: u32, round: u32) -> u64 {
    let all: Vec<u32> = values(set).collect();
    let (count, len) = (count as usize, all.len());
    let widest = all.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(round);
    let goes_round = all[0] + round - all[len - 1] <= widest;
    let (steps, parts) = if goes_round || count == 1 { (len, count) } else { (len - 1, count - 1) };
    // Rounded to the nearest one; the last of a round may not come to the first again.
    (0..count)
        .map(|index| (index * steps + parts / 2) / parts)
        .fold(0, |set, at| set | 1 << all[at])
}
