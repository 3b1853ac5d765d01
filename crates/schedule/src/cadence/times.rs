//! The times of a schedule in words: "8am and 8pm", "every hour from 9am to 5pm".

use super::clock_format::ClockFormat;
use super::lists::{listed, run_words, runs, step, values};
use crate::cron::Cron;

/// The most times of the day that are listed one by one.
const LISTED_MAX: usize = 8;
/// The most that are listed although they are more than an hour apart by the same step.
const LISTED_EVENLY_MAX: usize = 6;
/// The most that are listed although they are at most an hour apart by the same step.
const LISTED_CLOSELY_MAX: usize = 4;
/// The fewest values that are described by their step.
const STEPPED_MIN: usize = 5;
/// The most runs of hours that are described one by one.
const RUNS_MAX: usize = 3;

const ALL_HOURS: u64 = 0xFF_FFFF;

/// The phrase for the times of day of a schedule.
pub(super) struct TimePhrase {
    pub(super) text: String,
    /// Whether it follows the word "at", and otherwise a comma.
    pub(super) follows_at: bool,
    pub(super) hours: Hours,
}

/// Which hours a phrase for times covers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Hours {
    /// It names hours of the day, and ends with one.
    Named,
    /// Every hour.
    All,
    /// Every hour, and the time between two fires is always the same.
    AllEvenly,
}

fn at(text: String) -> TimePhrase {
    TimePhrase { text, follows_at: true, hours: Hours::Named }
}

fn every(text: String) -> TimePhrase {
    TimePhrase { text, follows_at: false, hours: Hours::Named }
}

pub(super) fn times(cron: &Cron, clock: ClockFormat) -> TimePhrase {
    let (minutes, hours) = (cron.minute.values, cron.hour.values);
    let minutes = Minutes { set: minutes, list: values(minutes) };
    if hours == ALL_HOURS {
        return all_hours(&minutes);
    }
    let hour_list = values(hours);
    let times: Vec<u32> = hour_list
        .iter()
        .flat_map(|hour| minutes.list.iter().map(move |minute| hour * 60 + minute))
        .collect();
    let step = step(&times);
    let listed_max = match step {
        Some(..=60) => LISTED_CLOSELY_MAX,
        Some(_) => LISTED_EVENLY_MAX,
        None => LISTED_MAX,
    };
    if times.len() <= listed_max {
        return at(times_listed(&times, clock));
    }
    if let (Some(step), [first, .., last]) = (step, &times[..]) {
        let (first, last) = (at_minute(*first, clock), at_minute(*last, clock));
        return every(format!("every {} from {first} to {last}", interval_words(step)));
    }
    minutes.in_runs(&runs(hours), clock).unwrap_or_else(|| minutes.past(hours, &hour_list, clock))
}

/// "every 10 minutes", "5 minutes past every hour".
fn all_hours(minutes: &Minutes) -> TimePhrase {
    if let (Some(interval), 0) = (minutes.interval(), minutes.list[0]) {
        let text = format!("every {}", interval_words(interval));
        return TimePhrase { text, follows_at: false, hours: Hours::AllEvenly };
    }
    let (text, follows_at) = minutes.words();
    TimePhrase { text: format!("{text} past every hour"), follows_at, hours: Hours::All }
}

/// The minutes of the hour.
struct Minutes {
    set: u64,
    list: Vec<u32>,
}

impl Minutes {
    /// Returns their distance, if it is also that of the last to the first of the next hour.
    fn interval(&self) -> Option<u32> {
        match (&self.list[..], step(&self.list)) {
            ([_], _) => Some(60),
            ([first, .., last], Some(step)) if first + 60 - last == step => Some(step),
            _ => None,
        }
    }

    /// "every 10 minutes from 9am to 11:50am and from 2pm to 4:50pm", if they continue evenly from
    /// hour to hour and there are few enough runs of hours.
    fn in_runs(&self, runs: &[(u32, u32)], clock: ClockFormat) -> Option<TimePhrase> {
        let interval = self.interval().filter(|_| runs.len() <= RUNS_MAX)?;
        let (first, last) = (self.list[0], self.list[self.list.len() - 1]);
        let (mut alone, mut ranges) = (Vec::new(), Vec::new());
        for (from, to) in runs {
            let (start, end) = (from * 60 + first, to * 60 + last);
            if start == end {
                alone.push(at_minute(start, clock));
            } else {
                let (start, end) = (at_minute(start, clock), at_minute(end, clock));
                ranges.push(format!("from {start} to {end}"));
            }
        }
        if !alone.is_empty() {
            ranges.push(format!("at {}", alone.join(" and ")));
        }
        Some(every(format!("every {} {}", interval_words(interval), listed(&ranges, "and"))))
    }

