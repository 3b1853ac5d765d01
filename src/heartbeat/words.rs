//! A schedule in words: "Every weekday at 8am ET".
//!
//! A sentence is made of days, months, times and the zone, in that order. It never says more than
//! the schedule does: days of the month that start again each month are listed and not called
//! "every 10 days", and what has no short phrase is listed plainly.

use super::Cron;
use super::zones::zone_words;

/// The most times of the day that are listed one by one.
const TIMES_LISTED_MAX: usize = 8;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];
const SHORT_MONTHS: [&str; 12] =
    ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
const WEEKDAYS: [&str; 7] =
    ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
/// The order in which weekdays are named: the week begins on Monday, and ends with the weekend.
const WEEK: [u32; 7] = [1, 2, 3, 4, 5, 6, 0];

const EVERY_DATE: u64 = 0xFFFF_FFFE;
const EVERY_WEEKDAY: u64 = 0x7F;
const ODD_DATES: u64 = 0xAAAA_AAAA;
const EVEN_DATES: u64 = 0x5555_5554;
const WORKING_DAYS: u64 = 0b011_1110;
const WEEKEND: u64 = 0b100_0001;

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
pub fn cadence_text(cron: &Cron, zone: &str, clock: Clock) -> String {
    let times = times(cron, clock);
    let days = days(cron);
    let months = months(cron, &days);
    let zone = zone_words(zone);
    let sentence = match (&times, days.text.as_str()) {
        (Times::Every(every), "Every day") if months.is_empty() => every.clone(),
        (Times::Every(every), "Every day") => format!("{every}{months}"),
        (Times::Every(every), days) => format!("{days}{months}, {every}"),
        (Times::At(at), days) => format!("{days}{months} at {at}"),
    };
    format!("{} {zone}", capitalized(&sentence))
}

/// The times of the day.
enum Times {
    /// `8am and 8pm`.
    At(String),
    /// `every 10 minutes`, `every hour from 9am to 5pm`.
    Every(String),
}

/// The phrase for the days.
struct Days {
    text: String,
    /// The phrase names the month already: "Every Feb 29".
    names_month: bool,
}

fn days(cron: &Cron) -> Days {
    let (dates, weekdays) = (cron.day_of_month.values, cron.day_of_week.values);
    let (every_date, every_weekday) =
        (dates & EVERY_DATE == EVERY_DATE, weekdays & EVERY_WEEKDAY == EVERY_WEEKDAY);
    let plain = |text: String| Days { text, names_month: false };
    match (cron.days_are_joined(), every_date, every_weekday) {
        (_, true, true) | (false, true, _) | (false, _, true) => plain("Every day".to_owned()),
        (true, true, false) => plain(every_weekday_of(weekdays)),
        (true, false, true) => on_dates(cron, dates),
        (true, false, false) => {
            let which = match dates {
                _ if dates & EVERY_DATE == ODD_DATES => "an odd date".to_owned(),
                _ if dates & EVERY_DATE == EVEN_DATES => "an even date".to_owned(),
                _ => format!("the {}", ordinals(dates, "or")),
            };
            let names = weekday_names(weekdays).iter().map(|name| format!("{name}s")).collect();
            plain(format!("On {} that fall on {which}", listed(names, "and")))
        }
        (false, false, false) => {
            let dates = on_dates(cron, dates);
            let weekdays = every_weekday_of(weekdays).replacen("Every", "every", 1);
            Days { text: format!("{} and also {weekdays}", dates.text), ..plain(String::new()) }
        }
    }
}

/// "Every weekday", "Every Monday", "Every Mon, Wed and Fri".
fn every_weekday_of(weekdays: u64) -> String {
    match weekdays & EVERY_WEEKDAY {
        WORKING_DAYS => "Every weekday".to_owned(),
        WEEKEND => "Every weekend day".to_owned(),
        _ => {
            let names = weekday_names(weekdays);
            let short = names.len() > 2;
            let names = names
                .into_iter()
                .map(|name| if short { name[..3].to_owned() } else { name.to_owned() });
            format!("Every {}", listed(names.collect(), "and"))
        }
    }
}

fn weekday_names(weekdays: u64) -> Vec<&'static str> {
    let has = |day: &&u32| weekdays >> **day & 1 == 1;
    WEEK.iter().filter(has).map(|day| WEEKDAYS[*day as usize]).collect()
}

/// "On the 1st and 15th"; "Every Feb 29" when there is only one month.
fn on_dates(cron: &Cron, dates: u64) -> Days {
    let months = cron.month.values;
    if months.count_ones() == 1 && cron.days_are_joined() {
        let month = SHORT_MONTHS[months.trailing_zeros() as usize - 1];
        let dates = runs(dates).into_iter().map(|(first, last)| match first == last {
            true => first.to_string(),
            false => format!("{first}-{last}"),
        });
        let text = format!("Every {month} {}", listed(dates.collect(), "and"));
        return Days { text, names_month: true };
    }
    Days { text: format!("On the {}", ordinals(dates, "and")), names_month: false }
}

