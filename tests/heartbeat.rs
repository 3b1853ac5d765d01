//! Schedules against what three independent engines have agreed on.

use std::fs;

use dibber::heartbeat::{Cron, Schedule};
use jiff::Timestamp;
use jiff::tz::TimeZone;

use crate::support::package;

/// The rows of a table, without its heading.
fn rows(file: &str) -> Vec<Vec<String>> {
    let path = package().join("fixtures/heartbeat").join(file);
    let text = fs::read_to_string(path).expect("a table");
    let rows = text.lines().skip(1).map(|line| line.split('\t').map(str::to_owned).collect());
    rows.collect()
}

fn schedule(cron: &str, zone: &str) -> Schedule {
    let cron = Cron::parse(cron).unwrap_or_else(|error| panic!("{cron}: {error}"));
    Schedule { cron, zone: TimeZone::get(zone).expect("a zone") }
}

fn instant(text: &str) -> Timestamp {
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
fn what_never_fires_is_known_at_once() {
    for row in rows("cron-never.tsv") {
        let schedule = schedule(&row[0], "America/New_York");
        assert_eq!(schedule.next(Timestamp::UNIX_EPOCH), None, "{row:?}");
    }
}
