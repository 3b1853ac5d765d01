//! Calendar files of heartbeats.

use std::collections::{BTreeSet, HashMap};

use dibber_schedule::{
    ClockFormat, EVENTS_MAX, IcsCalendar, NamedSchedule, Schedule, ics_calendar,
};
use jiff::civil::DateTime;
use jiff::tz::Offset;
use jiff::{Span, Timestamp};
use proptest::prelude::*;

use crate::schedule::fires::{cron_text, instant, schedule, zone_name};

fn make(heartbeats: &[(&str, Schedule)], until: &str) -> Option<IcsCalendar> {
    let heartbeats: Vec<_> =
        heartbeats.iter().map(|(name, schedule)| NamedSchedule { name, schedule }).collect();
    let (from, made) = (instant("2026-10-30T00:00:00Z"), instant("2026-10-29T12:34:56Z"));
    ics_calendar(&heartbeats, from, instant(until), made, ClockFormat::Twelve)
}

/// Fails for what is no iCalendar, and gives the lines as they were before they were folded.
fn check(calendar: &IcsCalendar) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in calendar.text.strip_suffix("\r\n").expect("a line break").split("\r\n") {
        assert!(line.len() <= 75, "{} bytes: {line}", line.len());
        assert!(!line.contains(char::is_control), "{line:?}");
        match line.strip_prefix(' ') {
            Some(more) => lines.last_mut().expect("a line to go on with").push_str(more),
            None => lines.push(line.to_owned()),
        }
    }
    let mut open = Vec::new();
    for line in &lines {
        let (name, value) = line.split_once(':').expect("a name and a value");
        match name {
            "BEGIN" => open.push(value),
            "END" => assert_eq!(open.pop(), Some(value)),
            _ => assert!(!open.is_empty(), "{line}"),
        }
    }
    assert!(open.is_empty());
    let uids: Vec<_> = lines.iter().filter(|line| line.starts_with("UID:")).collect();
    assert_eq!(uids.len(), calendar.events);
    assert_eq!(uids.iter().collect::<BTreeSet<_>>().len(), uids.len(), "each UID is its own");
    lines
}

#[test]
fn a_calendar() {
    let heartbeats = [
        (
            "Morning check-in; with, commas \\ and a very long name that goes on — über alles — 朝のチェックイン",
            "0 8 * * 1-5",
        ),
        ("\u{1B}[31mred\r\nEND:VCALENDAR", "30 1 1 11 *"),
        ("Twice", "*/30 1 1 11 *"),
        (" ", "0 0 2 11 *"),
    ];
    let heartbeats = heartbeats.map(|(name, cron)| (name, schedule(cron, "America/New_York")));
    let calendar = make(&heartbeats, "2026-11-03T00:00:00Z").expect("fires");
    check(&calendar);
    insta::assert_snapshot!("heartbeat-calendar", calendar.text.replace("\r\n", "\n"));
}

#[test]
fn a_calendar_of_nothing_is_none() {
    let never = [("Never", schedule("0 0 30 2 *", "America/New_York"))];
    assert_eq!(make(&never, "2027-01-01T00:00:00Z"), None);
    assert_eq!(make(&[], "2027-01-01T00:00:00Z"), None);
}

#[test]
fn a_calendar_has_a_limit_and_names_its_end() {
    // No rule means "the 1st, and also every Monday".
    let often = ["* * 1-20 * 1", "0 8 1-20 * 1"].map(|cron| ("Often", schedule(cron, "UTC")));
    let calendar = make(&often, "2027-10-30T00:00:00Z").expect("fires");
    let lines = check(&calendar);
    assert_eq!(calendar.events, EVENTS_MAX);
    let cut_at = calendar.cut_at.expect("too many");
    let last = lines.iter().rfind(|line| line.starts_with("DTSTART:")).expect("an event");
    assert!(**last <= *format!("DTSTART:{}", cut_at.strftime("%Y%m%dT%H%M%SZ")), "{last} {cut_at}");
}

#[test]
fn events_keep_their_identity() {
    let one = [("Morning", schedule("0 8 1-20 * 1", "America/New_York"))];
    let uids = |calendar: Option<IcsCalendar>| {
        let lines = check(&calendar.expect("fires"));
        lines.into_iter().filter(|line| line.starts_with("UID:")).collect::<Vec<_>>()
    };
    let (short, long) = (make(&one, "2026-11-05T00:00:00Z"), make(&one, "2026-11-15T00:00:00Z"));
    let (short, long) = (uids(short), uids(long));
    assert_eq!(short[..], long[..short.len()]);
    let other = [("Evening", schedule("0 8 * * *", "America/New_York"))];
    assert!(uids(make(&other, "2026-11-05T00:00:00Z")).iter().all(|uid| !short.contains(uid)));
    // One that is repeated by a rule keeps its own, whenever it begins and ends.
    let (short, long) =
        (make(&other, "2026-11-05T00:00:00Z"), make(&other, "2026-11-15T00:00:00Z"));
    assert_eq!(uids(short), uids(long));
}

