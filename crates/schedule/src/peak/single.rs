//! The most fires of one schedule in 24 hours, and their average number.
//!
//! The window is 24 hours of wall clock. A fire counts at its scheduled time, also when a clock
//! change moves it, and a fire that a clock change repeats counts once more. Every matching day
//! has the same times, so the most fires of any window are those of one such day, and of one on
//! which the clock repeats some of them.

use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;

use crate::calendar::{CYCLE_DAYS, DAY_MINUTES};
use crate::cron::{Cron, JobKind};
use crate::fires::{Schedule, to_datetime};

/// The number of years of clock changes that are considered: all combinations of dates and
/// weekdays.
const YEARS: i64 = 400;

/// The most fires in any 24 hours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peak {
    /// The number of fires.
    pub fires: u32,
    /// The first day with so many.
    pub day: Date,
    /// The number of them that are repeated because the clock is set back.
    pub repeated: u32,
}

impl Schedule {
    /// Returns the most fires in any 24 hours from an instant on; `None` if the schedule never fires.
    pub fn peak(&self, from: Timestamp) -> Option<Peak> {
        let first = self.next(from)?;
        let day = self.zone.to_datetime(first.at).date();
        let every_day = Peak { fires: self.cron.times_per_day(), day, repeated: 0 };
        if self.cron.kind() == JobKind::Fixed {
            return Some(every_day);
        }
        let repeats = self
            .repeats_from(from)
            .fold((0, day), |most, repeat| if repeat.0 > most.0 { repeat } else { most });
        Some(match repeats {
            (0, _) => every_day,
            (repeated, day) => Peak { fires: every_day.fires + repeated, day, repeated },
        })
    }

    /// Returns, for each time that the clock is set back, the number of repeated fires and the day.
    fn repeats_from(&self, from: Timestamp) -> impl Iterator<Item = (u32, Date)> {
        let end = from.as_second() + YEARS * 366 * DAY_MINUTES * 60;
        let mut before = self.zone.to_offset(from);
        self.zone
            .following(from)
            .take_while(move |change| change.timestamp().as_second() < end)
            .filter_map(move |change| {
                let first = std::mem::replace(&mut before, change.offset());
                self.repeated_at(change.timestamp(), first, change.offset())
            })
    }

    /// Returns the number of fires that a clock change repeats, and the day.
    fn repeated_at(&self, change: Timestamp, first: Offset, second: Offset) -> Option<(u32, Date)> {
        let minute =
            |offset: Offset| (change.as_second() + i64::from(offset.seconds()) + 59).div_euclid(60);
        // These local minutes come twice. There are none when the clock is set forward.
        let (start, end) = (minute(second), minute(first));
        let mut count = 0;
        let mut from = start;
        while from < end {
            let day = from.div_euclid(DAY_MINUTES);
            let until = end.min((day + 1) * DAY_MINUTES);
            if self.cron.has_day(day) {
                let of_day = |minute: i64| minute - day * DAY_MINUTES;
                count += self.cron.times_between(of_day(from), of_day(until));
            }
            from = until;
        }
        let day = to_datetime(start)?.date();
        (count > 0).then_some((count, day))
    }
}

impl Cron {
    /// Returns the average number of fires a day, over 400 years without clock changes.
    #[expect(clippy::cast_precision_loss, reason = "a few hundred million fires are exact")]
    pub fn average_per_day(&self) -> f64 {
        let days = self.days_in_cycle();
        (days * u64::from(self.times_per_day())) as f64 / CYCLE_DAYS as f64
    }
}
