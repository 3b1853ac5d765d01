//! Whether a schedule can be one: five fields of cron, the runs of a day, the form of a zone.

use super::{Fault, Schedule};
use crate::text::shorten;

/// The most runs within 24 hours.
const RUNS_MAX: u32 = 4;

const MONTHS: [&str; 12] =
    ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
const DAYS: [&str; 7] = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/// One of the five fields.
struct Field {
    what: &'static str,
    min: u8,
    max: u8,
    /// The words that stand for numbers, from `min` on.
    words: &'static [&'static str],
}

const FIELDS: [Field; 5] = [
    Field { what: "minutes", min: 0, max: 59, words: &[] },
    Field { what: "hours", min: 0, max: 23, words: &[] },
    Field { what: "days of the month", min: 1, max: 31, words: &[] },
    Field { what: "months", min: 1, max: 12, words: &MONTHS },
    Field { what: "days of the week", min: 0, max: 7, words: &DAYS },
];

/// What is wrong with a schedule.
pub(super) fn faults(schedule: &Schedule) -> Vec<Fault> {
    let mut faults: Vec<Fault> = cron_fault(&schedule.cron).into_iter().collect();
    if let Some(zone) = schedule.time_zone.as_deref().filter(|zone| !is_zone_name(zone)) {
        let message = format!("`{}` is not the name of a time zone", shorten(zone));
        faults.push(Fault::new(message, "write a continent and a city: `Europe/Berlin`"));
    }
    faults
}

fn cron_fault(cron: &str) -> Option<Fault> {
    let texts: Vec<&str> = cron.split_whitespace().collect();
    if texts.len() != FIELDS.len() {
        let message = format!("`{}` has not the five fields of a schedule", shorten(cron));
        let help = "write minute, hour, day of the month, month and day of the week: \
                    `0 8 * * 1-5` is every weekday at 8 in the morning";
        return Some(Fault::new(message, help));
    }
    let mut counts = Vec::new();
    for (field, text) in FIELDS.iter().zip(texts) {
        let Some(values) = field.values(text) else {
            let message = format!("`{}` says nothing about {}", shorten(text), field.what);
            let help = format!(
                "write `*` for all, or numbers from {} to {}: `3`, `1-5`, `1,3`, `*/2`",
                field.min, field.max
            );
            return Some(Fault::new(message, help));
        };
        counts.push(values.count_ones());
    }
    let runs = counts[0] * counts[1];
    (runs > RUNS_MAX).then(|| {
        let message = format!("the schedule runs {runs} times a day; {RUNS_MAX} times is the most");
        Fault::new(message, "name the minute and at most four hours: `0 7,12,17,20 * * *`")
    })
}

impl Field {
    /// The values that a text stands for, as a set of bits.
    fn values(&self, text: &str) -> Option<u64> {
        let mut values = 0_u64;
        for item in text.split(',') {
            let (range, step) = match item.split_once('/') {
                Some((range, step)) => (range, Some(number(step).filter(|step| *step > 0)?)),
                None => (item, None),
            };
            let (first, last) = match range.split_once('-') {
                _ if range == "*" => (self.min, self.max),
                Some((first, last)) => (self.value(first)?, self.value(last)?),
                None if step.is_some() => (self.value(range)?, self.max),
                None => (self.value(range)?, self.value(range)?),
            };
            let steps = (first..=last).step_by(usize::from(step.unwrap_or(1)));
            values |= steps.fold(0, |bits, value| bits | (1 << value));
            if first > last {
                return None;
            }
        }
        Some(values)
    }

    fn value(&self, text: &str) -> Option<u8> {
        let word = (self.min..).zip(self.words).find(|(_, word)| text.eq_ignore_ascii_case(word));
        let value = word.map(|(value, _)| value).or_else(|| number(text))?;
        (self.min..=self.max).contains(&value).then_some(value)
    }
}

fn number(text: &str) -> Option<u8> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok()).flatten()
}

fn is_zone_name(zone: &str) -> bool {
    let is_part = |part: &str| {
        part.starts_with(|c: char| c.is_ascii_alphabetic())
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-+".contains(&byte))
    };
    (zone.contains('/') || zone == "UTC") && zone.split('/').all(is_part)
}
