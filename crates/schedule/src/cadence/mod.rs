//! Schedules in words: "Every weekday at 8am ET".
//!
//! A sentence consists of days, months, times and the zone, in that order. It never says more than
//! the schedule does: days of the month that restart each month are listed and not called "every
//! 10 days", and what has no short phrase is listed plainly.

mod clock_changes;
mod clock_format;
mod days;
mod lists;
mod times;
mod zone_words;

use crate::cron::Cron;
use days::{DayPhrase, days};
use times::{Hours, TimePhrase, times};

pub use clock_changes::clock_change_notes;
pub use clock_format::ClockFormat;
pub(crate) use lists::listed;
pub(crate) use times::time_of_day;
pub(crate) use zone_words::{zone_of_words, zone_words};

/// Returns the schedule in words, with the zone of that IANA name.
///
/// The result is one line, and ASCII if the name of the zone is. The zone is left out where it
/// makes no difference: "Every 10 minutes".
pub fn cadence_text(cron: &Cron, zone: &str, clock: ClockFormat) -> String {
    capitalized(&sentence_in_zone(cron, zone, clock))
}

/// Returns what [`cadence_text`] returns, without the capital letter at its start.
pub(crate) fn sentence_in_zone(cron: &Cron, zone: &str, clock: ClockFormat) -> String {
    let (days, times) = (days(cron), times(cron, clock));
    let sentence = joined(&days, &times);
    match times.hours {
        Hours::Named => format!("{sentence} {}", zone_words(zone)),
        Hours::AllEvenly if days.is_every_day => sentence,
        Hours::All | Hours::AllEvenly => format!("{sentence} ({})", zone_words(zone)),
    }
}

/// Returns a schedule in words without a zone.
pub(crate) fn sentence(cron: &Cron, clock: ClockFormat) -> String {
    joined(&days(cron), &times(cron, clock))
}

fn joined(days: &DayPhrase, times: &TimePhrase) -> String {
    match (days.is_every_day && times.hours != Hours::Named, times.follows_at) {
        (true, true) => format!("at {}", times.text),
        (true, false) => times.text.clone(),
        (false, true) if days.has_comma => format!("{}, at {}", days.text, times.text),
        (false, true) => format!("{} at {}", days.text, times.text),
        (false, false) => format!("{}, {}", days.text, times.text),
    }
}

/// Returns a string with a capital letter at its start.
pub(crate) fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
