//! Notes on what changes of the clocks do to fires.

use dibber_schedule::{ClockFormat, Timing, clock_change_notes};
use proptest::prelude::*;

use crate::schedule::fires::{cron_text, instant, schedule, zone_name};

#[test]
fn notes_on_changes_of_clocks() {
    let cases = [
        // A fixed job moves to the end of the gap, and fires once in an overlap.
        ("30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", 3),
        ("30 1 * * *", "America/New_York", "2026-10-31T12:00:00Z", 3),
        ("0,30 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", 3),
        ("30 2,3 * * *", "America/New_York", "2026-03-07T12:00:00Z", 3),
        ("0 2,3 * * *", "America/New_York", "2026-03-07T12:00:00Z", 3),
        ("0,15,30,45 2 * * *", "America/New_York", "2026-03-07T12:00:00Z", 3),
        // The first fire is the one that is moved.
        ("30 2 8 3 *", "America/New_York", "2026-01-01T00:00:00Z", 1),
        // A wildcard job skips the gap, and fires in both passes of an overlap.
        ("*/30 2 * * *", "America/New_York", "2026-03-07T07:00:00Z", 4),
        ("*/30 1 * * *", "America/New_York", "2026-10-31T12:00:00Z", 4),
        ("30 * * * *", "America/New_York", "2026-11-01T05:00:00Z", 1),
        ("*/10 * * * *", "America/New_York", "2026-03-08T06:45:00Z", 3),
        // Gaps of half an hour, and at midnight.
        ("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", 2),
        ("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T00:00:00Z", 2),
        ("0 0 * * *", "America/Santiago", "2026-09-05T00:00:00Z", 3),
        ("30 23 * * *", "America/Santiago", "2026-04-04T00:00:00Z", 2),
        // A whole day that did not come.
        ("0 9 * * *", "Pacific/Apia", "2011-12-29T00:00:00Z", 3),
        // Nothing to say.
        ("0 8 * * *", "America/New_York", "2026-03-07T12:00:00Z", 3),
        ("30 2 * * *", "Asia/Kolkata", "2026-03-07T12:00:00Z", 3),
        ("30 2 * * *", "America/New_York", "2026-03-08T12:00:00Z", 3),
        ("30 1 * * *", "America/New_York", "2026-11-01T12:00:00Z", 3),
    ];
    let mut shown = String::new();
    for (cron, zone, from, count) in cases {
        let schedule = schedule(cron, zone);
        let fires: Vec<_> = schedule.fires_after(instant(from)).take(count).collect();
        shown += &format!("{cron}  {zone}\n");
        for fire in &fires {
            shown += &format!("    {}\n", fire.at.to_zoned(schedule.zone.clone()));
        }
        for clock in [ClockFormat::Twelve, ClockFormat::TwentyFour] {
            for note in clock_change_notes(&schedule, &fires, clock) {
                shown += &format!("  {note}\n");
            }
        }
    }
    insta::assert_snapshot!("heartbeat-notes", shown);
}

proptest! {
    #[test]
    fn every_fire_that_is_moved_or_repeated_has_a_note(
        cron in cron_text(),
        zone in zone_name(),
        second in 1_700_000_000_i64..2_000_000_000,
    ) {
        let schedule = schedule(&cron, zone);
        let from = jiff::Timestamp::from_second(second).expect("an instant");
        let fires: Vec<_> = schedule.fires_after(from).take(60).collect();
        let notes = clock_change_notes(&schedule, &fires, ClockFormat::Twelve);
        let has = |words: &str| notes.iter().any(|note| note.contains(words));
        for fire in &fires {
            match fire.timing {
                Timing::OnTime => {}
                Timing::MovedFrom(_) => prop_assert!(has("not exist on"), "{} {:?}", cron, notes),
                Timing::Repeated => prop_assert!(has("fires both times"), "{} {:?}", cron, notes),
            }
        }
        prop_assert!(notes.iter().all(|note| !note.contains(char::is_control)));
    }
}
