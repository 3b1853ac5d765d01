//! Calendar files of heartbeats.

use std::collections::BTreeSet;

use dibber_schedule::{
    ClockFormat, EVENTS_MAX, IcsCalendar, NamedSchedule, Schedule, ics_calendar,
};
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
    let often = ["* * * * *", "0 8 * * *"].map(|cron| ("Often", schedule(cron, "UTC")));
    let calendar = make(&often, "2027-10-30T00:00:00Z").expect("fires");
    let lines = check(&calendar);
    assert_eq!(calendar.events, EVENTS_MAX);
    let cut_at = calendar.cut_at.expect("too many");
    let last = lines.iter().rfind(|line| line.starts_with("DTSTART:")).expect("an event");
    assert!(**last <= *format!("DTSTART:{}", cut_at.strftime("%Y%m%dT%H%M%SZ")), "{last} {cut_at}");
}

#[test]
fn events_keep_their_identity() {
    let one = [("Morning", schedule("0 8 * * *", "America/New_York"))];
    let uids = |calendar: Option<IcsCalendar>| {
        let lines = check(&calendar.expect("fires"));
        lines.into_iter().filter(|line| line.starts_with("UID:")).collect::<Vec<_>>()
    };
    let (short, long) = (make(&one, "2026-11-05T00:00:00Z"), make(&one, "2026-11-15T00:00:00Z"));
    let (short, long) = (uids(short), uids(long));
    assert_eq!(short[..], long[..short.len()]);
    let other = [("Evening", schedule("0 8 * * *", "America/New_York"))];
    assert!(uids(make(&other, "2026-11-05T00:00:00Z")).iter().all(|uid| !short.contains(uid)));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

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
}
