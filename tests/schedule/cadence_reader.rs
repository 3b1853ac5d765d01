//! A reader of the sentences about schedules, which knows nothing of how they are written.

use dibber_schedule::{Cron, Schedule};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime, date};
use jiff::tz::TimeZone;

/// The days of four years, a leap year among them, and the minutes of a day on which it fires.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Meaning {
    days: Vec<Date>,
    minutes: Vec<u32>,
}

const FIRST: Date = date(2027, 1, 1);
const LAST: Date = date(2030, 12, 31);

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];
/// From Monday, as they are numbered here.
const WEEKDAYS: [&str; 7] =
    ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

impl Meaning {
    /// Returns what a schedule means, by its fires. A schedule that never fires means nothing.
    pub(crate) fn of(cron: &str) -> Self {
        let fields: Vec<&str> = cron.split(' ').collect();
        let fires = |cron: &str, from: Date, last: Date| {
            let cron = Cron::parse(cron).expect("a schedule");
            let schedule = Schedule { cron, zone: TimeZone::UTC };
            let midnight = from.to_zoned(TimeZone::UTC).expect("a time").timestamp();
            let before = Timestamp::from_second(midnight.as_second() - 1).expect("an instant");
            let fires = schedule.fires_after(before).map(|fire| TimeZone::UTC.to_datetime(fire.at));
            fires.take_while(|at| at.date() <= last).collect::<Vec<_>>()
        };
        // The times of the day are those of any day; the days, those with any time.
        let times = format!("{} {} * * *", fields[0], fields[1]);
        let number = |part: i8| u32::try_from(part).expect("a part of a time");
        let minute = |at: &DateTime| number(at.hour()) * 60 + number(at.minute());
        let days = format!("0 0 {}", fields[2..].join(" "));
        Self {
            minutes: fires(&times, FIRST, FIRST).iter().map(minute).collect(),
            days: fires(&days, FIRST, LAST).iter().map(|at| at.date()).collect(),
        }
    }
}

/// Takes a sentence at its word.
pub(crate) fn read(sentence: &str) -> Meaning {
    let sentence = sentence.to_lowercase();
    let sentence = sentence.trim_end_matches(" (et)").trim_end_matches(" et");
    let rest = |at: usize, by: usize| (&sentence[..at], &sentence[at + by..]);
    let is_all_day =
        ["at ", "every hour", "every minute"].iter().any(|it| sentence.starts_with(it))
            || sentence.strip_prefix("every ").is_some_and(|it| it.starts_with(char::is_numeric));
    let (days, times) = match (sentence.find(" at "), sentence.find(", every ")) {
        _ if is_all_day => ("every day", sentence.trim_start_matches("at ")),
        (Some(at), Some(every)) if every < at => rest(every, 2),
        (Some(at), _) => rest(at, 4),
        (None, Some(every)) => rest(every, 2),
        (None, None) => panic!("no time in {sentence}"),
    };
    let in_range = FIRST.series(jiff::Span::new().days(1)).take_while(|day| *day <= LAST);
    let days = in_range.filter(day_reader(days.trim_end_matches(','))).collect();
    let mut minutes = read_times(times);
    minutes.sort_unstable();
    minutes.dedup();
    Meaning { days, minutes }
}

type IsDay = Box<dyn Fn(&Date) -> bool>;

fn day_reader(text: &str) -> IsDay {
    if let Some(which) = text.strip_prefix("on ").filter(|it| it.contains(" that fall on ")) {
        let (weekdays, dates) = which.split_once(" that fall on ").expect("found");
        let weekdays = match weekdays {
            "weekdays" => "every weekday".to_owned(),
            "weekend days" => "every weekend day".to_owned(),
            days => format!("every {}", days.replace("days", "day")),
        };
        let dates = dates.replace("an odd date", "odd dates").replace("an even date", "even dates");
        let (weekdays, dates) = (day_reader(&weekdays), day_reader(&format!("on {dates}")));
        return Box::new(move |day| weekdays(day) && dates(day));
    }
    // Months at the beginning apply to everything after them.
    if let Some((months, days)) = text.split_once(", on ").filter(|(it, _)| !it.starts_with("on "))
    {
        let (months, days) = (read_months(months), day_reader(&format!("on {days}")));
        return Box::new(move |day| months.contains(&day.month()) && days(day));
    }
    for between in [" of each month from ", " of ", " in ", " from "] {
        if let Some((days, months)) = text.split_once(between) {
            assert!(!days.contains("and also"), "it is not clear whose month that is: {text}");
            let (days, months) = (day_reader(days), read_months(months));
            return Box::new(move |day| months.contains(&day.month()) && days(day));
        }
    }
    if let Some((dates, weekdays)) = text.split_once(" and also ") {
        let (dates, weekdays) = (day_reader(dates), day_reader(weekdays));
        return Box::new(move |day| dates(day) || weekdays(day));
    }
    one_day_reader(text)
}

