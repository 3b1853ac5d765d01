//! The time zone of a schedule that names none.

use std::convert::Infallible;
use std::path::Path;

use super::term::ui::Ui;
use dibber_schedule::{zone, zone_of_city};
use dibber_skill::contract::TIME_ZONE_DEFAULT;
use dibber_text::{message, quote_in_full};

/// The link that names the zone, on Linux and macOS.
const LOCAL_TIME: &str = "/etc/localtime";
/// The directory of zones, in the target of that link.
const ZONES: &str = "zoneinfo/";
/// The directories in it that contain all zones again: without leap seconds, and with them.
const VARIANTS: [&str; 2] = ["posix/", "right/"];
/// The file that names the zone on some systems.
#[cfg(not(windows))]
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
        let is_unknown = matches!(variable_zone(), Some(VariableZone::Unknown));
        let (name, reason) = match (system_zone(), is_unknown) {
            (Some(name), false) => (name, "the zone of this computer"),
            (Some(name), true) => (name, "the zone of this computer, as `TZ` is unknown"),
            (None, false) => {
                (TIME_ZONE_DEFAULT.to_owned(), "the default, because this computer names no zone")
            }
            (None, true) => (TIME_ZONE_DEFAULT.to_owned(), "the default, as `TZ` is unknown"),
        };
        Self { name, reason }
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

/// Returns the time zone of a city, and any other argument as it was typed: the schedule of an
/// unknown zone is refused later.
#[expect(clippy::unnecessary_wraps, reason = "the form of a parser of arguments")]
pub(super) fn zone_argument(typed: &str) -> Result<String, Infallible> {
    let city = || zone_of_city(typed).filter(|_| zone(typed).is_err());
    Ok(city().unwrap_or_else(|| typed.to_owned()))
}

/// Returns the name of the zone of this computer: that of `TZ`, or else that of the system, if it is
/// a known one.
pub(super) fn system_zone() -> Option<String> {
    if let Some(VariableZone::Known(name)) = variable_zone() {
        return Some(name);
    }
    zone_of_system()
}

#[cfg(windows)]
fn zone_of_system() -> Option<String> {
    known_name(&iana_time_zone::get_timezone().ok()?)
}

/// Returns the zone of the first file that names a known one.
#[cfg(not(windows))]
fn zone_of_system() -> Option<String> {
    let link = || known_name(&name_in_path(&std::fs::read_link(LOCAL_TIME).ok()?)?);
    let file = || known_name(std::fs::read_to_string(ZONE_FILE).ok()?.trim());
    link().or_else(file)
}

/// Returns `true` if `TZ` names a known zone.
#[cfg(feature = "remote")]
pub(super) fn is_variable_known() -> bool {
    matches!(variable_zone(), Some(VariableZone::Known(_)))
}

/// Returns `true` if `TZ` is set to something that is no known zone.
#[cfg(feature = "remote")]
pub(super) fn is_variable_unknown() -> bool {
    matches!(variable_zone(), Some(VariableZone::Unknown))
}

/// What `TZ` says.
enum VariableZone {
    /// The IANA name of a zone.
    Known(String),
    /// Something else.
    Unknown,
}

/// Returns what `TZ` says; none if it is not set, or refers to the file of this computer's zone.
/// As in POSIX, a colon may precede the name or path.
fn variable_zone() -> Option<VariableZone> {
    let value = std::env::var_os("TZ").filter(|value| !value.is_empty())?;
    let Some(value) = value.to_str() else { return Some(VariableZone::Unknown) };
    let value = value.trim();
    let value = value.strip_prefix(':').unwrap_or(value);
    if value.is_empty() || value == LOCAL_TIME {
        return None;
    }
    let in_path = || known_name(&name_in_path(Path::new(value))?);
    Some(known_name(value).or_else(in_path).map_or(VariableZone::Unknown, VariableZone::Known))
}

/// Returns the name of a zone as the database spells it, if it is known.
fn known_name(name: &str) -> Option<String> {
    zone(name).ok()?.iana_name().map(str::to_owned)
}

/// Returns the name of a zone from the path of its file.
fn name_in_path(path: &Path) -> Option<String> {
    let (_, name) = path.to_str()?.rsplit_once(ZONES)?;
    Some(VARIANTS.iter().find_map(|variant| name.strip_prefix(variant)).unwrap_or(name).to_owned())
}
