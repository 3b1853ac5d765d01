//! A schedule, its fires, and what all searches for them share.

use jiff::Timestamp;
use jiff::civil::DateTime;
use jiff::tz::{Offset, TimeZone};

use crate::cron::{Cron, JobKind};

/// The longest gap, in seconds, after which a fixed job is made up for: 3 hours.
///
/// Debian's cron takes a larger jump for a correction of the clock, and goes on from there.
pub(super) const CAUGHT_UP_SECONDS_MAX: i32 = 3 * 60 * 60;

/// One fire of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fire {
    /// The instant.
    pub at: Timestamp,
    /// Whether a clock change has moved or repeated it.
    pub timing: Timing,
}

/// Whether a clock change has moved or repeated a fire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Timing {
    /// It fires at the scheduled time.
    OnTime,
    /// The scheduled time does not exist on that day; this is the first minute after the gap.
    MovedFrom(DateTime),
    /// The clock shows the scheduled time for the second time, and it has fired the first time.
    Repeated,
}

/// A cron expression in a time zone.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The local times.
    pub cron: Cron,
    /// The time zone of these local times.
    pub zone: TimeZone,
}

impl Schedule {
    /// Returns `true` if the schedule fires again when the clock shows a time again.
    pub(crate) fn is_repeated_by_clock(&self) -> bool {
        self.cron.kind() == JobKind::Wildcard
    }

    /// Returns `true` if a fire that is skipped by this change of offset is made up for.
    pub(crate) fn is_caught_up(&self, before: Offset, after: Offset) -> bool {
        !self.is_repeated_by_clock() && after.seconds() - before.seconds() <= CAUGHT_UP_SECONDS_MAX
    }
}
