//! Schedules as people write them: five fields of cron, a nickname such as `@daily`, or words such
//! as "every weekday at 7:30pm".
//!
//! The words are those that [`cadence_text`](crate::cadence_text) writes, and what people write
//! instead of them. A schedule in words has the days and the times of day of the expression that
//! it was written from. A list of times is fixed and "every 10 minutes" follows the clock on the
//! wall when the clocks are changed, because words do not tell `0 */6 * * *` from
//! `0 0,6,12,18 * * *`.
//!
//! Nothing is guessed: a time such as "at 7" has two meanings, which the error names.

mod clock;
mod cursor;
mod days;
mod error;
mod every;
mod grammar;
mod hints;
mod lexer;
mod phrase;
mod times;
mod vocabulary;
mod zone_name;

use crate::cron::{CRON_BYTES_MAX, Cron, nickname_meaning};
use dibber_text::{Span, message, quote};
use grammar::Grammar;

pub use error::ScheduleTextError;

/// A schedule as a person wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduleText {
    /// The schedule.
    pub cron: Cron,
    /// Its five fields: those that were written, or else those of the words.
    pub expression: String,
    /// The IANA name of the time zone that the words end with.
    pub zone: Option<String>,
}

impl ScheduleText {
    /// Parses five fields of cron, a nickname, or words.
    ///
    /// # Errors
    /// The first error, at its characters, with what to write there. For an ambiguous part it has
    /// the readings.
    pub fn parse(text: &str) -> Result<Self, ScheduleTextError> {
        let fields = Cron::parse(text);
        if let Ok(cron) = fields {
            return Ok(Self { cron, expression: text.to_owned(), zone: None });
        }
        if let Some(expression) = nickname_meaning(text.trim()) {
            let cron = Cron::parse(expression)?;
            return Ok(Self { cron, expression: expression.to_owned(), zone: None });
        }
        match fields {
            _ if text.trim().is_empty() => {
                let help = "write `every day at 7:30pm`, `weekdays at 8am`, or five fields: \
                            `0 8 * * 1-5`";
                Err(ScheduleTextError::new(Span::empty(0), "the schedule is empty", help))
            }
            Err(error) if is_meant_as_fields(text) => Err(error.into()),
            _ if text.len() > CRON_BYTES_MAX => {
                let message = message!["a schedule has at most ", CRON_BYTES_MAX, " bytes"];
                let help = "write it in a few words, such as `every day at 7:30pm`";
                Err(ScheduleTextError::new(Span::new(0, text.len()), message, help))
            }
            _ => {
                let (cron, zone) =
                    Grammar::parse(text).map_err(|error| with_corrected(error, text))?;
                Ok(Self { cron, expression: cron.normalized(), zone })
            }
        }
    }
}

/// The time that is offered for a schedule without one.
const EXAMPLE_TIME: &str = "at 7:30pm";
/// The times that are offered for parts of the day.
const TIMES_OF_PARTS: [(&str, &str); 2] = [("morning", "at 8am"), ("afternoon", "at 2pm")];

/// Returns an error about a misspelled word with the whole schedule as it was probably meant, if
/// nothing else is wrong with that.
fn with_corrected(error: ScheduleTextError, text: &str) -> ScheduleTextError {
    let is_valid = |text: &String| ScheduleText::parse(text).is_ok();
    let with_time = |text: &String| {
        let of_part = TIMES_OF_PARTS.iter().find(|(part, _)| text.contains(part));
        format!("{text} {}", of_part.map_or(EXAMPLE_TIME, |(_, time)| *time))
    };
    let corrected = error.corrected(text);
    let with_time = corrected.as_ref().map(with_time);
    match corrected.into_iter().chain(with_time).find(is_valid) {
        Some(corrected) => {
            let help = message!["did you mean `", quote(corrected.trim()), "`?"];
            error.with_help(help)
        }
        None => error,
    }
}

/// Returns `true` if a schedule that is not valid in five fields was meant to have them.
fn is_meant_as_fields(text: &str) -> bool {
    let words: Vec<&str> = text.split_whitespace().collect();
    let is_field = |word: &str| word.bytes().all(|b| b.is_ascii_digit() || b",-/".contains(&b));
    let is_of_words = |word: &str| vocabulary::is_of_words_only(&word.to_lowercase());
    match words[..] {
        [] => true,
        [first, ..] if first.starts_with('@') || text.contains(['*', '?', '#', '=']) => true,
        [first] => is_field(first) && first.contains([',', '-', '/']),
        [first, second, ..] => {
            let has_words = text.split(|c: char| !c.is_alphabetic()).any(is_of_words);
            is_field(first) && is_field(second) && !has_words && !text.contains(':')
        }
    }
}
