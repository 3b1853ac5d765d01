//! When a skill runs by itself: days to choose from with a time, or a whole schedule in words.

use crate::cli::error::CommandError;
use crate::cli::term::answer_line::item_of;
use dibber_schedule::{ScheduleText, ScheduleTextError};

/// The days to choose from; the first is for a skill that does not run by itself.
pub(super) const RHYTHMS: [&str; 12] = [
    NEVER,
    "every day",
    "every weekday",
    "every weekend",
    "every Monday",
    "every Tuesday",
    "every Wednesday",
    "every Thursday",
    "every Friday",
    "every Saturday",
    "every Sunday",
    "on the first day of each month",
];

/// The time that is offered.
const TIME_DEFAULT: &str = "7:30pm";
/// The times that are offered for parts of the day.
const TIMES: [(&str, &str); 2] = [("morning", "8am"), ("afternoon", "2pm")];

/// The answer for a skill without a schedule.
pub(in crate::cli) const NEVER: &str = "never, only on request";
/// What else people answer to mean that.
const NEVER_WORDS: [&str; 4] = ["no", "never", "none", "not at all"];

/// Parses an answer about the days: one of [`RHYTHMS`], or a schedule with a time.
pub(super) fn parse_rhythm(typed: &str) -> Result<String, CommandError> {
    if is_never(typed) {
        return Ok(NEVER.to_owned());
    }
    if let Some(index) = item_of(typed, &RHYTHMS.map(str::to_owned)) {
        return Ok(RHYTHMS[index].to_owned());
    }
    match ScheduleText::parse(typed) {
        Err(error) if default_time(typed).is_none() => Err(command_error(error)),
        _ => Ok(typed.to_owned()),
    }
}

/// Returns a time that makes a schedule of days without one, such as `every night`.
pub(super) fn default_time(rhythm: &str) -> Option<&'static str> {
    let rhythm = rhythm.to_lowercase();
    let of_part = TIMES.iter().find(|(part, _)| rhythm.contains(part));
    let time = of_part.map_or(TIME_DEFAULT, |(_, time)| *time);
    ScheduleText::parse(&format!("{rhythm} at {time}")).is_ok().then_some(time)
}

/// Returns `true` for an answer that means that a skill does not run by itself.
pub(in crate::cli) fn is_never(typed: &str) -> bool {
    typed == NEVER || NEVER_WORDS.iter().any(|word| word.eq_ignore_ascii_case(typed.trim()))
}

/// Parses a schedule with its time, in words or in five fields.
pub(in crate::cli) fn parse_whole(typed: &str) -> Result<ScheduleText, CommandError> {
    ScheduleText::parse(typed).map_err(command_error)
}

/// Returns `true` if an answer about the days needs a time.
pub(super) fn needs_time(rhythm: &str) -> bool {
    let is_without_time = || ScheduleText::parse(rhythm).is_err() && default_time(rhythm).is_some();
    rhythm != NEVER && (RHYTHMS.contains(&rhythm) || is_without_time())
}

/// Returns the schedule of the answers about the days and the time.
pub(super) fn parse_schedule(rhythm: &str, time: &str) -> Result<ScheduleText, CommandError> {
    let time = time.trim().trim_start_matches("at ");
    let text = if needs_time(rhythm) { format!("{rhythm} at {time}") } else { rhythm.to_owned() };
    ScheduleText::parse(&text).map_err(command_error)
}

fn command_error(error: ScheduleTextError) -> CommandError {
    let help = error.help();
    let shown = CommandError::new(error.message);
    match help {
        Some(help) => shown.help(help),
        None => shown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_days_are_schedules_with_any_time() {
        for rhythm in &RHYTHMS[1..] {
            for time in ["7:30pm", "19:30", "noon", "at 8am"] {
                assert!(parse_schedule(rhythm, time).is_ok(), "{rhythm} at {time}");
            }
        }
    }

    #[test]
    fn days_are_numbers_or_words_and_may_have_a_time() {
        let kept = |typed| parse_rhythm(typed).ok();
        assert_eq!(kept("2").as_deref(), Some("every day"));
        assert_eq!(kept("No").as_deref(), Some(NEVER));
        assert_eq!(kept("every day at 7:30pm").as_deref(), Some("every day at 7:30pm"));
        assert_eq!(kept("now and then"), None);
        assert_eq!(parse_schedule("every day", "7").map(|it| it.expression).ok(), None);
        let schedule = parse_schedule("every day at 7:30pm", "8am").expect("a schedule");
        assert_eq!(schedule.expression, "30 19 * * *");
    }
}
