//! Schedules as timers of systemd, GitHub Actions and launchd, against what each of them documents.

use std::collections::BTreeSet;
use std::process::Command;

use dibber_schedule::{
    Cron, INTERVALS_MAX, LaunchdInterval, Schedule, TimerError, Timing, clock_change_after,
    github_cron, has_same_clock, launchd_intervals, on_calendar, zone,
};
use jiff::civil::{Date, DateTime};
use jiff::{Span, Timestamp};
use proptest::prelude::*;

use crate::schedule::fires::{cron_text, instant, schedule};

/// The days on which fires are compared: four years, and a day.
const DAYS: i64 = 4 * 366;
/// The most fires of a schedule that are compared.
const FIRES: usize = 40;

/// The first local times at which something starts that starts at these times of these days.
fn starts(
    from: Date,
    has_day: impl Fn(Date) -> bool,
    times: &BTreeSet<(u32, u32)>,
) -> Vec<DateTime> {
    let days = (0..DAYS).map(|day| from.saturating_add(Span::new().days(day)));
    let days = days.filter(|day| has_day(*day)).take(FIRES);
    let at = |day: Date, (hour, minute): (u32, u32)| {
        let part = |value| i8::try_from(value).expect("a time of day");
        day.at(part(hour), part(minute), 0, 0)
    };
    days.flat_map(|day| times.iter().map(move |time| at(day, *time))).take(FIRES).collect()
}

/// The first local times of a schedule, in a zone whose clock never changes.
fn expected(cron: &Cron, from: Date) -> Vec<DateTime> {
    let zone = zone("UTC").expect("a zone");
    let midnight = from.at(0, 0, 0, 0).to_zoned(zone.clone()).expect("a time").timestamp();
    let end = midnight + Span::new().hours(24 * DAYS);
    let schedule = Schedule { cron: *cron, zone: zone.clone() };
    let just_before = midnight - Span::new().seconds(1);
    let fires = schedule.fires_after(just_before).take_while(|fire| fire.at < end);
    fires.take(FIRES).map(|fire| zone.to_datetime(fire.at)).collect()
}

fn of_day(day: Date) -> (u32, u32, u32) {
    let part = |value: i8| u32::try_from(value).expect("a number of a calendar");
    (part(day.month()), part(day.day()), part(day.weekday().to_sunday_zero_offset()))
}

/// The numbers of a list such as `1,3..5`; all that are below `end` for `*`.
fn numbers(written: &str, range: &str, end: u32) -> BTreeSet<u32> {
    if written == "*" {
        return (0..end).collect();
    }
    let number = |text: &str| text.parse::<u32>().expect("a number");
    let items = written.split(',').flat_map(|item| match item.split_once(range) {
        Some((first, last)) => (number(first)..=number(last)).collect::<Vec<_>>(),
        None => vec![number(item)],
    });
    items.collect()
}

fn times(hours: &BTreeSet<u32>, minutes: &BTreeSet<u32>) -> BTreeSet<(u32, u32)> {
    hours.iter().flat_map(|hour| minutes.iter().map(|minute| (*hour, *minute))).collect()
}

/// A calendar event of systemd: `Mon..Fri *-01-02 08:00:00 UTC`, of which the days are optional.
fn has_day_of_event(event: &str, day: Date) -> bool {
    const NAMES: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
    let (month, date, weekday) = of_day(day);
    let date_of = event.split(' ').find(|part| part.starts_with("*-")).expect("a date");
    let (months, dates) = date_of[2..].split_once('-').expect("a month and a day");
    let weekdays = event.split_once(' ').expect("a date").0;
    let index = |name: &str| NAMES.iter().position(|it| *it == name).expect("a weekday");
    let has_weekday = weekdays.starts_with('*')
        || weekdays.split(',').any(|item| {
            let (first, last) = item.split_once("..").unwrap_or((item, item));
            // The week begins on a Monday.
            let place = |index: usize| (index + 6) % 7;
            let today = place(weekday as usize);
            place(index(first)) <= today && today <= place(index(last))
        });
    has_weekday
        && numbers(months, "..", 13).contains(&month)
        && numbers(dates, "..", 32).contains(&date)
}

