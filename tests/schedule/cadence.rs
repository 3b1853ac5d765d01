//! Schedules in words: a table to read, and a reader that takes each sentence at its word.

use dibber_schedule::{ClockFormat, Cron, cadence_text};
use jiff::Timestamp;
use jiff::tz::TimeZone;
use proptest::prelude::*;

use crate::schedule::cadence_reader::{Meaning, read};
use crate::schedule::fires::cron_text;

/// Schedules of every kind, for a person to read.
pub(crate) const TABLE: &str = "\
0 8 * * 1-5
0 12,20 * * *
0 9 13 * 5
0 8 * * *
30 8 * * *
0 0 * * *
0 12 * * *
0 0,12 * * *
5 0 * * *
5 12 * * *
0 8,20 * * *
0 7,8 * * *
0 7,8,9 * * *
0 7,8,12 * * *
30 6,14,16 * * *
0,30 13,14 * * *
0,15,30,45 2 * * *
*/15 1 * * *
0 */12 * * *
0 */8 * * *
0 */6 * * *
0 */5 * * *
0 */4 * * *
0 */3 * * *
0 */2 * * *
0 1-23/2 * * *
30 */2 * * *
0 9-12 * * *
0 9-13 * * *
0 9-17 * * *
30 9-17 * * *
0 9-12,14-17 * * *
0 8-12,14-18 * * *
0 0-4,23 * * *
0 1-10,23 * * *
0 1,3,4,6,8,9,11,20,22 * * *
7 1-5,8,10,12,15-18 * * *
* * * * *
*/1 * * * *
0 * * * *
1 * * * *
5 * * * *
30 * * * 1-5
*/5 * * * *
*/10 * * * *
*/7 * * * *
*/40 * * * *
*/45 * * * 6
1-59/2 * * * *
7-59/20 * * * *
5,7,9 * * * *
0-10 * * * *
0-10,20-30 * * * *
20-30,*/15 * * * *
1,*/5 * * * *
* 0 * * *
0-10 11 * * *
0-10 9,17 * * *
0-20/3 9 * * *
* 2,4 * * *
* 1-2,22-23 * * *
* 9-17 * * *
*/2 9-17 * * *
*/15 9-16 * * 1-5
0/15 9-17 1,10 * *
*/5 0-4,6-8 * * *
*/10 1,5,9,16 * * *
3-59/10 1,5,9,16 * * *
2-59/3 1,9,22 * * *
* */2 * * *
* */3 * * *
0-10 */2 * * *
5,6 9-17 * * *
5,6 0,9-17,22 * * *
0,7,50 9,10,16 * * *
0 9 * * 1
0 9 * * 0
0 9 * * 7
0 9 * * 1,3
0 9 * * 1,3,5
0 9 * * 1-4
0 9 * * 0,6
0 9 * * 0-5
0 9 * * 1-6
0 9 * * 2-6
0 9 * * */2
0 9 * * */7
0 9 * * 3/2
0 9 * * WED/2
0 9 * * 1/3
0 9 * * 7/2
0 9 * * 0-6
0 9 1 * *
0 9 1,15 * *
0 9 1,2,3 * *
0 9 1-15 * *
0 9 1-15,30 * *
0 9 31 * *
0 9 */2 * *
0 9 2-31/2 * *
0 9 */10 * *
0 9 */7 * *
0 9 1-31 * *
0 9 1 1 *
0 9 1,15 1 *
0 9 1-15 1 *
0 9 25-31 12 *
0 9 */2 1 *
0 9 29 2 *
0 9 29-31 2 *
0 9 30 2 *
0 9 31 4 *
0 9 1-30 4 *
0 9 1 1,7 *
0 9 1 */3 *
0 9 1 6-8 *
0 9 1 1-3,12 *
0 9 1 1-3,6-8 *
0 9 * 1 *
0 9 * 1,3 *
0 9 * 6-8 *
0 9 * 1,2,11,12 *
0 9 * 1-6,8-12 *
0 9 * */2 *
0 9 * 1,3-5,12 *
0 9 * 1,12 *
0 9 1 1,12 *
0 9 * 9-12,1-6 1-5
* * * 1 *
0 * * 12 *
*/10 * * 1 6
0 0 1 1 1
0 0 1 1 1-5
0 9 1 6-8 1
0 9 30 2 1-5
0 9 1,15 * 0,6
0 9 1-7 * 1-6
0 9 1-31/2 * 5
0 9 */2 * 5
0 9 2-31/2 * */3
0 9 1-7 * */7
0 9 */31 * 1-5
0 9 */10 6-8 1
0 9 */10 1 1
0 9 10,* * 2
0 9 *,10 * 2
*/20 * 13 * 5
5 * 13 10 5
";

fn text(cron: &str, zone: &str, clock: ClockFormat) -> String {
    let cron = Cron::parse(cron).unwrap_or_else(|error| panic!("{cron}: {error}"));
    cadence_text(&cron, zone, clock)
}

#[test]
fn schedules_in_words() {
    let lines: String = TABLE
        .lines()
        .map(|cron| format!("{cron:35} {}\n", text(cron, "America/New_York", ClockFormat::Twelve)))
        .collect();
    insta::assert_snapshot!("heartbeat-words", lines);
}

#[test]
fn schedules_in_words_with_a_clock_of_24_hours() {
    let lines: String =
        ["0 0,12 * * 1-5", "5 0 * * *", "0 9-17 * * *", "* 0 * * *", "0-10 9,17 1 * *"]
            .map(|cron| {
                format!("{cron:35} {}\n", text(cron, "Europe/London", ClockFormat::TwentyFour))
            })
            .concat();
    insta::assert_snapshot!("heartbeat-words-24", lines);
}

