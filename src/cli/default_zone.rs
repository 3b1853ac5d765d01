//! The time zone of a schedule that names none.

use std::path::Path;

use super::term::ui::Ui;
use dibber_skill::contract::TIME_ZONE_DEFAULT;
use dibber_text::{message, quote_in_full};

/// The link that names the zone, on Linux and macOS.
const LOCAL_TIME: &str = "/etc/localtime";
/// The directory of zones, in the target of that link.
const ZONES: &str = "zoneinfo/";
/// The file that names the zone on some systems.
const ZONE_FILE: &str = "/etc/timezone";

/// A time zone that was not named, and why it is taken.
#[derive(Clone)]
pub(super) struct DefaultZone {
    pub(super) name: String,
    pub(super) reason: &'static str,
}

impl DefaultZone {
    /// Returns the zone of a schedule that is typed: that of this computer, if it is known.
    pub(super) fn of_typed() -> Self {
        match system_zone() {
            Some(name) => Self { name, reason: "the zone of this computer" },
            None => Self {
                name: TIME_ZONE_DEFAULT.to_owned(),
                reason: "the default, because this computer names no zone",
            },
        }
    }

    /// Returns the zone of a schedule in a `sprout.yaml`, which is the same on every computer.
    pub(super) fn of_manifest() -> Self {
        let reason = "the default, because sprout.yaml has no `tz`";
        Self { name: TIME_ZONE_DEFAULT.to_owned(), reason }
    }
}

/// Returns the zone of a typed schedule, and says so if it was not named.
pub(super) fn named_or_default(named: Option<String>, ui: &mut Ui) -> String {
    named.unwrap_or_else(|| {
        let DefaultZone { name, reason } = DefaultZone::of_typed();
        let shown = quote_in_full(&name);
        ui.eprintln(message!["time zone: ", shown, ", ", reason, "; `--tz` names another"]);
        name
    })
}

/// Returns the name of the zone of this computer; none if the system does not tell, or names an
/// unknown one.
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