    /// "5 and 50 minutes past 9am, 10am and 4pm".
    fn past(&self, hours: u64, hour_list: &[u32], clock: ClockFormat) -> TimePhrase {
        let hour = |hour: u32| time_of_day(hour, 0, clock);
        let each_second = match (step(hour_list), hour_list) {
            (Some(step @ 2..), [first, .., last]) if hour_list.len() >= STEPPED_MIN => {
                let ending = if step == 2 {
                    "nd"
                } else if step == 3 {
                    "rd"
                } else {
                    "th"
                };
                let (first, last) = (hour(*first), hour(*last));
                Some(format!("every {step}{ending} hour from {first} to {last}"))
            }
            _ => None,
        };
        if let Some(interval) = self.interval().filter(|interval| *interval < 60)
            && self.list[0] == 0
        {
            let hours = each_second.unwrap_or_else(|| {
                let hours: Vec<_> = hour_list.iter().map(|start| hour(*start)).collect();
                format!("the hours that begin at {}", listed(&hours, "and"))
            });
            return every(format!("every {} in {hours}", interval_words(interval)));
        }
        let hours = each_second.unwrap_or_else(|| hour_words(hours, clock));
        if self.list == [0] {
            return at(hours);
        }
        let (text, follows_at) = self.words();
        TimePhrase { text: format!("{text} past {hours}"), follows_at, hours: Hours::Named }
    }

    /// Returns what is before "past", and whether it follows the word "at".
    fn words(&self) -> (String, bool) {
        let number = |minute: u32| minute.to_string();
        match (&self.list[..], step(&self.list)) {
            ([1], _) => ("1 minute".to_owned(), true),
            ([first, .., last], Some(step)) if self.list.len() >= STEPPED_MIN => {
                (format!("every {} from {first} to {last}", interval_words(step)), false)
            }
            _ => {
                let words = run_words(&runs(self.set), number);
                if words.iter().any(|word| word.contains("to")) {
                    (format!("minutes {}", listed(&words, "and")), true)
                } else {
                    (format!("{} minutes", listed(&words, "and")), true)
                }
            }
        }
    }
}

/// "midnight, 4am and each hour from 9am to 5pm".
fn hour_words(hours: u64, clock: ClockFormat) -> String {
    let hour = |hour: u32| time_of_day(hour, 0, clock);
    let (mut words, mut ranges) = (Vec::new(), Vec::new());
    for (first, last) in runs(hours) {
        match last - first {
            0 => words.push(hour(first)),
            1 => words.extend([hour(first), hour(last)]),
            _ => ranges.push(format!("each hour from {} to {}", hour(first), hour(last))),
        }
    }
    words.append(&mut ranges);
    listed(&words, "and")
}

/// "8am and 8pm"; "8, 8:30 and 9am" when all of three or more are in one half of the day.
fn times_listed(times: &[u32], clock: ClockFormat) -> String {
    let mut words: Vec<_> = times.iter().map(|time| at_minute(*time, clock)).collect();
    for half in ["am", "pm"] {
        if words.len() > 2 && words.iter().all(|word| word.ends_with(half)) {
            let others = words.len() - 1;
            words[..others].iter_mut().for_each(|word| word.truncate(word.len() - half.len()));
        }
    }
    listed(&words, "and")
}

/// "minute", "10 minutes", "hour", "2 hours".
fn interval_words(minutes: u32) -> String {
    match minutes {
        1 => "minute".to_owned(),
        60 => "hour".to_owned(),
        _ if minutes.is_multiple_of(60) => format!("{} hours", minutes / 60),
        _ => format!("{minutes} minutes"),
    }
}

fn at_minute(minute: u32, clock: ClockFormat) -> String {
    time_of_day(minute / 60, minute % 60, clock)
}

/// "8am", "8:30pm", "noon"; "08:00" on a clock of 24 hours.
pub(crate) fn time_of_day(hour: u32, minute: u32, clock: ClockFormat) -> String {
    match (clock, hour, minute) {
        (ClockFormat::TwentyFour, _, _) => format!("{hour:02}:{minute:02}"),
        (_, 0, 0) => "midnight".to_owned(),
        (_, 12, 0) => "noon".to_owned(),
        _ => {
            let half = if hour < 12 { "am" } else { "pm" };
            let hour = if hour.is_multiple_of(12) { 12 } else { hour % 12 };
            if minute == 0 { format!("{hour}{half}") } else { format!("{hour}:{minute:02}{half}") }
        }
    }
}
