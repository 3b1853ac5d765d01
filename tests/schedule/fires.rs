//! Schedules against what three independent engines have agreed on.

use std::fs;

use dibber_schedule::{ClockFormat, Cron, Schedule, Timing, cadence_text};
use jiff::civil::{DateTime, date};
use jiff::tz::{TimeZone, TimeZoneTransition};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use crate::support::package;

/// The rows of a table, without its heading.
fn rows(file: &str) -> Vec<Vec<String>> {
    let path = package().join("fixtures/heartbeat").join(file);
    let text = fs::read_to_string(path).expect("a table");
    let rows = text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect());
    rows.collect()
}

pub(crate) fn schedule(cron: &str, zone: &str) -> Schedule {
    let cron = Cron::parse(cron).unwrap_or_else(|error| panic!("{cron}: {error}"));
    Schedule { cron, zone: TimeZone::get(zone).expect("a zone") }
}

pub(crate) fn instant(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

/// Compares the five fires of each row, forward and backward.
fn check(file: &str) {
    let mut wrong = Vec::new();
    let rows = rows(file);
    for row in &rows {
        let schedule = schedule(&row[0], &row[1]);
        let expected: Vec<Timestamp> = row[3..8].iter().map(|text| instant(text)).collect();
        let fires: Vec<_> = schedule.fires_after(instant(&row[2])).take(5).collect();
        let found: Vec<Timestamp> = fires.iter().map(|fire| fire.at).collect();
        if found != expected {
            wrong.push(format!("{row:?}\n  found {found:?}"));
        }
        for pair in fires.windows(2) {
            if schedule.previous(pair[1].at) != Some(pair[0]) {
                wrong.push(format!(
                    "{row:?}\n  before {:?} comes {:?}, not {:?}",
                    pair[1],
                    schedule.previous(pair[1].at),
                    pair[0]
                ));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of {} rows:\n{}",
        wrong.len(),
        rows.len(),
        wrong[..wrong.len().min(10)].join("\n")
    );
}

#[test]
fn every_fire_that_three_engines_agree_on() {
    check("cron.tsv");
}

#[test]
fn every_fire_that_two_engines_agree_on() {
    check("cron-2-of-3.tsv");
}

#[test]
fn a_schedule_that_never_fires_is_known_at_once() {
    for row in rows("cron-never.tsv") {
        let schedule = schedule(&row[0], "America/New_York");
        assert_eq!(schedule.next(Timestamp::UNIX_EPOCH), None, "{row:?}");
    }
}

#[test]
fn a_step_after_a_single_value_goes_on_to_the_end_of_the_field() {
    for (short, written_out) in [
        ("0 9 * * 3/2", "0 9 * * 0,3,5"),
        ("0 9 * * WED/2", "0 9 * * 0,3,5"),
        ("0 9 * * 0/2", "0 9 * * 0,2,4,6"),
        ("0 9 * * SUN/3", "0 9 * * 0,3,6"),
        ("0 9 * * 1/3", "0 9 * * 0,1,4"),
        ("0 9 * * 2/5", "0 9 * * 0,2"),
        ("0 9 * * 4/7", "0 9 * * 4"),
        ("0 9 * * 5/1", "0 9 * * 0,5,6"),
        ("0 9 * * 7/2", "0 9 * * 0"),
        ("0 9 * * 0/7", "0 9 * * 0"),
        ("5/20 * * * *", "5,25,45 * * * *"),
        ("59/59 * * * *", "59 * * * *"),
        ("0 20/3 * * *", "0 20,23 * * *"),
        ("0 0 30/1 * *", "0 0 30,31 * *"),
        ("0 0 1 NOV/1 *", "0 0 1 11,12 *"),
    ] {
        assert_eq!(Cron::parse(short), Cron::parse(written_out), "{short}");
        let cron = Cron::parse(short).expect("a schedule");
        let text = |cron| cadence_text(cron, "Europe/London", ClockFormat::Twelve);
        let normalized = Cron::parse(&cron.normalized()).expect("a schedule");
        assert_eq!(text(&cron), text(&normalized), "{short}");
    }
    let schedule = schedule("0 9 * * 3/2", "UTC");
    let fires = schedule.fires_after(instant("2026-01-03T12:00:00Z"));
    let days: Vec<_> = fires.take(3).map(|fire| fire.at.to_string()).collect();
    assert_eq!(days, ["2026-01-04T09:00:00Z", "2026-01-07T09:00:00Z", "2026-01-09T09:00:00Z"]);
}

/// A field with numbers from `min` to `max`.
fn field(min: u8, max: u8) -> impl Strategy<Value = String> {
    let number = move || min..=max;
    let item = prop_oneof![
        4 => Just("*".to_owned()),
        4 => number().prop_map(|value| value.to_string()),
        2 => (number(), number()).prop_map(|(a, b)| format!("{}-{}", a.min(b), a.max(b))),
        2 => (1..=max.max(1)).prop_map(|step| format!("*/{step}")),
        1 => (number(), number(), 1..=max.max(1))
            .prop_map(|(a, b, step)| format!("{}-{}/{step}", a.min(b), a.max(b))),
        1 => (number(), 1..=max.max(1)).prop_map(|(value, step)| format!("{value}/{step}")),
    ];
    proptest::collection::vec(item, 1..3).prop_map(|items| items.join(","))
}

pub(crate) fn cron_text() -> impl Strategy<Value = String> {
    (field(0, 59), field(0, 23), field(1, 31), field(1, 12), field(0, 7))
        .prop_map(|(a, b, c, d, e)| format!("{a} {b} {c} {d} {e}"))
}

/// Schedules with few times of the day, which take little time to count.
fn cron_text_of_few_times() -> impl Strategy<Value = String> {
    let minutes = prop_oneof![
        (0..60_u8).prop_map(|minute| minute.to_string()),
        (0..60_u8, 0..60_u8).prop_map(|(a, b)| format!("{a},{b}")),
        (10..60_u8).prop_map(|step| format!("*/{step}")),
    ];
    (minutes, field(0, 23), field(1, 31), field(1, 12), field(0, 7))
        .prop_map(|(a, b, c, d, e)| format!("{a} {b} {c} {d} {e}"))
}

pub(crate) fn zone_name() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "America/New_York",
        "Europe/London",
        "Australia/Lord_Howe",
        "America/Santiago",
        "Asia/Kolkata",
        "Africa/Cairo",
        "America/Vancouver",
        "UTC",
    ])
}

