//! When a skill runs by itself: days to choose from with a time, or a whole schedule in words.

use super::zone::usual_zone;
use crate::cli::error::CommandError;
use crate::cli::term::answer_line::{item_of, only_yes_or_no};
use dibber_schedule::{ScheduleText, ScheduleTextError, zone_of_place};
use dibber_text::{message, quote};

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

/// The days of an answer that names a part of the day alone.
pub(super) const RHYTHM_DEFAULT: &str = "every day";
/// What people answer instead of a time, and the time that is offered for it. A phrase comes before
/// those that are part of it.
const PARTS_OF_DAY: [(&str, &str); 21] = [
    ("before breakfast", "7am"),
    ("after breakfast", "8am"),
    ("at breakfast", "7:30am"),
    ("before school", "7:30am"),
    ("after school", "4pm"),
    ("at lunch", "noon"),
    ("after lunch", "1pm"),
    ("before dinner", "6pm"),
    ("at dinner", "6:30pm"),
    ("after dinner", "7pm"),
    ("before supper", "6pm"),
    ("at supper", "6:30pm"),
    ("after supper", "7pm"),
    ("at bedtime", "7:30pm"),
    ("before bedtime", "7:30pm"),
    ("before bed", "7:30pm"),
    ("in the morning", "8am"),
    ("in the afternoon", "2pm"),
    ("in the evening", "7pm"),
    ("bedtime", "7:30pm"),
    ("at night", "7:30pm"),
];

/// What precedes the parts of the day that days are named after, too: `every morning`.
const IN_THE: &str = "in the ";

/// The answer for a skill without a schedule.
pub(in crate::cli) const NEVER: &str = "never, only on request";
/// What else people answer to mean that, besides no.
const NOT_AT_ALL: &str = "not at all";

/// Parses an answer about the days: one of [`RHYTHMS`], or a schedule with a time.
pub(super) fn parse_rhythm(typed: &str) -> Result<String, CommandError> {
    if is_never(typed) {
        return Ok(NEVER.to_owned());
    }
    let schedule = parse_text(typed);
    let is_number = typed.trim().bytes().all(|byte| byte.is_ascii_digit());
    if (is_number || schedule.is_err())
        && let Some(index) = item_of(typed, &RHYTHMS.map(str::to_owned))
    {
        return Ok(RHYTHMS[index].to_owned());
    }
    if is_number {
        let help =
            message!["type a number from 1 to ", RHYTHMS.len(), ", or the days and the time"];
        return Err(
            CommandError::new(message!["`", quote(typed), "` is not one of these"]).help(help)
        );
    }
    match schedule {
        Err(error) if default_time(typed).is_none() => Err(command_error(error)),
        _ => Ok(typed.to_owned()),
    }
}

/// Returns a time that makes a schedule of days without one, such as `every night`.
pub(super) fn default_time(rhythm: &str) -> Option<&'static str> {
    let rhythm = rhythm.to_lowercase();
    let parts =
        PARTS_OF_DAY.iter().filter_map(|(part, time)| Some((part.strip_prefix(IN_THE)?, *time)));
    let mut of_part = parts.filter(|(part, _)| rhythm.contains(part));
    let time = of_part.next().map_or(TIME_DEFAULT, |(_, time)| time);
    ScheduleText::parse(&format!("{rhythm} at {time}")).is_ok().then_some(time)
}

/// Returns `true` for an answer that means that a skill does not run by itself.
pub(in crate::cli) fn is_never(typed: &str) -> bool {
    let is_no = only_yes_or_no(typed) == Some(false);
    typed == NEVER || is_no || typed.trim().eq_ignore_ascii_case(NOT_AT_ALL)
}

/// Returns the days of an answer without a part of the day that it names, such as "after dinner", and
/// the time to offer for that.
pub(super) fn part_of_day(typed: &str) -> Option<(String, &'static str)> {
    let words = typed.split(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | '!'));
    let words: Vec<_> = words.filter(|word| !word.is_empty()).collect();
    let typed = format!(" {} ", words.join(" ").to_lowercase());
    PARTS_OF_DAY.iter().find_map(|(part, time)| {
        let (before, after) = typed.split_once(&format!(" {part} "))?;
        Some((format!("{before} {after}").trim().to_owned(), *time))
    })
}

/// Parses a schedule with its time, in words or in five fields.
pub(in crate::cli) fn parse_whole(typed: &str) -> Result<ScheduleText, CommandError> {
    parse_text(typed).map_err(command_error)
}

