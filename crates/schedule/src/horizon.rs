//! The time span in which fires are compared one by one.

use jiff::{SignedDuration, Timestamp};

use crate::fires::Schedule;

/// How long fires are compared one by one: a year.
const HORIZON: SignedDuration = SignedDuration::from_hours(366 * 24);
/// The most fires that are compared one by one, of all schedules together. The horizon is
/// shorter when a year would have more; 2,700 schedules with four fires a day have fewer.
const FIRES_MAX: i64 = 4_000_000;

/// A time span in which the fires of schedules are compared one by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Horizon {
    /// The instant after which it begins.
    pub after: Timestamp,
    /// The last instant.
    pub until: Timestamp,
}

impl Horizon {
    /// Returns the next year, or its beginning if the year has too many fires.
    pub(crate) fn new(schedules: &[Schedule], after: Timestamp) -> Self {
        let times = schedules.iter().map(|schedule| i64::from(schedule.cron.times_per_day()));
        let per_day: i64 = times.sum();
        let seconds = (FIRES_MAX * 24 * 60 * 60) / per_day.max(1);
        let length = HORIZON.min(SignedDuration::from_secs(seconds));
        Self { after, until: after.checked_add(length).unwrap_or(Timestamp::MAX) }
    }
}
