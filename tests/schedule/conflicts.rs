//! Conflicts, the cap of a set, and what to do about it, against counting fire by fire.

use dibber_schedule::{
    CONFLICTS_MAX, Conflict, ConflictKind, Cron, FIRES_PER_DAY_MAX, Fire, Schedule, Timing,
    combined_peak, conflicts,
};
use jiff::{SignedDuration, Timestamp};
use proptest::prelude::*;

use crate::schedule::fires::{counted_minutes, cron_text, instant, most_in_24_hours, schedule};

fn schedules(crons: &[(&str, &str)]) -> Vec<Schedule> {
    crons.iter().map(|(cron, zone)| schedule(cron, zone)).collect()
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

const CASES: u32 = 96;

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

/// Midnight on the clock of a schedule, and the wall clock's minutes that count from there on.
fn combined_minutes(schedules: &[Schedule], days: i64) -> (Timestamp, Vec<i64>) {
    let midnight = jiff::civil::date(2026, 1, 1).at(0, 0, 0, 0);
    let from = schedules[0].zone.to_timestamp(midnight).expect("an instant");
    // A fire at midnight belongs to the day.
    let before = from - SignedDuration::from_secs(1);
    let minutes = schedules.iter().flat_map(|one| counted_minutes(one, before, days));
    let mut minutes: Vec<i64> = minutes.collect();
    minutes.sort_unstable();
    (from, minutes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(CASES))]

    #[test]
    fn the_peak_of_a_set_is_the_most_of_any_24_hours(
        crons in prop::collection::vec(heartbeat_cron(), 1..5),
        zone in zone_name(),
    ) {
        let schedules: Vec<_> = crons.iter().map(|cron| schedule(cron, zone)).collect();
        let (from, minutes) = combined_minutes(&schedules, 800);
        let most = most_in_24_hours(&minutes);
        let Some(together) = combined_peak(&schedules, from) else {
            prop_assert_eq!(most, 0);
            return Ok(());
        };
        let peak = together.peak;
        prop_assert_eq!(together.horizon, None);
        prop_assert!(peak.fires as usize >= most, "{:?}, counted {}", peak, most);
        if peak.day < jiff::civil::date(2028, 3, 1) {
            prop_assert_eq!(peak.fires as usize, most, "{:?}", peak);
            let start = jiff::tz::Offset::UTC.to_timestamp(peak.day.at(0, 0, 0, 0)).expect("a day");
            let start = start.as_second() / 60;
            let on_day = |at: &i64| (start..start + 2 * 24 * 60).contains(at);
            let two_days: Vec<i64> = minutes.iter().copied().filter(on_day).collect();
            prop_assert_eq!(most_in_24_hours(&two_days), most, "{:?}", peak);
        }
        if let [one] = &schedules[..] {
            prop_assert_eq!(one.peak(from).map(|peak| peak.fires), Some(peak.fires));
        }
    }

    #[test]
    fn the_peak_across_zones_is_on_the_clock_of_the_first(
        crons in prop::collection::vec((heartbeat_cron(), zone_name()), 2..4),
        from in start(),
    ) {
        let schedules: Vec<_> = crons.iter().map(|(cron, zone)| schedule(cron, zone)).collect();
        let Some(together) = combined_peak(&schedules, from) else {
            // With several zones, fires are counted for a year at most.
            let until = from + SignedDuration::from_hours(366 * 24);
            let fires_soon = |one: &Schedule| one.next(from).is_some_and(|fire| fire.at <= until);
            let is_one_zone = schedules.iter().all(|one| one.zone == schedules[0].zone);
            prop_assert!(is_one_zone || !schedules.iter().any(fires_soon));
            return Ok(());
        };
        let Some(horizon) = together.horizon else {
            prop_assert!(schedules.iter().all(|one| one.zone == schedules[0].zone));
            return Ok(());
        };
        let mut minutes = Vec::new();
        for one in &schedules {
            let fires = one.fires_after(from).take_while(|fire| fire.at <= horizon.until);
            minutes.extend(fires.map(|fire| match fire.timing {
                Timing::MovedFrom(asked) if one.zone == schedules[0].zone => asked,
                _ => fire.at.to_zoned(schedules[0].zone.clone()).datetime(),
            }).map(|wall| {
                let utc = wall.to_zoned(jiff::tz::TimeZone::UTC).expect("UTC");
                utc.timestamp().as_second() / 60
            }));
        }
        minutes.sort_unstable();
        prop_assert_eq!(together.peak.fires as usize, most_in_24_hours(&minutes));
    }

    #[test]
    fn a_schedule_that_is_suggested_keeps_within_the_cap(
        cron in prop_oneof![cron_text(), heartbeat_cron()],
        zone in zone_name(),
    ) {
        let one = schedule(&cron, zone);
        let from = instant("2026-01-01T12:00:00Z");
        let is_above = one.peak(from).is_some_and(|peak| peak.fires > FIRES_PER_DAY_MAX);
        let closest = one.closest_within_cap(from);
        prop_assert_eq!(closest.is_some(), is_above);
        let Some(closest) = closest else { return Ok(()) };
        prop_assert_eq!(Cron::parse(&closest.normalized()), Ok(closest));
        let closest = Schedule { cron: closest, zone: one.zone.clone() };
        let minutes = counted_minutes(&closest, from, 800);
        prop_assert!(most_in_24_hours(&minutes) <= FIRES_PER_DAY_MAX as usize);
        // It has only times that the other has, and all of its days.
        let days = |minutes: &[i64]| {
            let mut days: Vec<i64> = minutes.iter().map(|at| at / (24 * 60)).collect();
            days.dedup();
            days
        };
        let minutes = counted_minutes(&closest, from, 70);
        let all = counted_minutes(&one, from, 70);
        prop_assert!(minutes.iter().all(|at| all.binary_search(at).is_ok()));
        let (of_closest, of_all) = (days(&minutes), days(&all));
        // On the first and the last day some of the times are outside.
        if let [_, inner @ .., _] = &of_all[..] {
            prop_assert!(inner.iter().all(|day| of_closest.binary_search(day).is_ok()));
        }
    }
}