fn ordinals(dates: u64, word: &str) -> String {
    let runs = runs(dates).into_iter().map(|(first, last)| match first == last {
        true => ordinal(first),
        false => format!("{}-{}", ordinal(first), ordinal(last)),
    });
    listed(runs.collect(), word)
}

fn ordinal(number: u32) -> String {
    let ending = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{number}{ending}")
}

fn months(cron: &Cron, days: &Days) -> String {
    let months = cron.month.values;
    if days.names_month || months.count_ones() == 12 {
        return String::new();
    }
    let name = |month: u32| MONTHS[month as usize - 1].to_owned();
    let mut runs = runs(months);
    // A winter that goes over the end of the year is one run.
    if let [(1, end), .., (start, 12)] = runs[..] {
        runs.pop();
        runs[0] = (start, end);
        runs.rotate_left(1);
    }
    let named = runs.into_iter().flat_map(|(first, last)| match first == last {
        true => vec![name(first)],
        false if last == first % 12 + 1 => vec![name(first), name(last)],
        false => vec![format!("{}-{}", name(first), name(last))],
    });
    format!(" in {}", listed(named.collect(), "and"))
}

fn times(cron: &Cron, clock: Clock) -> Times {
    let (minutes, hours) = (cron.minute.values, cron.hour.values);
    let minute_list: Vec<u32> = values(minutes);
    let hour_list: Vec<u32> = values(hours);
    let whole_day = hour_list.len() == 24;
    if whole_day && let Some(interval) = interval(&minute_list, 60) {
        return Times::Every(match (interval, minute_list[0]) {
            (1, _) => "every minute".to_owned(),
            (60, 0) => "every hour".to_owned(),
            (60, minute) => format!("every hour at {minute} past"),
            (minutes, 0) => format!("every {minutes} minutes"),
            (minutes, first) => format!("every {minutes} minutes from {first} past"),
        });
    }
    let count = minute_list.len() * hour_list.len();
    if count <= TIMES_LISTED_MAX {
        let times = hour_list
            .iter()
            .flat_map(|hour| minute_list.iter().map(|minute| time_of_day(*hour, *minute, clock)));
        return Times::At(listed(times.collect(), "and"));
    }
    if let [(first, last)] = runs(hours)[..]
        && let Some(interval) = interval(&minute_list, 60)
    {
        let from = time_of_day(first, minute_list[0], clock);
        let to = time_of_day(last, minute_list[minute_list.len() - 1], clock);
        let every = match interval {
            1 => "every minute".to_owned(),
            60 => "every hour".to_owned(),
            minutes => format!("every {minutes} minutes"),
        };
        return Times::Every(format!("{every} from {from} to {to}"));
    }
    Times::At(plainly(&minute_list, &hour_list, clock))
}

/// "0, 7 and 50 minutes past 9am, 10am and 4pm".
fn plainly(minutes: &[u32], hours: &[u32], clock: Clock) -> String {
    let hours = if hours.len() == 24 {
        "every hour".to_owned()
    } else {
        listed(hours.iter().map(|hour| time_of_day(*hour, 0, clock)).collect(), "and")
    };
    match minutes {
        [0] => hours,
        _ if minutes.len() == 60 => format!("every minute of {hours}"),
        _ => {
            let minutes = listed(minutes.iter().map(u32::to_string).collect(), "and");
            format!("{minutes} minutes past {hours}")
        }
    }
}

/// How far apart values are, if they are all as far apart as the last from the first of the next
/// round, which has `round` values.
fn interval(values: &[u32], round: u32) -> Option<u32> {
    let count = u32::try_from(values.len()).ok()?;
    let interval = (round.is_multiple_of(count)).then(|| round / count)?;
    values.windows(2).all(|pair| pair[1] - pair[0] == interval).then_some(interval)
}

fn time_of_day(hour: u32, minute: u32, clock: Clock) -> String {
    match (clock, hour, minute) {
        (Clock::TwentyFour, _, _) => format!("{hour:02}:{minute:02}"),
        (_, 0, 0) => "midnight".to_owned(),
        (_, 12, 0) => "noon".to_owned(),
        _ => {
            let half = if hour < 12 { "am" } else { "pm" };
            let hour = if hour % 12 == 0 { 12 } else { hour % 12 };
            if minute == 0 { format!("{hour}{half}") } else { format!("{hour}:{minute:02}{half}") }
        }
    }
}

/// The values of a set, in order.
fn values(set: u64) -> Vec<u32> {
    (0..64).filter(|value| set >> value & 1 == 1).collect()
}

/// The runs of a set, each with its first and its last value. Two in a row are two runs: "the
/// 1st and 2nd" is shorter than a range.
fn runs(set: u64) -> Vec<(u32, u32)> {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for value in values(set) {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == value => *last = value,
            _ => runs.push((value, value)),
        }
    }
    runs.into_iter()
        .flat_map(|(first, last)| match last - first {
            1 => vec![(first, first), (last, last)],
            _ => vec![(first, last)],
        })
        .collect()
}

/// "a", "a and b", "a, b and c".
fn listed(items: Vec<String>, word: &str) -> String {
    match items.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        [others @ .., last] => format!("{} {word} {last}", others.join(", ")),
    }
}

fn capitalized(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(characters).collect())
}