fn one_day_reader(text: &str) -> IsDay {
    let weekday = |day: &Date| day.weekday().to_monday_zero_offset();
    match text {
        "every day" => Box::new(|_| true),
        "every weekday" => Box::new(move |day| weekday(day) < 5),
        "every weekend day" => Box::new(move |day| weekday(day) >= 5),
        "every leap day (feb 29)" => Box::new(|day| (day.month(), day.day()) == (2, 29)),
        "on odd dates" => Box::new(|day| day.day() % 2 == 1),
        "on even dates" => Box::new(|day| day.day() % 2 == 0),
        _ => {
            if let Some(except) = text.strip_prefix("every day except ") {
                let except = weekday_number(except);
                return Box::new(move |day| weekday(day) != except);
            }
            if let Some(dates) = text.strip_prefix("on the ") {
                let dates =
                    items(dates, &|it| it.trim_end_matches(char::is_alphabetic).parse().ok());
                return Box::new(move |day| dates.contains(&i64::from(day.day())));
            }
            let every = text.strip_prefix("every ").unwrap_or_else(|| panic!("what is `{text}`?"));
            if let Some((month, dates)) =
                every.split_once(' ').filter(|it| it.1.starts_with(char::is_numeric))
            {
                let month = month_number(month);
                let dates = items(dates, &|it| it.parse().ok());
                return Box::new(move |day| {
                    day.month() == month && dates.contains(&i64::from(day.day()))
                });
            }
            let days = items(every, &|it| Some(i64::from(weekday_number(it))));
            Box::new(move |day| days.contains(&i64::from(weekday(day))))
        }
    }
}

/// The items of a list, with all that lies between those of "a to b".
fn items(text: &str, number: &dyn Fn(&str) -> Option<i64>) -> Vec<i64> {
    let text = text.replace(" and ", ", ").replace(" or ", ", ");
    let number = |it: &str| number(it).unwrap_or_else(|| panic!("what is `{it}` in `{text}`?"));
    let ranges = text.split(", ").flat_map(|item| match item.split_once(" to ") {
        Some((first, last)) => number(first)..=number(last),
        None => number(item)..=number(item),
    });
    ranges.collect()
}

fn weekday_number(name: &str) -> i8 {
    let found =
        WEEKDAYS.iter().position(|day| *day == name || (name.len() == 3 && day.starts_with(name)));
    i8::try_from(found.unwrap_or_else(|| panic!("what day is `{name}`?"))).expect("small")
}

fn month_number(name: &str) -> i8 {
    let found = MONTHS
        .iter()
        .position(|month| *month == name || (name.len() == 3 && month.starts_with(name)));
    i8::try_from(found.unwrap_or_else(|| panic!("what month is `{name}`?"))).expect("small") + 1
}

/// Months go on over the end of the year.
fn read_months(text: &str) -> Vec<i8> {
    let text = text.trim_start_matches("in ").trim_start_matches("from ").replace(" and ", ", ");
    let months = text.split(", ").flat_map(|item| {
        let (first, last) = item.split_once(" to ").unwrap_or((item, item));
        let (first, last) = (month_number(first), month_number(last));
        let length = (last - first).rem_euclid(12);
        (0..=length).map(move |by| (first - 1 + by) % 12 + 1)
    });
    months.collect()
}

