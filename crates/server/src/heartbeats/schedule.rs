//! The name and the schedule of a heartbeat: whether they may be, and when it fires.

use jiff::Timestamp;

use super::faults::Faults;
use crate::failure::Failure;
use crate::label;
use crate::store::Heartbeat;
use crate::times;
use dibber_schedule::{ClockFormat, Cron, Schedule, cadence_text};
use dibber_skill::contract::{Issue, TIME_ZONE_DEFAULT};
use dibber_text::escape_line;

/// Tells that a name is blank, or cannot be shown on a line.
pub(super) fn check_name(name: &str, faults: &mut Faults) {
    if name.trim().is_empty() {
        faults.bad_input(
            "/name",
            "BLANK_FIELD",
            "the name of the heartbeat is blank",
            "write what the family would call it: `Before school`",
        );
    } else if let Some(Issue { path, reason, message, fix }) = label::fault(name) {
        faults.bad_input(&path, &reason, message, fix);
    }
}

/// Reads a schedule, and tells what is wrong with it. `blamed` is the argument that makes it fire
/// too often or never.
pub(super) fn read(
    cron: &str,
    tz: Option<&str>,
    blamed: &str,
    now: Timestamp,
    faults: &mut Faults,
) -> Option<Schedule> {
    let zone = dibber_schedule::zone(tz.unwrap_or(TIME_ZONE_DEFAULT)).map_err(|unknown| {
        faults.bad_input("/tz", "UNKNOWN_TIME_ZONE", unknown.to_string(), unknown.help());
    });
    let cron = Cron::parse(cron).map_err(|error| {
        let fix = error.help.as_deref().unwrap_or("write five fields, such as `0 8 * * 1-5`");
        faults.bad_input("/cron", "INVALID_CRON", error.to_string(), escape_line(fix));
    });
    let schedule = Schedule { cron: cron.ok()?, zone: zone.ok()? };
    let Some(refusal) = schedule.rejection(now) else { return Some(schedule) };
    let closest = schedule.closest_within_cap(now);
    let fix = refusal.help(closest.as_ref(), zone_name(&schedule), ClockFormat::default());
    faults.bad_input(blamed, refusal.code(), refusal.message(&schedule.cron), fix);
    None
}

/// The schedule of a heartbeat that is kept.
pub(crate) fn of_heartbeat(heartbeat: &Heartbeat) -> Result<Schedule, Failure> {
    let unread = |error: String| Failure::Internal(format!("{}: {error}", heartbeat.id).into());
    let cron = Cron::parse(&heartbeat.cron).map_err(|error| unread(error.to_string()))?;
    let zone = dibber_schedule::zone(&heartbeat.tz).map_err(|error| unread(error.to_string()))?;
    Ok(Schedule { cron, zone })
}

/// When a schedule fires, in words.
pub(crate) fn cadence(schedule: &Schedule) -> String {
    cadence_text(&schedule.cron, zone_name(schedule), ClockFormat::default())
}

/// When a schedule fires next, with the offset of its time zone (RFC 3339).
pub(crate) fn next_fire(schedule: &Schedule, now: Timestamp) -> Option<String> {
    schedule.next(now).map(|fire| times::shown(fire.at, &schedule.zone))
}

/// The IANA name of the zone of a schedule.
pub(super) fn zone_name(schedule: &Schedule) -> &str {
    schedule.zone.iana_name().expect("a zone of the database has a name")
}
