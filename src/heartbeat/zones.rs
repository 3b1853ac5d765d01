//! The words for a time zone in a sentence about something that recurs.

/// Zones that have a name of their own in everyday language, which covers both their standard and
/// their summer time.
const NAMED: [(&str, &[&str]); 8] = [
    ("ET", &["America/New_York", "America/Detroit", "America/Toronto", "US/Eastern"]),
    ("CT", &["America/Chicago", "America/Winnipeg", "America/Menominee", "US/Central"]),
    ("MT", &["America/Denver", "America/Boise", "US/Mountain"]),
    ("MST", &["America/Phoenix", "US/Arizona"]),
    ("PT", &["America/Los_Angeles", "US/Pacific"]),
    ("AKT", &["America/Anchorage", "America/Juneau", "US/Alaska"]),
    ("HT", &["Pacific/Honolulu", "US/Hawaii"]),
    ("UTC", &["UTC", "Etc/UTC", "Etc/Universal", "Etc/Zulu", "Universal", "Zulu"]),
];

/// "ET", "London time".
pub(super) fn zone_words(zone: &str) -> String {
    let named = NAMED.iter().find(|(_, zones)| zones.contains(&zone));
    if let Some((word, _)) = named {
        return (*word).to_owned();
    }
    match zone.rsplit_once('/') {
        Some(("Etc", _)) | None => zone.to_owned(),
        Some((_, city)) => format!("{} time", city.replace('_', " ")),
    }
}
