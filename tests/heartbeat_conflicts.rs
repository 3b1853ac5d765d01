//! Conflicts, the cap of a set, and what to do about it, against counting fire by fire.

use dibber::heartbeat::{
    CONFLICTS_MAX, Conflict, ConflictKind, Cron, Fire, Schedule, Timing, conflicts,
};
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

fn schedule(cron: &str, zone: &str) -> Schedule {
    let cron = Cron::parse(cron).unwrap_or_else(|error| panic!("{cron}: {error}"));
    Schedule { cron, zone: TimeZone::get(zone).expect("a zone") }
}

fn schedules(crons: &[(&str, &str)]) -> Vec<Schedule> {
    crons.iter().map(|(cron, zone)| schedule(cron, zone)).collect()
}

fn instant(text: &str) -> Timestamp {
    text.parse().expect("an instant")
}

fn any_of(values: &'static [&'static str]) -> impl Strategy<Value = &'static str> {
    prop::sample::select(values)
}

/// Schedules of the kind that people write, at times at which they meet, and clocks change.
fn heartbeat_cron() -> impl Strategy<Value = String> {
    let minutes = any_of(&["0", "5", "30", "55", "0,30", "*/30", "*/45", "10,50", "59"]);
    let hours = any_of(&["0", "1", "2", "3", "0,23", "8", "1-3", "*", "*/6", "23", "9,17", "12"]);
    let dates = any_of(&["*", "*", "*", "*/2", "1", "29", "31", "1-7", "8,9"]);
    let months = any_of(&["*", "*", "*", "1", "2", "3", "12", "10,11"]);
    let weekdays = any_of(&["*", "*", "1-5", "0", "0,6", "1", "*/3"]);
    (minutes, hours, dates, months, weekdays)
        .prop_map(|(a, b, c, d, e)| format!("{a} {b} {c} {d} {e}"))
}

fn zone_name() -> impl Strategy<Value = &'static str> {
    any_of(&[
        "America/New_York",
        "Europe/London",
        "Australia/Lord_Howe",
        "America/Santiago",
        "Asia/Kolkata",
        "Africa/Cairo",
        "UTC",
    ])
}

/// An instant in one of eight years, often one in an hour that a clock change repeats.
fn start() -> impl Strategy<Value = Timestamp> {
    let repeated =
        any_of(&["2026-11-01T06:10:00Z", "2027-04-03T15:10:00Z", "2026-10-25T01:30:00Z"]);
    prop_oneof![
        3 => (1_767_225_600_i64..2_019_686_400)
            .prop_map(|second| Timestamp::from_second(second).expect("an instant")),
        1 => repeated.prop_map(instant),
    ]
}

/// The fires of two schedules that are at most `within` minutes apart.
fn pairs_near(a: &[Fire], b: &[Fire], within: i64) -> Vec<(Fire, Fire)> {
    let mut pairs = Vec::new();
    let mut first = 0;
    for fire in a {
        while first < b.len() && b[first].at.duration_until(fire.at).as_mins() > within {
            first += 1;
        }
        let near =
            b[first..].iter().take_while(|b| fire.at.duration_until(b.at).as_mins() <= within);
        pairs.extend(near.map(|b| (*fire, *b)));
    }
    pairs
}

/// What there must be in a list of conflicts of two schedules, for two fires that are near.
fn check_pair(
    found: &[Conflict],
    (a, b): (&Schedule, &Schedule),
    pair: (Fire, Fire),
    is_in_horizon: bool,
) -> Result<(), TestCaseError> {
    let kinds: Vec<ConflictKind> = found.iter().map(|conflict| conflict.kind).collect();
    let offset = |fire: Fire| a.zone.to_offset(fire.at);
    let on_calendar = a.zone == b.zone
        && pair.0.timing == Timing::OnTime
        && pair.1.timing == Timing::OnTime
        && offset(pair.0) == offset(pair.1);
    let same_minute = pair.0.at == pair.1.at;
    if on_calendar && same_minute {
        let grave = [ConflictKind::Duplicate, ConflictKind::SameMinute];
        prop_assert!(kinds.iter().any(|kind| grave.contains(kind)), "{:?}: {:?}", pair, kinds);
        prop_assert_eq!(kinds.contains(&ConflictKind::Duplicate), a.cron == b.cron);
    } else if on_calendar || is_in_horizon {
        prop_assert!(!kinds.is_empty(), "{:?}", pair);
        if same_minute {
            prop_assert!(
                kinds.iter().any(|kind| *kind != ConflictKind::Near),
                "{:?}: {:?}",
                pair,
                kinds
            );
        }
    }
    Ok(())
}

