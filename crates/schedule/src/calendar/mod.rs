//! The days and minutes that an expression matches, on a calendar without time zones.
//!
//! A day is counted from 1970-01-01, and a minute from the midnight at which that day begins. The
//! clock of this calendar never changes.

mod bits;
mod day_set;
mod matches;
mod month;
mod time_set;

pub(crate) use bits::set_bits;
pub(crate) use day_set::DaySet;
pub(crate) use month::{
    CYCLE_DAYS, DAY_MINUTES, EVERY_KIND_OF_YEAR, LocalMinute, MINUTES_OF_DAY, MONTH_LENGTHS, Month,
    first_day, month_and_day,
};
pub(crate) use time_set::TimeSet;
