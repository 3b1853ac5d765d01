//! The pages about heartbeats, for parents.

use std::borrow::Cow;

use jiff::Timestamp;
use jiff::fmt::temporal::Pieces;
use jiff::tz::TimeZone;
use serde_json::Value;

use crate::cli::heartbeat::relative::{clock_time, day, moment};
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::{Ink, Style};
use dibber_schedule::ClockFormat;
use dibber_skill::contract::{
    ChildId, DescribedWarning, HeartbeatDescription, HeartbeatListItem, HeartbeatWarning,
};
use dibber_skill::names::Roster;
use dibber_text::{Message, message, quote};

/// What is shown of a heartbeat that fires again only when it is resumed.
const PAUSED: &str = "paused";
/// What is shown of a heartbeat that fires no more.
const NEVER: &str = "it does not run";

/// What a page says of one heartbeat.
pub(super) struct Shown<'a> {
    /// Its name, and what is done with it.
    pub(super) heading: String,
    pub(super) description: &'a HeartbeatDescription,
    pub(super) is_paused: bool,
    /// What else there is to say, each with its word.
    pub(super) more: Vec<(&'static str, String)>,
}

/// The page about a heartbeat, with the names of children masked.
pub(super) fn one(shown: &Shown, style: Style, roster: &Roster) -> Rendered {
    let mut sheet = Sheet::new(style, roster);
    sheet.wrap(0, &shown.heading, Some(Ink::Strong));
    let description = shown.description;
    sheet.row("when", &description.cadence_text);
    sheet.row("next", &next_or_paused(description.next_fire_at.as_deref(), None, shown.is_paused));
    let run = &description.preview;
    match (run.name.as_str(), run.skill_id.as_str()) {
        ("", "") => {}
        ("", id) => sheet.row("runs", id),
        // It is described before its skill is published.
        (name, "") => sheet.row("runs", name),
        (name, id) => sheet.row("runs", &format!("{name} ({id})")),
    }
    for (word, text) in &shown.more {
        sheet.row(word, text);
    }
    for warning in &description.warnings {
        let text = match warning {
            DescribedWarning::Known(warning) => Cow::Borrowed(words(*warning)),
            DescribedWarning::Other(other) => own_words(other),
        };
        sheet.painted_row("warning", &text, Some(Ink::Warning));
    }
    sheet.finish()
}

/// A warning, in words for a parent.
const fn words(warning: HeartbeatWarning) -> &'static str {
    match warning {
        HeartbeatWarning::ScheduleConflict => {
            "another heartbeat of your family runs in the same minute; another minute keeps \
             them apart"
        }
        HeartbeatWarning::AgeEdge => {
            "the child will soon be older than the skill is for; plan what replaces it"
        }
        HeartbeatWarning::AgeMismatch => {
            "the child is younger or older than the skill is for; check that it fits"
        }
        HeartbeatWarning::ProgramNotAssignable => {
            "the skill cannot be run, or assigned, by a heartbeat; it will be refused"
        }
        HeartbeatWarning::AlreadyAssigned => {
            "another heartbeat runs the same skill for this child or family"
        }
        HeartbeatWarning::Duplicate => {
            "another heartbeat already does exactly this, so everything would happen twice"
        }
    }
}

/// A warning of another server: its text, or the JSON that it is.
fn own_words(warning: &Value) -> Cow<'_, str> {
    warning.as_str().map_or_else(|| warning.to_string().into(), Cow::Borrowed)
}

/// A warning, as a part of a message.
pub(in crate::cli::remote) fn warning_message(warning: &DescribedWarning) -> Message {
    match warning {
        DescribedWarning::Known(warning) => words(*warning).into(),
        DescribedWarning::Other(other) => {
            message!["the server warns: ", quote(&own_words(other))]
        }
    }
}

/// Returns what is said of a heartbeat that a server lists, line by line: when it fires, and what it
/// runs for whom, as far as that is known. The label of the skill is masked already, or none.
pub(super) fn listed_lines(item: &HeartbeatListItem, skill_name: Option<&str>) -> Vec<String> {
    let next = match &item.next_run_at {
        Some(at) => format!("; next {}", next(Some(at), item.tz.as_deref())),
        None => String::new(),
    };
    let runs = skill_name.map(|name| format!("runs {name}"));
    let whom = whom_listed(item).map(|whom| format!("for {whom}"));
    let runs: Vec<_> = runs.into_iter().chain(whom).collect();
    let lines = [format!("{}{next}", item.cadence_text), runs.join(" ")];
    lines.into_iter().filter(|line| !line.is_empty()).collect()
}

/// Returns for whom a heartbeat of a list is; none if the server does not list that.
pub(super) fn whom_listed(item: &HeartbeatListItem) -> Option<String> {
    let is_known = item.child_id.is_some() || item.content_hash.is_some();
    is_known.then(|| whom(item.child_id.as_ref()))
}

/// Returns for whom a heartbeat is.
pub(super) fn whom(child: Option<&ChildId>) -> String {
    child.map_or_else(|| "the whole family".to_owned(), |id| format!("the child {id}"))
}

/// Returns the next time; a heartbeat that is paused has none, whatever a server says.
pub(super) fn next_or_paused(at: Option<&str>, zone: Option<&str>, is_paused: bool) -> String {
    if is_paused { PAUSED.to_owned() } else { next(at, zone) }
}

/// A time that a server gave, on the clock that it gave it in: "Sun 8 Mar 2026, 2:30am -05:00". The
/// offset is left out if it is that of the zone of the schedule, which is in its words.
pub(super) fn next(at: Option<&str>, zone: Option<&str>) -> String {
    let Some(at) = at else { return NEVER.to_owned() };
    let offset = Pieces::parse(at).ok().and_then(|pieces| pieces.to_numeric_offset());
    match (at.parse::<Timestamp>(), offset) {
        (Ok(instant), Some(offset)) => {
            let local = instant.to_zoned(TimeZone::fixed(offset));
            let zone = zone.and_then(|zone| dibber_schedule::zone(zone).ok());
            if zone.is_some_and(|zone| zone.to_offset(instant) == offset) {
                let time = clock_time(local.datetime(), ClockFormat::Twelve);
                return format!("{}, {time}", day(local.date()));
            }
            moment(&local, ClockFormat::Twelve)
        }
        // It is the server's own way of telling times.
        _ => dibber_text::Shown::to_be_masked(at).to_string(),
    }
}
