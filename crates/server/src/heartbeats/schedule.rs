//! The name and the schedule of a heartbeat: their checks, and when it fires.

use jiff::Timestamp;

use super::problems::Problems;
use crate::failure::Failure;
use crate::label;
use crate::store::Heartbeat;
use crate::times;
use dibber_schedule::{ClockFormat, Cron, Schedule, cadence_text};
use dibber_skill::contract::{Issue, TIME_ZONE_DEFAULT};
use dibber_skill::draft::{Reason, check_heartbeat_name, child_name_message};
use dibber_skill::names::{Roster, Scope};
use dibber_text::escape_line;

/// What to do about a child's name in the name of a heartbeat.
const CHILD_NAME_FIX: &str =
    "name it after what it does; `childId` says which child the heartbeat is for";

/// Reports a name that is blank, cannot be shown on one line, or contains a child's name.
pub(super) fn check_name(name: &str, roster: &Roster, problems: &mut Problems) {
    if let Err(blank) = check_heartbeat_name(name) {
        let fix = blank.help.unwrap_or_default();
        problems.add_bad_input("/name", "BLANK_FIELD", blank.message, fix);
    } else if let Some(Issue { path, reason, message, fix }) = label::problem(name) {
        problems.add_bad_input(&path, &reason, message, fix);
    }
    for hit in roster.find(name, Scope::Prose) {
        let message = child_name_message(name, hit);
        problems.add_bad_input("/name", Reason::ChildName.code(), message, CHILD_NAME_FIX);
    }
}

/// Parses a schedule, and reports what is wrong with it. `blamed` is the path for a schedule that
/// fires too often or never.
pub(super) fn parse(
    cron: &str,
    tz: Option<&str>,
    blamed: &str,
    now: Timestamp,
    problems: &mut Problems,
) -> Option<Schedule> {
    let zone = dibber_schedule::zone(tz.unwrap_or(TIME_ZONE_DEFAULT)).map_err(|unknown| {
        problems.add_bad_input("/tz", "UNKNOWN_TIME_ZONE", unknown.to_string(), unknown.help());
    });
    let cron = Cron::parse(cron).map_err(|error| {
        let fix = error.help.as_deref().unwrap_or("write five fields, such as `0 8 * * 1-5`");
        problems.add_bad_input("/cron", "INVALID_CRON", error.to_string(), escape_line(fix));
    });
    let schedule = Schedule { cron: cron.ok()?, zone: zone.ok()? };
    let Some(refusal) = schedule.rejection(now) else { return Some(schedule) };
    let closest = schedule.closest_within_cap(now);
    let fix = refusal.help(closest.as_ref(), zone_name(&schedule), ClockFormat::default());
    problems.add_bad_input(blamed, refusal.code(), refusal.message(&schedule.cron), fix);
    None
}

/// Returns the schedule of a stored heartbeat.
pub(crate) fn schedule_of(heartbeat: &Heartbeat) -> Result<Schedule, Failure> {
    let corrupt = |error: String| Failure::Internal(format!("{}: {error}", heartbeat.id).into());
    let cron = Cron::parse(&heartbeat.cron).map_err(|error| corrupt(error.to_string()))?;
    let zone = dibber_schedule::zone(&heartbeat.tz).map_err(|error| corrupt(error.to_string()))?;
    Ok(Schedule { cron, zone })
}

/// Returns when a schedule fires, in words.
pub(crate) fn cadence(schedule: &Schedule) -> String {
    cadence_text(&schedule.cron, zone_name(schedule), ClockFormat::default())
}

/// Returns when a schedule fires next, with the offset of its time zone (RFC 3339).
pub(crate) fn next_fire(schedule: &Schedule, now: Timestamp) -> Option<String> {
    schedule.next(now).map(|fire| times::format_time(fire.at, &schedule.zone))
}

/// Returns the IANA name of the time zone of a schedule.
pub(super) fn zone_name(schedule: &Schedule) -> &str {
    schedule.zone.iana_name().expect("a zone of the database has a name")
}