/// Compares the conflicts of schedules with those that are seen fire by fire, over three years.
fn check(schedules: &[Schedule], from: Timestamp, within: u32) -> Result<(), TestCaseError> {
    let until = from + SignedDuration::from_hours(3 * 366 * 24);
    let found = conflicts(schedules, from, within);
    prop_assert_eq!(found.left_out, 0);
    let fires: Vec<_> = schedules.iter().map(|one| one.fires_between(from, until)).collect();
    for (index, first) in schedules.iter().enumerate() {
        for (other, second) in schedules.iter().enumerate().skip(index + 1) {
            let of_pair = found.found.iter().filter(|one| one.schedules == (index, other));
            let of_pair: Vec<Conflict> = of_pair.copied().collect();
            let near = pairs_near(&fires[index], &fires[other], i64::from(within));
            for pair in &near {
                let is_in_horizon = pair.0.at.max(pair.1.at) <= found.horizon.until;
                check_pair(&of_pair, (first, second), *pair, is_in_horizon)?;
            }
            for conflict in of_pair {
                let (a, b) = conflict.first;
                prop_assert!(a.at > from && b.at > from);
                let apart = a.at.duration_until(b.at).abs().as_mins();
                let may_be_apart = match conflict.kind {
                    ConflictKind::Duplicate | ConflictKind::SameMinute => 0,
                    ConflictKind::ClockChange | ConflictKind::Near => i64::from(within),
                };
                prop_assert!(apart <= may_be_apart, "{:?}", conflict);
                prop_assert_eq!(first.next(a.at - SignedDuration::from_secs(1)), Some(a));
                prop_assert_eq!(second.next(b.at - SignedDuration::from_secs(1)), Some(b));
                if let Some(count) = conflict.count {
                    let is_in = |at: Timestamp| at <= found.horizon.until;
                    prop_assert!(is_in(a.at) && is_in(b.at));
                    prop_assert!(count >= 1);
                }
                if conflict.kind == ConflictKind::SameMinute && a.at <= until {
                    let expected = near.iter().find(|(a, b)| a.at == b.at);
                    prop_assert_eq!(Some(&conflict.first), expected);
                }
            }
        }
    }
    Ok(())
}

const CASES: u32 = 128;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn conflicts_in_one_zone_are_those_that_happen(
        crons in prop::collection::vec(heartbeat_cron(), 2..5),
        zone in zone_name(),
        from in start(),
        within in prop_oneof![Just(0_u32), 1..90_u32],
    ) {
        let schedules: Vec<_> = crons.iter().map(|cron| schedule(cron, zone)).collect();
        check(&schedules, from, within)?;
    }

    #[test]
    fn conflicts_across_zones_are_those_that_happen(
        crons in prop::collection::vec((heartbeat_cron(), zone_name()), 2..4),
        from in start(),
        within in prop_oneof![Just(0_u32), 1..90_u32],
    ) {
        let schedules: Vec<_> = crons.iter().map(|(cron, zone)| schedule(cron, zone)).collect();
        check(&schedules, from, within)?;
    }
}

const NEW_YORK: &str = "America/New_York";

/// The conflicts of schedules, a line for each.
fn shown(crons: &[(&str, &str)], within: u32) -> String {
    let schedules = schedules(crons);
    let found = conflicts(&schedules, instant("2026-11-21T12:00:00Z"), within);
    let mut text = String::new();
    for conflict in &found.found {
        let (a, b) = conflict.schedules;
        let zoned = |fire: Fire, of: usize| {
            fire.at.to_zoned(schedules[of].zone.clone()).strftime("%F %H:%M%:z").to_string()
        };
        text += &format!(
            "{:?}: {} and {}: {} and {}, {:?} times\n",
            conflict.kind,
            crons[a].0,
            crons[b].0,
            zoned(conflict.first.0, a),
            zoned(conflict.first.1, b),
            conflict.count,
        );
    }
    text
}

#[test]
fn conflicts_on_the_calendar() {
    insta::assert_snapshot!(shown(
        &[
            ("0 8 * * 1-5", NEW_YORK),
            ("0 8 * * MON-FRI", NEW_YORK),
            ("0 8,20 * * 0,1", NEW_YORK),
            ("55 23 31 12 *", NEW_YORK),
            ("0 0 1 1 *", NEW_YORK),
            ("0 20 29 2 1", NEW_YORK),
            ("0 20 29 2 *", NEW_YORK),
        ],
        10,
    ));
}

#[test]
fn conflicts_that_a_clock_change_makes() {
    insta::assert_snapshot!(shown(
        &[("30 2 * * *", NEW_YORK), ("0 3 * * *", NEW_YORK), ("*/30 1 * * *", NEW_YORK)],
        0,
    ));
    insta::assert_snapshot!(shown(
        &[
            ("50 1 * * *", NEW_YORK),
            ("5 3 * * *", NEW_YORK),
            ("*/20 1 * * *", NEW_YORK),
            ("55 1 * * *", NEW_YORK)
        ],
        15,
    ));
}

#[test]
fn conflicts_across_zones() {
    insta::assert_snapshot!(shown(
        &[
            ("0 8 * * *", NEW_YORK),
            ("0 12 * * *", "Europe/London"),
            ("30 18 * * *", "Asia/Kolkata")
        ],
        0,
    ));
}

#[test]
fn a_list_of_conflicts_has_an_end() {
    let same = vec![schedule("0 8 * * *", NEW_YORK); 60];
    let found = conflicts(&same, instant("2026-11-21T12:00:00Z"), 0);
    assert_eq!(found.found.len(), CONFLICTS_MAX);
    assert_eq!(found.left_out, 60 * 59 / 2 - CONFLICTS_MAX);
    let busy = vec![schedule("* * * * *", NEW_YORK); 40];
    let found = conflicts(&busy, instant("2026-11-21T12:00:00Z"), 0);
    let days = found.horizon.after.duration_until(found.horizon.until).as_hours() / 24;
    assert_eq!(days, 4_000_000 / (40 * 24 * 60));
}
