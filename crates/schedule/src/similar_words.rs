//! Words for a schedule that are similar to those a person wrote for another one.

use crate::cadence::{ClockFormat, capitalized, sentence, sentence_in_zone};
use crate::cron::Cron;
use crate::words::ScheduleText;

/// The words of a clock with twelve hours.
const TWELVE_HOURS: [&str; 4] = ["am", "pm", "noon", "midnight"];

/// Returns words for a schedule as another one is `written`: with its clock, and with a time zone
/// if that has one. `None` if that is not written in words, or if the words for the schedule mean
/// something else.
pub fn words_like(written: &str, cron: &Cron, zone: &str) -> Option<String> {
    let is_in_words = Cron::parse(written).is_err() && !written.trim_start().starts_with('@');
    let before = ScheduleText::parse(written).ok().filter(|_| is_in_words)?;
    let clock = clock_of(written);
    let names_zone = before.zone.is_some();
    let mut words =
        if names_zone { sentence_in_zone(cron, zone, clock) } else { sentence(cron, clock) };
    if written.trim_start().starts_with(char::is_uppercase) {
        words = capitalized(&words);
    }
    let after = ScheduleText::parse(&words).ok()?;
    let zone = names_zone.then_some(zone);
    (after.cron == *cron && after.zone.as_deref() == zone).then_some(words)
}

fn clock_of(written: &str) -> ClockFormat {
    let lower = written.to_lowercase();
    let mut words = lower.split(|c: char| !c.is_alphabetic());
    let has_twelve_hours = words.any(|word| TWELVE_HOURS.contains(&word));
    if lower.contains(':') && !has_twelve_hours {
        ClockFormat::TwentyFour
    } else {
        ClockFormat::Twelve
    }
}