fn systemd_starts(events: &[String], from: Date) -> Vec<DateTime> {
    let clock = events[0].split(' ').find(|part| part.ends_with(":00")).expect("a time");
    let (hours, minutes) = clock[..clock.len() - 3].split_once(':').expect("hours and minutes");
    let times = times(&numbers(hours, "..", 24), &numbers(minutes, "..", 60));
    starts(from, |day| events.iter().any(|event| has_day_of_event(event, day)), &times)
}

/// What POSIX says of the fields: of two lists of days, either.
fn posix_starts(cron: &str, from: Date) -> Vec<DateTime> {
    let fields: Vec<_> = cron.split(' ').collect();
    let [minutes, hours, dates, months, weekdays] = fields[..] else { panic!("{cron}") };
    let has_day = |day: Date| {
        let (month, date, weekday) = of_day(day);
        let has_date = numbers(dates, "-", 32).contains(&date);
        let has_weekday = numbers(weekdays, "-", 7).contains(&weekday);
        let has = if dates != "*" && weekdays != "*" {
            has_date || has_weekday
        } else {
            has_date && has_weekday
        };
        has && numbers(months, "-", 13).contains(&month)
    };
    starts(from, has_day, &times(&numbers(hours, "-", 24), &numbers(minutes, "-", 60)))
}

/// What launchd says of its intervals: what is missing matches all.
fn launchd_starts(intervals: &[LaunchdInterval], from: Date) -> Vec<DateTime> {
    let has = |it: &LaunchdInterval, day: Date| {
        let (month, date, weekday) = of_day(day);
        it.month.is_none_or(|it| it == month)
            && it.day.is_none_or(|it| it == date)
            && it.weekday.is_none_or(|it| it == weekday)
    };
    let all = |value: Option<u32>, end| value.map_or(0..end, |value| value..value + 1);
    let times = intervals.iter().flat_map(|it| {
        all(it.hour, 24).flat_map(move |hour| all(it.minute, 60).map(move |minute| (hour, minute)))
    });
    assert!(intervals.iter().all(|it| it.day.is_none() || it.weekday.is_none()));
    starts(from, |day| intervals.iter().any(|it| has(it, day)), &times.collect())
}

fn a_date() -> impl Strategy<Value = Date> {
    (2020..2040_i16, 1..=12_i8, 1..=28_i8)
        .prop_map(|(year, month, day)| Date::constant(year, month, day))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn timers_start_when_the_schedule_fires(text in cron_text(), from in a_date()) {
        let cron = Cron::parse(&text).expect("a schedule");
        let expected = expected(&cron, from);
        let schedule = Schedule { cron, zone: zone("UTC").expect("a zone") };
        let events = on_calendar(&schedule);
        prop_assert_eq!(systemd_starts(&events, from), expected.clone(), "{:?}", events);
        if let Ok(github) = github_cron(&cron) {
            prop_assert_eq!(posix_starts(&github, from), expected.clone(), "{}", github);
        }
        if let Ok(intervals) = launchd_intervals(&cron) {
            prop_assert!(intervals.len() <= INTERVALS_MAX);
            prop_assert_eq!(launchd_starts(&intervals, from), expected, "{:?}", intervals);
        }
    }
}

#[test]
fn what_a_format_cannot_state_is_refused() {
    let cron = |text: &str| Cron::parse(text).expect("a schedule");
    for text in ["0 8 */2 * 1-5", "0 8 1-7 * */2", "0 8 */3 * */2"] {
        assert_eq!(github_cron(&cron(text)), Err(TimerError::BothDayFields), "{text}");
        assert_eq!(launchd_intervals(&cron(text)), Err(TimerError::BothDayFields), "{text}");
        assert_eq!(on_calendar(&schedule(text, "UTC")).len(), 1, "{text}");
    }
    for text in ["0,4 8 * * *", "2,58 0,23 * * *", "*/2 * * * *"] {
        assert_eq!(github_cron(&cron(text)), Err(TimerError::TooClose { minutes: 5 }), "{text}");
    }
    assert_eq!(github_cron(&cron("0,5 8 * * *")).as_deref(), Ok("0,5 8 * * *"));
    // Monday 23:58 and 00:02 are no neighbours, other than on days that follow one another.
    for text in ["2,58 0,23 * * 1", "2,58 0,23 1,3 * *", "2,58 0,23 31 1,3 *"] {
        assert_eq!(github_cron(&cron(text)).as_deref(), Ok(text));
    }
    for text in ["2,58 0,23 * * 0,6", "2,58 0,23 1,31 * *", "2,58 0,23 9 * 1"] {
        assert_eq!(github_cron(&cron(text)), Err(TimerError::TooClose { minutes: 5 }), "{text}");
    }
    let max = INTERVALS_MAX;
    let many = launchd_intervals(&cron("1-20 8 1-10 1-6 *"));
    assert_eq!(many, Err(TimerError::TooManyEntries { max }));
}