fn read_times(text: &str) -> Vec<u32> {
    if let Some((minutes, hours)) = text.split_once(" past ") {
        return cross(&read_minutes(minutes), &read_hours(hours));
    }
    if let Some((every, hours)) = text.split_once(" in ") {
        let hours = hours.strip_prefix("the hours that begin at ").unwrap_or(hours);
        return cross(&stepped(0, 59, interval(every)), &read_hours(hours));
    }
    let Some(every) = text.strip_prefix("every ") else { return read_list(text) };
    let mut stretches = every.split(" from ");
    let step = interval(stretches.next().expect("one"));
    if !every.contains(" from ") {
        return stepped(0, 1439, step);
    }
    let mut times = Vec::new();
    for stretch in stretches {
        let (stretch, alone) = stretch.split_once(" and at ").unwrap_or((stretch, ""));
        if !alone.is_empty() {
            times.extend(read_list(alone));
        }
        let (first, last) = stretch.split_once(" to ").expect("two ends");
        let last = last.trim_end_matches(',').trim_end_matches(" and").trim_end_matches(',');
        assert_eq!((time(last) - time(first)) % step, 0, "{text}");
        times.extend(stepped(time(first), time(last), step));
    }
    times
}

fn cross(minutes: &[u32], hours: &[u32]) -> Vec<u32> {
    hours.iter().flat_map(|hour| minutes.iter().map(move |minute| hour * 60 + minute)).collect()
}

fn stepped(first: u32, last: u32, step: u32) -> Vec<u32> {
    (first..=last).step_by(step as usize).collect()
}

/// "every minute", "10 minutes", "2 hours".
fn interval(text: &str) -> u32 {
    match text.trim_start_matches("every ").split_once(' ') {
        None if text.ends_with("minute") => 1,
        None if text.ends_with("hour") => 60,
        Some((count, "minutes")) => count.parse().expect("a number"),
        Some((count, "hours")) => count.parse::<u32>().expect("a number") * 60,
        _ => panic!("how long is `{text}`?"),
    }
}

fn read_minutes(text: &str) -> Vec<u32> {
    if let Some((every, range)) = text.split_once(" from ") {
        let (first, last) = range.split_once(" to ").expect("a range");
        return stepped(
            first.parse().expect("a minute"),
            last.parse().expect("a minute"),
            interval(every),
        );
    }
    let list = text
        .trim_start_matches("minutes ")
        .trim_end_matches(" minutes")
        .trim_end_matches(" minute");
    items(list, &|it| it.parse().ok())
        .into_iter()
        .map(|it| u32::try_from(it).expect("small"))
        .collect()
}

fn read_hours(text: &str) -> Vec<u32> {
    if text == "every hour" {
        return (0..24).collect();
    }
    if let Some((nth, range)) =
        text.strip_prefix("every ").and_then(|it| it.split_once(" hour from "))
    {
        let step = nth.trim_end_matches(char::is_alphabetic).parse().expect("a number");
        let (first, last) = range.split_once(" to ").expect("a range");
        return stepped(time(first) / 60, time(last) / 60, step);
    }
    let text = text.replace(" and ", ", ");
    let hours = text.split(", ").flat_map(|item| match item.strip_prefix("each hour from ") {
        Some(range) => {
            let (first, last) = range.split_once(" to ").expect("a range");
            time(first) / 60..=time(last) / 60
        }
        None => time(item) / 60..=time(item) / 60,
    });
    hours.collect()
}

/// Times of the day, or "each hour from 9am to noon" among them. Where only the last has its half
/// of the day, it is that of all.
fn read_list(text: &str) -> Vec<u32> {
    if text.contains("each hour") {
        return read_hours(text).into_iter().map(|hour| hour * 60).collect();
    }
    let half = ["am", "pm"].into_iter().find(|half| text.ends_with(half)).unwrap_or("");
    let text = text.replace(" and ", ", ");
    let whole = |item: &str| match item.trim_start_matches(|c: char| c.is_numeric() || c == ':') {
        "" => format!("{item}{half}"),
        _ => item.to_owned(),
    };
    text.split(", ").map(|item| time(&whole(item))).collect()
}

/// "8am", "8:30pm", "noon", "08:00".
fn time(text: &str) -> u32 {
    let number = |it: &str| it.parse::<u32>().unwrap_or_else(|_| panic!("what time is `{text}`?"));
    let (clock, half) = match text {
        "midnight" => return 0,
        "noon" => return 720,
        _ => (text.trim_end_matches("am").trim_end_matches("pm"), text),
    };
    let (hour, minute) = match clock.split_once(':') {
        Some((hour, minute)) => (number(hour), number(minute)),
        None => (number(clock), 0),
    };
    match half {
        _ if half.ends_with("am") => hour % 12 * 60 + minute,
        _ if half.ends_with("pm") => (hour % 12 + 12) * 60 + minute,
        _ => hour * 60 + minute,
    }
}