#[test]
fn the_closest_schedule_within_the_cap() {
    let from = instant("2026-11-21T12:00:00Z");
    let crons = [
        "*/10 * * * *",
        "0 9-17 * * 1-5",
        "*/15 1 * * *",
        "*/15 9,17 * * *",
        "30 * 1 * *",
        "0 */5 * * *",
        "0 0,2,4,6,8,10,12,14,16,18,20,22 * * *",
        "7-9 6-8 13 * FRI",
        "* * * * *",
        "* 12 * * *",
        "0,20,40 8 * * *",
    ];
    let mut text = String::new();
    for (cron, zone) in
        crons.iter().map(|cron| (*cron, NEW_YORK)).chain([("30 * * * *", "America/Havana")])
    {
        let schedule = schedule(cron, zone);
        let peak = schedule.peak(from).expect("a schedule that fires").fires;
        let closest = schedule.closest_within_cap(from).map(|cron| cron.normalized());
        text += &format!("{cron} in {zone}: {peak} a day, {closest:?}\n");
    }
    insta::assert_snapshot!(text);
}

#[test]
fn evenings_and_mornings_add_up() {
    let from = instant("2026-11-21T12:00:00Z");
    let set = schedules(&[("0 18,19,20,21 * * 1", NEW_YORK), ("0 0,1 * * 2", NEW_YORK)]);
    let peak = combined_peak(&set, from).expect("a peak").peak;
    assert_eq!((peak.fires, peak.day, peak.repeated), (6, jiff::civil::date(2026, 11, 23), 0));
    let many = vec![schedule("0 8 * * *", NEW_YORK); 130];
    assert_eq!(combined_peak(&many, from).expect("a peak").peak.fires, 130);
    assert_eq!(combined_peak(&schedules(&[("0 0 30 2 *", NEW_YORK)]), from), None);
    assert_eq!(combined_peak(&[], from), None);
}

#[test]
fn zones_by_their_names() {
    let names = [
        "America/New_York",
        "america/new_york",
        "utc",
        "Etc/UTC",
        "us/eastern",
        "new york",
        "New York",
        "America/NewYork",
        "londn",
        "London",
        "EST",
        "PST",
        "ET",
        "Eastern",
        "Eastern Time",
        "eastern standard time",
        "Europe/Lodnon",
        "Kolkata",
        "Calcutta",
        "GMT+5",
        "UTC-05:00",
        "+05:00",
        "",
        " ",
        "Etc/Unknown",
        "Factory",
        "Mars/Olympus_Mons",
        "America/New_York\u{1b}[31m",
        "Ａmerica/New_York",
        "../../etc/passwd",
        "/usr/share/zoneinfo/UTC",
        &"x".repeat(10_000),
    ];
    let mut text = format!("version {}\n", dibber_schedule::tzdb_version());
    for name in names {
        text += &match dibber_schedule::zone(name) {
            Ok(zone) => format!("{name:?} is {}\n", zone.iana_name().expect("a name")),
            Err(error) => format!("{error}; {}\n", error.help().shown(&())),
        };
    }
    insta::assert_snapshot!(text);
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
