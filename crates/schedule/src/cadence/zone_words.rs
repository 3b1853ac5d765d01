//! The words for a time zone in a sentence about something that recurs.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::tzdb::{part_of_country, zone_names};
use dibber_text::escape_line;

/// Zones with a name in everyday language that covers both their standard and their summer time.
/// Every zone of a row has the time of the first one.
const NAMED: [(&str, &[&str]); 9] = [
    (
        "ET",
        &[
            "America/New_York",
            "America/Detroit",
            "America/Indiana/Indianapolis",
            "America/Indiana/Marengo",
            "America/Indiana/Petersburg",
            "America/Indiana/Vevay",
            "America/Indiana/Vincennes",
            "America/Indiana/Winamac",
            "America/Indianapolis",
            "America/Fort_Wayne",
            "America/Kentucky/Louisville",
            "America/Kentucky/Monticello",
            "America/Louisville",
            "EST5EDT",
            "US/East-Indiana",
            "US/Eastern",
            "US/Michigan",
        ],
    ),
    (
        "CT",
        &[
            "America/Chicago",
            "America/Indiana/Knox",
            "America/Indiana/Tell_City",
            "America/Menominee",
            "America/North_Dakota/Beulah",
            "America/North_Dakota/Center",
            "America/North_Dakota/New_Salem",
            "CST6CDT",
            "US/Central",
            "US/Indiana-Starke",
        ],
    ),
    ("MT", &["America/Denver", "America/Boise", "MST7MDT", "Navajo", "US/Mountain"]),
    ("MST", &["America/Phoenix", "MST", "US/Arizona"]),
    ("PT", &["America/Los_Angeles", "PST8PDT", "US/Pacific"]),
    (
        "AKT",
        &[
            "America/Anchorage",
            "America/Juneau",
            "America/Nome",
            "America/Sitka",
            "America/Yakutat",
            "US/Alaska",
        ],
    ),
    ("HT", &["Pacific/Honolulu", "HST", "US/Hawaii"]),
    (
        "UTC",
        &["UTC", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "UCT", "Universal", "Zulu"],
    ),
    ("GMT", &["GMT", "Etc/GMT", "Etc/GMT+0", "Etc/GMT-0", "Etc/GMT0", "GMT+0", "GMT-0", "GMT0"]),
];

/// Zones that are named by their abbreviation.
const LETTERS: [&str; 5] = ["CET", "EET", "EST", "MET", "WET"];

/// Returns the words for the zone of an IANA name: "ET", "London time", "UTC-5".
pub(crate) fn zone_words(zone: &str) -> String {
    let is_zone = |name: &&str| name.eq_ignore_ascii_case(zone);
    let mut rows = NAMED.iter();
    if let Some((word, _)) = rows.find(|(_, zones)| zones.iter().any(&is_zone)) {
        return (*word).to_owned();
    }
    if let Some(letters) = LETTERS.iter().find(|name| is_zone(name)) {
        return (*letters).to_owned();
    }
    if let Some(words) = zone.strip_prefix("Etc/GMT").and_then(offset_words) {
        return words;
    }
    let words = match (part_of_country(zone), zone.rsplit_once('/')) {
        (Some((country, part)), _) => format!("{country} {part} time"),
        (None, Some((_, city))) => format!("{city} time"),
        (None, None) => format!("{zone} time"),
    };
    escape_line(&words.replace('_', " ")).into_owned()
}

/// The zones by their words in lowercase. Of those with the same words, the first of [`NAMED`] has
/// them, or else the first in alphabetical order: the others are older names of the same zone.
static BY_WORDS: LazyLock<HashMap<String, String>> = LazyLock::new(|| {
    let mut by_words = HashMap::new();
    let named = NAMED.iter().map(|(_, zones)| zones[0].to_owned());
    for name in named.chain(zone_names()) {
        by_words.entry(zone_words(&name).to_lowercase()).or_insert(name);
    }
    by_words
});

/// Returns the IANA name of the zone of these words, in any case.
pub(crate) fn zone_of_words(words: &str) -> Option<String> {
    BY_WORDS.get(&words.to_lowercase()).cloned()
}

/// Returns "UTC-5" for `+5`: the signs of such names are inverted, as in POSIX.
fn offset_words(signed: &str) -> Option<String> {
    let (sign, hours) = match signed.strip_prefix('+') {
        Some(hours) => ('-', hours),
        None => ('+', signed.strip_prefix('-')?),
    };
    hours.parse::<u8>().ok().map(|hours| format!("UTC{sign}{hours}"))
}