/// Returns the start and the rule of the only event of a schedule in the next year.
fn rule(cron: &str, zone: &str) -> Vec<String> {
    let heartbeats = [("One", schedule(cron, zone))];
    let lines = check(&make(&heartbeats, "2027-10-30T00:00:00Z").expect("fires"));
    let is_time = |line: &String| line.starts_with("DTSTART;") || line.starts_with("RRULE:");
    let times =
        lines.iter().skip_while(|line| *line != "BEGIN:VEVENT").filter(|line| is_time(line));
    times.cloned().collect()
}

#[test]
fn a_schedule_is_repeated_by_a_rule() {
    let until = ";UNTIL=20271029T235959Z";
    for (cron, start, expected) in [
        ("30 19 * * *", "20261030T193000", "FREQ=DAILY"),
        ("0 8 * * 1-5", "20261030T080000", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"),
        ("0 8,20 * * 0", "20261101T080000", "FREQ=WEEKLY;BYDAY=SU;BYHOUR=8,20;BYMINUTE=0"),
        ("15 9 1,31 * *", "20261031T091500", "FREQ=MONTHLY;BYMONTHDAY=1,31"),
        ("0 7 * 1-3 *", "20270101T070000", "FREQ=DAILY;BYMONTH=1,2,3"),
        // Once on the night on which the clock shows this time twice.
        ("30 2 * 10 *", "20261030T023000", "FREQ=DAILY;BYMONTH=10"),
    ] {
        let expected =
            [format!("DTSTART;TZID=Europe/Berlin:{start}"), format!("RRULE:{expected}{until}")];
        assert_eq!(rule(cron, "Europe/Berlin"), expected, "{cron}");
    }
    // Two kinds of days, a time that a clock change skips, and a repeated one that fires twice.
    for cron in ["0 8 13 * 5", "30 2 * * *", "*/30 2 * 10 *"] {
        assert_eq!(rule(cron, "Europe/Berlin"), Vec::<String>::new(), "{cron}");
    }
}

#[test]
fn a_calendar_with_rules() {
    let heartbeats = [
        ("Story time", schedule("30 19 * * *", "Europe/Berlin")),
        ("Weekly plan", schedule("0 18 * * 0", "Europe/Berlin")),
        ("Allowance", schedule("0 9 1 * *", "Asia/Tokyo")),
        ("Backup", schedule("0 3 * * *", "UTC")),
    ];
    let calendar = make(&heartbeats, "2027-10-30T00:00:00Z").expect("fires");
    assert_eq!((calendar.events, calendar.cut_at), (4, None));
    check(&calendar);
    insta::assert_snapshot!(calendar.text.replace("\r\n", "\n"));
}

/// Returns the instants of all events, from the file alone.
fn expanded(lines: &[String]) -> Vec<Timestamp> {
    let (mut changes, mut kinds, mut instants) = (Vec::new(), Vec::new(), Vec::new());
    let (mut zone, mut start, mut rule) = ("", None, None);
    for line in lines {
        let (name, value) = line.split_once(':').expect("a name and a value");
        match (name.split_once(';').map_or(name, |(name, _)| name), value) {
            ("BEGIN", kind) => kinds.push(kind),
            ("TZID", name) => zone = name,
            ("TZOFFSETFROM", offset) => changes.push((zone, start.expect("an onset"), offset, "")),
            ("TZOFFSETTO", offset) => changes.last_mut().expect("a change").3 = offset,
            ("DTSTART", time) => {
                zone = name.split_once("TZID=").map_or(zone, |(_, zone)| zone);
                start = Some(time);
            }
            ("RRULE", parts) => rule = Some(parts),
            ("END", kind) => {
                assert_eq!(kinds.pop(), Some(kind));
                if let ("VEVENT", Some(start)) = (kind, start.take()) {
                    let of_zone: Vec<_> = changes.iter().filter(|it| it.0 == zone).collect();
                    let to_instant = |local: DateTime| instant_of(local, &of_zone);
                    instants.extend(repeated(start, rule.take(), to_instant));
                }
            }
            _ => {}
        }
    }
    instants.sort_unstable();
    instants
}

/// A zone, the local time of a change, and the offsets before and after it.
type Change<'a> = (&'a str, &'a str, &'a str, &'a str);

fn instant_of(local: DateTime, changes: &[&Change<'_>]) -> Timestamp {
    let at = |local: DateTime, offset: &str| {
        let (sign, digits) = offset.split_at(1);
        let number = |digits: &str| digits.parse::<i32>().expect("digits");
        let seconds = number(&digits[..2]) * 3600 + number(&digits[2..4]) * 60;
        let seconds = if sign == "-" { -seconds } else { seconds };
        let offset = Offset::from_seconds(seconds).expect("an offset");
        offset.to_timestamp(local).expect("an instant")
    };
    let is_over = |change: &&&Change<'_>| {
        let onset = DateTime::strptime("%Y%m%dT%H%M%S", change.1).expect("a time");
        at(local, change.2) >= at(onset, change.2)
    };
    at(local, changes.iter().rfind(is_over).expect("a change before it").3)
}

/// Returns the instants of an event.
fn repeated(
    start: &str,
    rule: Option<&str>,
    to_instant: impl Fn(DateTime) -> Timestamp,
) -> Vec<Timestamp> {
    let format = "%Y%m%dT%H%M%S";
    let local = DateTime::strptime(format, start.trim_end_matches('Z')).expect("a time");
    let to_instant = |local: DateTime| {
        if start.ends_with('Z') {
            Offset::UTC.to_timestamp(local).expect("an instant")
        } else {
            to_instant(local)
        }
    };
    let Some(rule) = rule else { return vec![to_instant(local)] };
    let parts: HashMap<&str, &str> = rule.split(';').filter_map(|it| it.split_once('=')).collect();
    let until = DateTime::strptime(format, parts["UNTIL"].trim_end_matches('Z')).expect("a time");
    let until = Offset::UTC.to_timestamp(until).expect("an instant");
    let has = |name: &str, value: &str| {
        parts.get(name).is_none_or(|values| values.split(',').any(|it| it == value))
    };
    let values = |name: &str, own: i8| -> Vec<i8> {
        let typed =
            parts.get(name).map(|values| values.split(',').map(|it| it.parse().expect("a number")));
        typed.map_or_else(|| vec![own], Iterator::collect)
    };
    let (hours, minutes) = (values("BYHOUR", local.hour()), values("BYMINUTE", local.minute()));
    let mut instants = Vec::new();
    let days = local.date().series(Span::new().days(1));
    for day in days.take_while(|day| {
        day.at(0, 0, 0, 0) <= Offset::UTC.to_datetime(until) + Span::new().days(2)
    }) {
        let weekday = day.strftime("%a").to_string()[..2].to_uppercase();
        let is_day = has("BYDAY", &weekday)
            && has("BYMONTHDAY", &day.day().to_string())
            && has("BYMONTH", &day.month().to_string());
        for (hour, minute) in
            hours.iter().flat_map(|hour| minutes.iter().map(move |it| (*hour, *it)))
        {
            let at = day.at(hour, minute, 0, 0);
            if is_day && at >= local {
                instants.push(to_instant(at));
            }
        }
    }
    instants.retain(|at| *at <= until);
    instants
}

/// A schedule at one or two times on days of one kind, as most are.
fn simple_cron() -> impl Strategy<Value = String> {
    let hours = prop_oneof![(0..24_u8).prop_map(|hour| hour.to_string()), Just("1,2".to_owned())];
    let days = prop_oneof![Just("* * *"), Just("* * 1-5"), Just("31,1 * *"), Just("* 3,11 *")];
    (0..60_u8, hours, days).prop_map(|(minute, hours, days)| format!("{minute} {hours} {days}"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_calendar_is_well_formed(
        name in "\\PC{0,40}.{0,40}",
        crons in prop::collection::vec(cron_text(), 1..4),
        zone in zone_name(),
    ) {
        let heartbeats: Vec<_> =
            crons.iter().map(|cron| (name.as_str(), schedule(cron, zone))).collect();
        if let Some(calendar) = make(&heartbeats, "2026-11-08T00:00:00Z") {
            check(&calendar);
        }
    }

    #[test]
    fn events_are_at_the_fires(
        cron in prop_oneof![cron_text(), simple_cron()],
        zone in zone_name(),
    ) {
        let schedule = schedule(&cron, zone);
        let (from, until) = (instant("2026-10-30T00:00:00Z"), "2027-10-30T00:00:00Z");
        let fires = schedule.fires_after(from).take_while(|fire| fire.at < instant(until));
        let fires: Vec<_> = fires.map(|fire| fire.at).collect();
        match make(&[("One", schedule)], until) {
            None => prop_assert!(fires.is_empty()),
            Some(calendar) if calendar.cut_at.is_none() => {
                prop_assert_eq!(expanded(&check(&calendar)), fires);
            }
            Some(_) => {}
        }
    }
}