/// An instant; every other one is within a few hours of a clock change of one of the zones, so
/// that gaps, overlaps and second passes come often.
fn an_instant() -> impl Strategy<Value = Timestamp> {
    let anywhere = 1_600_000_000_i64..2_600_000_000;
    let near_a_change = (anywhere.clone(), zone_name(), -12_000_i64..12_000).prop_map(
        |(second, zone, distance)| {
            let zone = TimeZone::get(zone).expect("a zone");
            let start = Timestamp::from_second(second).expect("an instant");
            let change = zone.following(start).next();
            change.map_or(second, |change| change.timestamp().as_second() + distance)
        },
    );
    prop_oneof![anywhere, near_a_change]
        .prop_map(|second| Timestamp::from_second(second).expect("an instant"))
}

/// Every minute of the wall clock for which a fire counts, over that many days: each that the
/// schedule matches, and each that comes a second time to a job that follows the clock.
pub(crate) fn counted_minutes(schedule: &Schedule, from: Timestamp, days: i64) -> Vec<i64> {
    let utc = Schedule { cron: schedule.cron, zone: TimeZone::UTC };
    let start = schedule.zone.to_datetime(from).to_zoned(TimeZone::UTC).expect("UTC").timestamp();
    let length = SignedDuration::from_hours(24 * days);
    let of_calendar = utc.fires_between(start, start + length);
    let mut minutes: Vec<i64> = of_calendar.iter().map(|fire| fire.at.as_second() / 60).collect();
    // No clock shows more than three hours again, and nothing but a change of the clocks does it.
    let changes = schedule.zone.following(from - SignedDuration::from_hours(3));
    let changes = changes.map(|change| change.timestamp()).take_while(|at| *at < from + length);
    for change in changes {
        let after = from.max(change - SignedDuration::from_secs(1));
        for fire in schedule.fires_between(after, change + SignedDuration::from_hours(3)) {
            if fire.timing == Timing::Repeated {
                let local = schedule.zone.to_offset(fire.at);
                minutes.push((fire.at.as_second() + i64::from(local.seconds())) / 60);
            }
        }
    }
    minutes.sort_unstable();
    minutes
}