#[test]
fn timers_are_as_short_as_the_schedule() {
    let of = |text: &str, zone: &str| on_calendar(&schedule(text, zone));
    let of_week = of("0 8 * * 1-5", "America/New_York");
    assert_eq!(of_week, ["Mon..Fri *-*-* 08:00:00 America/New_York"]);
    assert_eq!(of("30 7,19 * * 0,6", "UTC"), ["Sat,Sun *-*-* 07,19:30:00 UTC"]);
    assert_eq!(
        of("0 9 1,15 1-3 1", "Europe/Berlin"),
        ["*-01..03-01,15 09:00:00 Europe/Berlin", "Mon *-01..03-* 09:00:00 Europe/Berlin"]
    );
    assert_eq!(
        github_cron(&Cron::parse("0 9 1,15 1-3 1").expect("a schedule")).as_deref(),
        Ok("0 9 1,15 1-3 1")
    );
    let intervals = launchd_intervals(&Cron::parse("0 9 * * 1-5").expect("a schedule"));
    let keys: Vec<_> = intervals.expect("intervals")[0].keys().collect();
    assert_eq!(keys, [("Weekday", 1), ("Hour", 9), ("Minute", 0)]);
}

#[test]
fn clock_changes_that_concern_a_schedule_are_found() {
    let from = instant("2026-10-01T00:00:00Z");
    let change = |text: &str, zone| clock_change_after(&schedule(text, zone), from);
    assert_eq!(change("0 8 * * *", "America/New_York"), None);
    assert_eq!(change("30 2 * * *", "UTC"), None);
    let moved = change("30 2 * * *", "America/New_York").expect("a fire");
    assert_eq!(moved.at, instant("2027-03-14T07:00:00Z"));
    assert!(matches!(moved.timing, Timing::MovedFrom(_)));
    let same = |one: &str, other: &str| {
        has_same_clock(&zone(one).expect("a zone"), &zone(other).expect("a zone"), from)
    };
    assert!(same("Europe/Berlin", "Europe/Paris"));
    assert!(!same("Europe/Berlin", "Europe/London"));
    assert!(!same("America/Phoenix", "America/Denver"));
}

/// The same as systemd itself computes, where it is installed.
#[test]
fn systemd_starts_at_the_times_of_the_schedule() {
    for (text, zone) in [
        ("0 8 * * 1-5", "America/New_York"),
        ("15 7,19 */2 * 1-5", "Europe/Berlin"),
        ("30 9 1,31 * *", "Asia/Kolkata"),
        ("0 12 29 2 *", "UTC"),
        ("0 0 * 1,7 0", "Australia/Lord_Howe"),
    ] {
        let schedule = schedule(text, zone);
        let from = instant("2026-10-30T00:00:00Z");
        let [event] = &on_calendar(&schedule)[..] else { panic!("{text}") };
        let arguments = ["calendar", "--iterations=8", "--base-time=2026-10-30 00:00:00 UTC"];
        let analyze =
            Command::new("systemd-analyze").args(arguments).arg(event).env("TZ", "UTC").output();
        let Ok(found) = analyze else { return };
        let found = String::from_utf8(found.stdout).expect("text");
        let starts = found.lines().filter_map(|line| {
            let (word, time) = line.trim().split_once(": ")?;
            let is_start = word == "Next elapse" || word.starts_with("Iter.");
            let time = time.trim().get(4..)?.strip_suffix(" UTC")?.replace(' ', "T");
            is_start.then(|| instant(&format!("{time}Z")))
        });
        let starts: Vec<Timestamp> = starts.collect();
        let fires: Vec<_> = schedule.fires_after(from).take(8).map(|fire| fire.at).collect();
        assert_eq!(starts, fires, "{text}: {event}\n{found}");
    }
}
