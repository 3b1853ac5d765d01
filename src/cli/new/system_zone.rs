//! The time zone of this computer.

use std::path::Path;

/// The link that names the zone, on Linux and macOS.
const LOCAL_TIME: &str = "/etc/localtime";
/// The directory of zones, in the target of that link.
const ZONES: &str = "zoneinfo/";
/// The file that names the zone on some systems.
const ZONE_FILE: &str = "/etc/timezone";

/// Returns the name of the zone; none if the system does not tell, or names an unknown one.
pub(super) fn system_zone() -> Option<String> {
    let variable = || std::env::var("TZ").ok().filter(|zone| !zone.is_empty());
    let link = || zone_of_link(&std::fs::read_link(LOCAL_TIME).ok()?);
    let file = || std::fs::read_to_string(ZONE_FILE).ok();
    let name = variable().or_else(link).or_else(file)?;
    let zone = dibber_schedule::zone(name.trim().trim_start_matches(':')).ok()?;
    zone.iana_name().map(str::to_owned)
}

fn zone_of_link(target: &Path) -> Option<String> {
    let target = target.to_str()?;
    let (_, zone) = target.rsplit_once(ZONES)?;
    Some(zone.trim_start_matches("posix/").to_owned())
}
