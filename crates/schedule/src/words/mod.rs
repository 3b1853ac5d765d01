//! A schedule in words: "Every weekday at 8am ET".
//!
//! A sentence is made of days, months, times and the zone, in that order. It never says more than
//! the schedule does: days of the month that start again each month are listed and not called
//! "every 10 days", and what has no short phrase is listed plainly.

mod days;
mod lists;
mod times;

use super::Cron;
use super::zones::zone_words;
use days::days;
use times::{Hours, times};

pub(super) use lists::listed;
pub(super) use times::time_of_day;

/// How times of the day are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Clock {
    /// `8am`, `8:30pm`, `noon`.
    #[default]
    Twelve,
    /// `08:00`, `20:30`.
    TwentyFour,
}

/// The schedule in words, with the zone of that IANA name.
///
/// The text is one line, and ASCII if the name of the zone is. The zone is left out where it
/// makes no difference: "Every 10 minutes".
pub fn cadence_text(cron: &Cron, zone: &str, clock: Clock) -> String {
    let days = days(cron);
    let times = times(cron, clock);
    let sentence = match (days.is_every_day && times.hours != Hours::Named, times.follows_at) {
        (true, true) => format!("at {}", times.text),
        (true, false) => times.text,
        (false, true) if days.has_comma => format!("{}, at {}", days.text, times.text),
        (false, true) => format!("{} at {}", days.text, times.text),
        (false, false) => format!("{}, {}", days.text, times.text),
    };
    let zone = match times.hours {
        Hours::Named => format!(" {}", zone_words(zone)),
        Hours::AllEvenly if days.is_every_day => String::new(),
        Hours::All | Hours::AllEvenly => format!(" ({})", zone_words(zone)),
    };
    format!("{}{zone}", capitalized(&sentence))
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