/// Parses a schedule, which may end with a common name of a zone. `EST` and such are the zones with
/// that clock in winter, and not those that have it all year.
fn parse_text(typed: &str) -> Result<ScheduleText, ScheduleTextError> {
    let with_zone = || ScheduleText::parse(&with_zone_of_place(typed)?).ok();
    let mut parsed = ScheduleText::parse(typed).or_else(|error| with_zone().ok_or(error))?;
    parsed.zone = parsed.zone.map(usual_zone);
    Ok(parsed)
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
    parse_text(&text).map_err(command_error)
}

/// Parses an answer about the time, which may end with a common name of a zone: `7:30pm Pacific`.
pub(super) fn parse_time(rhythm: &str, typed: &str) -> Result<String, CommandError> {
    // Midnight is a word: a zero is more likely the answer to another question.
    if typed.trim().bytes().all(|byte| byte == b'0') {
        let error = CommandError::new(message!["`", quote(typed), "` is no time"]);
        return Err(error.help("type a time such as 7:30pm, or midnight"));
    }
    parse_schedule(rhythm, typed).map(|_| typed.to_owned())
}

/// Returns `true` for an answer about the time that is a schedule with other days.
pub(super) fn is_whole(rhythm: &str, typed: &str) -> bool {
    parse_time(rhythm, typed).is_err() && ScheduleText::parse(typed).is_ok()
}

/// Returns a time with the zone in place of its common name at the end.
fn with_zone_of_place(typed: &str) -> Option<String> {
    let mut spaces = typed.match_indices(' ');
    spaces.find_map(|(at, _)| {
        let (time, place) = (&typed[..at], typed[at..].trim().trim_start_matches("in "));
        Some(format!("{time} {}", zone_of_place(place)?))
    })
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
    fn a_time_after_the_days_is_kept() {
        for typed in ["every day at 6:15 pm", "every Monday at 8 am", "weekdays 8:00"] {
            assert_eq!(parse_rhythm(typed).ok().as_deref(), Some(typed));
        }
        for typed in ["2", "every day", "Every day"] {
            assert_eq!(parse_rhythm(typed).ok().as_deref(), Some(RHYTHMS[1]), "{typed}");
        }
    }

    #[test]
    fn a_time_may_have_a_city_or_other_days() {
        let time = |typed| parse_time("every day", typed).ok();
        assert_eq!(time("7:30pm").as_deref(), Some("7:30pm"));
        assert_eq!(time("7:30pm New York").as_deref(), Some("7:30pm New York"));
        assert_eq!(time("19:30 in Berlin").as_deref(), Some("19:30 in Berlin"));
        assert_eq!(time("7:30pm Pacific time").as_deref(), Some("7:30pm Pacific time"));
        assert_eq!(time("7:30pm Nowhere"), None);
        for (typed, expected) in [
            ("every day at 7:30pm America/New_York", true),
            ("weekdays at 8am", true),
            ("8am", false),
            ("8am New York", false),
            ("soon", false),
        ] {
            assert_eq!(is_whole("every day", typed), expected, "{typed}");
        }
    }

    #[test]
    fn the_common_name_of_a_zone_is_the_zone_of_its_place() {
        let zone = |typed| parse_whole(typed).ok().and_then(|parsed| parsed.zone);
        for (typed, expected) in [
            ("every day at 8pm EST", "America/New_York"),
            ("every day at 8pm PST", "America/Los_Angeles"),
            ("every day at 8pm CET", "Europe/Berlin"),
        ] {
            assert_eq!(zone(typed).as_deref(), Some(expected), "{typed}");
        }
    }

    #[test]
    fn a_part_of_the_day_is_no_time_but_has_one_to_offer() {
        for (typed, days, time) in [
            ("After dinner.", "", "7pm"),
            ("every day after dinner", "every day", "7pm"),
            ("at bedtime, every weekday", "every weekday", "7:30pm"),
            ("in the morning", "", "8am"),
        ] {
            assert_eq!(part_of_day(typed), Some((days.to_owned(), time)), "{typed}");
        }
        assert_eq!(part_of_day("every day at 7pm"), None);
        for (part, time) in PARTS_OF_DAY {
            assert!(parse_schedule(RHYTHM_DEFAULT, time).is_ok(), "{part}: {time}");
        }
    }

    #[test]
    fn days_are_named_after_parts_of_the_day() {
        for (rhythm, time) in [
            ("every morning", "8am"),
            ("Monday afternoon", "2pm"),
            ("every evening", "7pm"),
            ("every night", TIME_DEFAULT),
        ] {
            assert_eq!(default_time(rhythm), Some(time), "{rhythm}");
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