#[test]
fn the_sentences_that_were_promised() {
    let promised = [
        ("0 8 * * 1-5", "America/New_York", "Every weekday at 8am ET"),
        ("0 12,20 * * *", "Europe/London", "Every day at noon and 8pm London time"),
        ("0 9 13 * 5", "America/Los_Angeles", "On the 13th and also every Friday at 9am PT"),
    ];
    for (cron, zone, sentence) in promised {
        assert_eq!(text(cron, zone, ClockFormat::Twelve), sentence);
    }
}

#[test]
fn every_sentence_of_the_table_describes_its_schedule() {
    for cron in TABLE.lines() {
        for clock in [ClockFormat::Twelve, ClockFormat::TwentyFour] {
            let sentence = text(cron, "America/New_York", clock);
            assert_eq!(read(&sentence), Meaning::of(cron), "{cron}: {sentence}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_sentence_describes_its_schedule(cron in cron_text()) {
        for clock in [ClockFormat::Twelve, ClockFormat::TwentyFour] {
            let sentence = text(&cron, "America/New_York", clock);
            prop_assert!(sentence.bytes().all(|byte| (0x20..0x7F).contains(&byte)), "{}", sentence);
            prop_assert_eq!(read(&sentence), Meaning::of(&cron), "{}: {}", cron, sentence);
        }
    }

    #[test]
    fn no_name_of_a_zone_breaks_the_line(zone in "(Etc/GMT)?.{0,20}") {
        let sentence = text("0 8 * * *", &zone, ClockFormat::Twelve);
        prop_assert!(!sentence.contains(char::is_control), "{:?}", sentence);
    }
}

#[test]
fn zones_in_words() {
    let zones = [
        "America/New_York",
        "america/new_york",
        "US/Eastern",
        "EST5EDT",
        "EST",
        "America/Chicago",
        "America/Denver",
        "America/Phoenix",
        "America/Los_Angeles",
        "America/Anchorage",
        "Pacific/Honolulu",
        "America/Vancouver",
        "America/Toronto",
        "Canada/Eastern",
        "Europe/London",
        "Europe/Kyiv",
        "America/Argentina/Buenos_Aires",
        "America/Port-au-Prince",
        "Asia/Ho_Chi_Minh",
        "Australia/Lord_Howe",
        "Australia/North",
        "Mexico/General",
        "Japan",
        "GB",
        "CET",
        "UTC",
        "Etc/Zulu",
        "GMT",
        "Etc/GMT0",
        "Etc/GMT+5",
        "Etc/GMT-14",
        "Mars/\u{1B}[31mOlympus\n",
    ];
    let lines = zones
        .map(|zone| format!("{:32}{}\n", zone.escape_debug().to_string(), words_of(zone)))
        .concat();
    insta::assert_snapshot!("heartbeat-zones", lines);
}

/// What follows the time of day.
fn words_of(zone: &str) -> String {
    let sentence = text("0 8 * * *", zone, ClockFormat::Twelve);
    sentence.strip_prefix("Every day at 8am ").expect("a time").to_owned()
}

/// The instants and offsets of a zone's changes from 2026 to 2037.
fn changes(zone: &TimeZone) -> Vec<(Timestamp, i32)> {
    let from: Timestamp = "2026-01-01T00:00:00Z".parse().expect("an instant");
    let end: Timestamp = "2037-01-01T00:00:00Z".parse().expect("an instant");
    let mut changes = vec![(from, zone.to_offset(from).seconds())];
    changes.extend(
        zone.following(from)
            .take_while(|change| change.timestamp() < end)
            .map(|change| (change.timestamp(), change.offset().seconds())),
    );
    changes.dedup_by_key(|(_, offset)| *offset);
    changes
}

#[test]
fn zones_that_share_a_name_share_their_time() {
    let firsts = [
        ("ET", "America/New_York"),
        ("CT", "America/Chicago"),
        ("MT", "America/Denver"),
        ("MST", "America/Phoenix"),
        ("PT", "America/Los_Angeles"),
        ("AKT", "America/Anchorage"),
        ("HT", "Pacific/Honolulu"),
        ("UTC", "UTC"),
        ("GMT", "UTC"),
        ("EST", "Etc/GMT+5"),
        ("CET", "Europe/Paris"),
        ("MET", "Europe/Paris"),
        ("EET", "Europe/Athens"),
        ("WET", "Europe/Lisbon"),
    ];
    let get = |name: &str| TimeZone::get(name).unwrap_or_else(|error| panic!("{name}: {error}"));
    let mut named = 0;
    for name in jiff::tz::db().available() {
        let words = words_of(name.as_str());
        if let Some(hours) = words.strip_prefix("UTC").filter(|hours| !hours.is_empty()) {
            let hours: i32 = hours.parse().expect("hours");
            assert_eq!(
                changes(&get(name.as_str()))[..],
                [(changes(&TimeZone::UTC)[0].0, hours * 3600)]
            );
        } else if let Some((_, first)) = firsts.iter().find(|(word, _)| *word == words) {
            named += 1;
            assert_eq!(
                changes(&get(name.as_str())),
                changes(&get(first)),
                "{name} is called {words}"
            );
        } else {
            assert!(words.ends_with(" time"), "{name} is called {words}");
        }
    }
    assert!(named > 60, "{named} zones have a name of their own");
}
