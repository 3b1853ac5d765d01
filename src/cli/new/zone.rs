//! The question in which time zone a schedule is.

use crate::cli::error::CommandError;
use dibber_schedule::{AbbreviatedZone, is_utc, zone, zone_of_place};

/// What is asked.
pub(in crate::cli) const QUESTION: &str =
    "Which city's time is it? (such as Berlin, or America/New_York)";
/// The zone that is offered if this computer names none.
pub(in crate::cli) const UTC: &str = "UTC";
/// What to type in place of an unknown zone.
const HELP: &str = "type a large city with the same time, or a zone such as `Europe/Berlin`";

/// Returns `true` if the zone of this computer is not that of a place, as in a container.
pub(in crate::cli) fn is_unclear(zone_of_computer: Option<&str>) -> bool {
    zone_of_computer.is_none_or(is_utc)
}

/// Returns the zone that is most likely meant by an abbreviation such as `EST`; any other as it is.
pub(super) fn usual_zone(zone: String) -> String {
    AbbreviatedZone::find(&zone).map_or(zone, |known| known.suggestion.to_owned())
}

/// Returns the name of the zone that is typed, or of the zone of a city.
pub(in crate::cli) fn named_zone(typed: &str) -> Result<String, CommandError> {
    let unknown = match zone(typed) {
        Ok(known) => return Ok(usual_zone(known.iana_name().unwrap_or(typed).to_owned())),
        Err(unknown) => unknown,
    };
    let help = if unknown.suggestion.is_some() { unknown.help() } else { HELP.into() };
    zone_of_place(typed).ok_or_else(|| CommandError::new(unknown.message()).help(help))
}
