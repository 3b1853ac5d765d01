//! The name and the schedule of a heartbeat: their checks, and when it fires.

use jiff::Timestamp;

use crate::label;
use crate::problems::Problems;
use crate::roster::FamilyMask;
use crate::store::{Cadence, InvalidCadence};
use crate::times;
use dibber_schedule::{ClockFormat, cadence_text};
use dibber_skill::contract::{Issue, TIME_ZONE_DEFAULT};
use dibber_skill::draft::{Reason, check_heartbeat_name, child_name_message};
use dibber_skill::names::{Roster, Scope};

/// What to do about a child's name in the name of a heartbeat.
const CHILD_NAME_FIX: &str =
    "name it after what it does; `childId` says which child the heartbeat is for";

/// Reports a name that is blank, cannot be shown on one line, or contains a child's name.
pub(super) fn check_name(name: &str, roster: &Roster, problems: &mut Problems) {
    if let Err(blank) = check_heartbeat_name(name) {
        let fix = blank.help.unwrap_or_default().shown(&()).to_string();
        problems.add_bad_input("/name", "BLANK_FIELD", blank.message.shown(&()).to_string(), fix);
    } else if let Some(Issue { path, reason, message, fix }) = label::heartbeat_problem(name) {
        problems.add_bad_input(&path, &reason, message, fix);
    }
    for hit in roster.find(name, Scope::Prose) {
        let message = child_name_message(name, hit).shown(&FamilyMask { roster }).to_string();
        problems.add_bad_input("/name", Reason::ChildName.code(), message, CHILD_NAME_FIX);
    }
}

/// Parses a schedule, and reports what is wrong with it, without the names of the roster. `blamed` is
/// the path for a schedule that fires too often or never.
pub(super) fn parse(
    cron: &str,
    tz: Option<&str>,
    blamed: &str,
    now: Timestamp,
    roster: &Roster,
    problems: &mut Problems,
) -> Option<Cadence> {
    let cadence = Cadence::parse(cron, tz.unwrap_or(TIME_ZONE_DEFAULT))
        .map_err(|invalid| report_invalid(&invalid, FamilyMask { roster }, problems))
        .ok()?;
    let schedule = cadence.schedule();
    let Some(refusal) = schedule.rejection(now) else { return Some(cadence) };
    let closest = schedule.closest_within_cap(now);
    let fix = refusal.help(closest.as_ref(), cadence.time_zone(), ClockFormat::default());
    let message = refusal.message(&schedule.cron);
    let (message, fix) = (message.shown(&()).to_string(), fix.shown(&()).to_string());
    problems.add_bad_input(blamed, refusal.code(), message, fix);
    None
}

fn report_invalid(invalid: &InvalidCadence, mask: FamilyMask<'_>, problems: &mut Problems) {
    let (cron, zone) = match invalid {
        InvalidCadence::Cron(cron) => (Some(cron), None),
        InvalidCadence::TimeZone(zone) => (None, Some(zone)),
        InvalidCadence::Both(both) => (Some(&both.0), Some(&both.1)),
    };
    if let Some(unknown) = zone {
        let message = unknown.message().shown(&mask).to_string();
        let fix = unknown.help().shown(&()).to_string();
        problems.add_bad_input("/tz", "UNKNOWN_TIME_ZONE", message, fix);
    }
    if let Some(error) = cron {
        let fix = error.help.as_ref().map_or_else(
            || "write five fields, such as `0 8 * * 1-5`".to_owned(),
            |help| help.shown(&mask).to_string(),
        );
        let message = error.message.shown(&mask).to_string();
        problems.add_bad_input("/cron", "INVALID_CRON", message, fix);
    }
}

/// Returns when a heartbeat fires, in words.
pub(crate) fn in_words(cadence: &Cadence) -> String {
    cadence_text(&cadence.schedule().cron, cadence.time_zone(), ClockFormat::default())
}

/// Returns when a heartbeat fires next, with the offset of its time zone (RFC 3339).
pub(crate) fn next_fire(cadence: &Cadence, now: Timestamp) -> Option<String> {
    let schedule = cadence.schedule();
    schedule.next(now).map(|fire| times::format_time(fire.at, &schedule.zone))
}
