//! The instants at which a schedule fires in a time zone.
//!
//! The rules for clock changes are those of Debian's cron (crontab(5), "Daylight Saving Time and
//! other time changes"): a fixed job whose time is skipped fires at the first minute after the
//! gap, and one whose time is repeated fires the first time only; a wildcard job follows the wall
//! clock.

mod local;
mod offset_period;
mod schedule;
mod search;

pub(crate) use local::{ceil_minute, floor_minute, local_second, to_datetime};
pub(crate) use offset_period::{OffsetPeriod, offset_periods};
pub use schedule::{Fire, Schedule, Timing};