/// The most of these minutes, which are in order, in any 24 hours.
pub(crate) fn most_in_24_hours(minutes: &[i64]) -> usize {
    let mut first = 0;
    let counts = minutes.iter().enumerate().map(|(last, at)| {
        while minutes[first] <= at - 24 * 60 {
            first += 1;
        }
        last + 1 - first
    });
    counts.max().unwrap_or(0)
}

/// Compares the peak with what is counted over 800 days.
fn check_peak(cron: &str, zone: &str) -> Result<(), TestCaseError> {
    let schedule = schedule(cron, zone);
    let from = instant("2026-01-01T12:00:00Z");
    let most = most_in_24_hours(&counted_minutes(&schedule, from, 800));
    let Some(peak) = schedule.peak(from) else {
        prop_assert_eq!(most, 0);
        return Ok(());
    };
    prop_assert!(peak.fires as usize >= most, "{} {}: {:?}, counted {}", cron, zone, peak, most);
    if peak.day < date(2028, 3, 1) {
        prop_assert_eq!(peak.fires as usize, most, "{} {}: {:?}", cron, zone, peak);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]

    #[test]
    fn the_peak_is_the_most_of_any_24_hours_however_often_it_fires(
        cron in cron_text(),
        zone in zone_name(),
    ) {
        check_peak(&cron, zone)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn the_peak_is_the_most_of_any_24_hours(
        cron in cron_text_of_few_times(),
        zone in zone_name(),
    ) {
        check_peak(&cron, zone)?;
    }

    #[test]
    fn fires_go_forward_and_back_the_same_way(
        cron in cron_text(),
        zone in zone_name(),
        from in an_instant(),
    ) {
        let schedule = schedule(&cron, zone);
        let fires: Vec<_> = schedule.fires_after(from).take(40).collect();
        prop_assert!(fires.iter().all(|fire| fire.at > from));
        for pair in fires.windows(2) {
            prop_assert!(pair[0].at < pair[1].at);
            prop_assert_eq!(schedule.previous(pair[1].at), Some(pair[0]));
        }
    }

    #[test]
    fn the_fires_of_a_span_are_those_that_come_one_after_the_other(
        cron in cron_text(),
        zone in zone_name(),
        from in an_instant(),
        minutes in 0_i64..60_000,
    ) {
        let schedule = schedule(&cron, zone);
        let until = from + SignedDuration::from_mins(minutes);
        let expected: Vec<_> =
            schedule.fires_after(from).take(400).take_while(|fire| fire.at <= until).collect();
        let mut found = schedule.fires_between(from, until);
        found.truncate(400);
        prop_assert_eq!(found, expected, "{} {} {} {}", cron, zone, from, until);
    }

    #[test]
    fn a_schedule_in_its_normal_form_is_the_same_schedule(cron in cron_text()) {
        let parsed = Cron::parse(&cron).expect("a schedule");
        let normalized = parsed.normalized();
        prop_assert_eq!(Cron::parse(&normalized), Ok(parsed), "{}", normalized);
        prop_assert_eq!(Cron::parse(&normalized).expect("a schedule").normalized(), normalized);
    }

    #[test]
    fn any_string_of_many_fields_can_be_parsed(text in "[0-9*, \t?=-]{0,40}") {
        let _ = Cron::parse(&text);
    }

    #[test]
    fn any_string_can_be_parsed(text in "[-0-9*/, a-zA-Z@#?\u{1B}\u{FF10}é\\t]{0,40}") {
        match Cron::parse(&text) {
            Ok(cron) => {
                cadence_text(&cron, "Europe/London", ClockFormat::Twelve);
            }
            Err(error) => {
                prop_assert!(text.get(error.span.range()).is_some(), "{:?}", error);
            }
        }
    }
}

/// Returns `true` if a field of numbers allows a value, parsed independently of the engine.
fn allows(field: &str, value: i8, last: i8) -> bool {
    field.split(',').any(|item| {
        let (range, step) = item.split_once('/').unwrap_or((item, "1"));
        let step: i8 = step.parse().expect("a step");
        let number = |text: &str| text.parse::<i8>().expect("a number");
        let (from, to) = match range.split_once('-') {
            Some((from, to)) => (number(from), number(to)),
            None if range == "*" => (first_of(last), last),
            None if item.contains('/') => (number(range), last),
            None => (number(range), number(range)),
        };
        (from..=to).step_by(usize::try_from(step).expect("a step")).any(|allowed| allowed == value)
    })
}

/// The first value of the field that ends with `last`: days and months begin with 1.
const fn first_of(last: i8) -> i8 {
    if last == 31 || last == 12 { 1 } else { 0 }
}

/// Returns `true` if a schedule matches a minute on the clock, as `crontab(5)` describes it.
fn matches_minute(cron: &str, at: DateTime) -> bool {
    let fields: Vec<&str> = cron.split(' ').collect();
    let weekday = at.weekday().to_sunday_zero_offset();
    let is_date = allows(fields[2], at.day(), 31);
    let is_weekday = allows(fields[4], weekday, 7) || (weekday == 0 && allows(fields[4], 7, 7));
    let are_joined = fields[2].starts_with('*') || fields[4].starts_with('*');
    allows(fields[0], at.minute(), 59)
        && allows(fields[1], at.hour(), 23)
        && allows(fields[3], at.month(), 12)
        && if are_joined { is_date && is_weekday } else { is_date || is_weekday }
}

/// The fires of some days, found by looking at the clock each minute, as cron does.
fn minute_by_minute(cron: &str, zone: &TimeZone, after: Timestamp, minutes: i64) -> Vec<Timestamp> {
    let follows_the_clock = cron.split(' ').take(2).any(|field| field.starts_with('*'));
    let mut fires = Vec::new();
    let start = after.as_second().div_euclid(60);
    // What the clock has shown in the three hours before counts as shown.
    let clock = |minute: i64| {
        let at = Timestamp::from_second(minute * 60).expect("an instant");
        (at, zone.to_datetime(at))
    };
    let mut latest = clock(start - 180).1;
    for minute in start - 179..=start + minutes {
        let (at, now) = clock(minute);
        let expected = latest + SignedDuration::from_mins(1);
        let skipped =
            std::iter::successors(Some(expected), |at| Some(*at + SignedDuration::from_mins(1)))
                .take_while(|at| *at < now)
                .any(|at| matches_minute(cron, at));
        let is_second_time = now <= latest;
        let fires_now = matches_minute(cron, now) && (follows_the_clock || !is_second_time)
            || skipped && !follows_the_clock;
        latest = latest.max(now);
        if fires_now && at > after {
            fires.push(at);
        }
    }
    fires
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn fires_are_those_of_a_clock_that_is_watched(
        cron in cron_text(),
        zone in zone_name(),
        change in 0_usize..12,
        before in 0_i64..3_000,
    ) {
        let schedule = schedule(&cron, zone);
        let from = instant("2026-01-01T00:00:00Z");
        let changes: Vec<_> = schedule.zone.following(from).take(change + 1).collect();
        let near = changes.last().map_or(from, TimeZoneTransition::timestamp);
        let after = near - SignedDuration::from_mins(before);
        let minutes = 3 * 24 * 60;
        let expected = minute_by_minute(&cron, &schedule.zone, after, minutes);
        let end = after + SignedDuration::from_mins(minutes);
        let found: Vec<_> = schedule.fires_after(after).map(|fire| fire.at)
            .take_while(|at| *at <= end).collect();
        prop_assert_eq!(found, expected, "{} {} after {}", cron, zone, after);
    }
}
