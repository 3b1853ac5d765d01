//! `dibber heartbeat preview --json`: what a server would answer, with conflicts and problems.
//!
//! The shape is frozen by [`VERSION`] and described by
//! `schemas/heartbeat-preview.schema.json`. The names are those of the contract, where it
//! has them.

use jiff::Timestamp;
use serde::Serialize;

use super::preview::{Firing, Preview};
use super::set::{Set, Together};
use super::sources::SourceError;
use crate::cli::mask::mask;
use dibber_lint::Privacy;
use dibber_lint::report::write_json_pretty;
use dibber_schedule::{Conflict, ConflictKind, FieldName, Schedule, Timing};
use dibber_skill::contract::SkillId;
use dibber_skill::names::Roster;

/// The version of the shape, incremented when a field changes its meaning or is removed.
const VERSION: u32 = 2;
/// The code of an invalid schedule.
const BAD_INPUT: &str = "BAD_INPUT";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DocumentV1 {
    version: u32,
    items: Vec<PreviewV1>,
    conflicts: Vec<ConflictV1>,
    conflicts_left_out: usize,
    /// The end of the search across several zones and clock changes.
    conflicts_until: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    together: Option<TogetherV1>,
    problems: Vec<ProblemV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PreviewV1 {
    /// The number of its line, if it is from a list or a crontab.
    line: Option<usize>,
    name: Option<String>,
    user: Option<String>,
    command: Option<String>,
    cron: String,
    tz: String,
    normalized: Option<String>,
    cadence_text: Option<String>,
    next_fire_at: Option<String>,
    fires: Vec<String>,
    peak_per24h: Option<u32>,
    peak_day: Option<String>,
    average_per_day: Option<f64>,
    within_cap: Option<bool>,
    closest_within_cap: Option<String>,
    notes: Vec<String>,
    preview: Option<SkillV1>,
    warnings: Vec<&'static str>,
    error: Option<ErrorV1>,
}

#[derive(Serialize)]
struct ProblemV1 {
    path: String,
    message: String,
}

/// What a fire does.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SkillV1 {
    kind: &'static str,
    /// Only a server has it.
    skill_id: Option<SkillId>,
    name: String,
}

#[derive(Serialize)]
struct ErrorV1 {
    code: &'static str,
    reason: &'static str,
    message: String,
    fix: Option<String>,
    /// The field of the schedule.
    field: Option<&'static str>,
    /// The bytes of the schedule.
    start: Option<usize>,
    end: Option<usize>,
}

#[derive(Serialize)]
struct ConflictV1 {
    /// Their indices among the items, from 0.
    schedules: [usize; 2],
    kind: &'static str,
    /// The first fires that are in conflict.
    first: [String; 2],
    /// The number of conflicts until `conflictsUntil`; null if they never end.
    count: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TogetherV1 {
    peak_per24h: u32,
    peak_day: Option<String>,
    average_per_day: f64,
    within_cap: bool,
    /// The end of the count; null if it holds for all time.
    until: Option<String>,
}

/// Returns the whole answer, of the same shape for any number of schedules.
pub(super) fn document(set: &Set, problems: &[SourceError], roster: &Roster) -> Vec<u8> {
    let previews = set.previews.iter().enumerate();
    let items = previews.map(|(place, preview)| preview_v1(set, place, preview, roster));
    let conflicts = set.conflicts.as_ref();
    let found = conflicts.map_or(&[][..], |conflicts| &conflicts.found);
    let document = DocumentV1 {
        version: VERSION,
        items: items.collect(),
        conflicts: found.iter().map(|conflict| conflict_v1(set, conflict)).collect(),
        conflicts_left_out: conflicts.map_or(0, |conflicts| conflicts.left_out),
        conflicts_until: conflicts.and_then(|it| on_first_clock(set, it.horizon.until)),
        together: set.together.as_ref().map(|together| together_v1(set, together)),
        problems: problems.iter().map(|problem| problem_v1(problem, roster)).collect(),
    };
    let mut out = Vec::new();
    write_json_pretty(&document, &mut out);
    out
}

fn problem_v1(problem: &SourceError, roster: &Roster) -> ProblemV1 {
    let message = problem.error.message().shown(&Privacy { roster }).to_string();
    ProblemV1 { path: mask(&problem.path, roster), message }
}

fn preview_v1(set: &Set, place: usize, preview: &Preview, roster: &Roster) -> PreviewV1 {
    let requested = &preview.requested;
    let firing = preview.outcome.as_ref().ok();
    let fires = firing.map_or(&[][..], |firing| &firing.fires);
    let fires: Vec<String> = firing
        .into_iter()
        .flat_map(|firing| fires.iter().map(|fire| with_offset(&firing.schedule, fire.at)))
        .collect();
    let peak = firing.map(|firing| firing.peak);
    let line = requested.line.as_ref();
    let masked = |text: Option<&str>| text.map(|text| mask(text, roster));
    PreviewV1 {
        line: line.map(|line| line.number),
        user: masked(line.and_then(|line| line.user.as_deref())),
        command: masked(line.and_then(|line| line.command.as_deref())),
        name: masked(requested.name.as_deref()),
        cron: mask(&requested.cron, roster),
        tz: firing.map_or_else(
            || mask(requested.zone.as_ref().unwrap_or(&requested.default_zone.name), roster),
            |firing| firing.zone_name().to_owned(),
        ),
        normalized: firing.map(|firing| firing.schedule.cron.normalized()),
        cadence_text: firing.map(|firing| firing.cadence.clone()),
        next_fire_at: fires.first().cloned(),
        fires,
        peak_per24h: peak.map(|peak| peak.map_or(0, |peak| peak.fires)),
        peak_day: peak.flatten().map(|peak| peak.day.to_string()),
        average_per_day: firing.map(|firing| firing.average_per_day),
        within_cap: firing.map(|firing| !firing.is_over_cap()),
        closest_within_cap: firing.and_then(|it| it.closest).map(|cron| cron.normalized()),
        notes: notes(set, firing),
        preview: requested.skill.as_ref().map(|skill| SkillV1 {
            kind: "skill",
            skill_id: None,
            name: mask(&skill.name, roster),
        }),
        warnings: warnings(set, place, firing),
        error: error_v1(preview, roster),
    }
}

fn notes(set: &Set, firing: Option<&Firing>) -> Vec<String> {
    let of_fires = firing.into_iter().flat_map(|firing| &firing.notes);
    set.start.note.iter().chain(of_fires).cloned().collect()
}

fn warnings(set: &Set, place: usize, firing: Option<&Firing>) -> Vec<&'static str> {
    let mut warnings = Vec::new();
    if set.conflicts_of(place).next().is_some() {
        warnings.push("schedule_conflict");
    }
    if firing.is_some_and(|firing| firing.fires.iter().any(|it| it.timing != Timing::OnTime)) {
        warnings.push("clock_change");
    }
    warnings
}

fn error_v1(preview: &Preview, roster: &Roster) -> Option<ErrorV1> {
    let refusal = preview.refusal()?;
    let (place, privacy) = (refusal.place, Privacy { roster });
    Some(ErrorV1 {
        code: BAD_INPUT,
        reason: refusal.reason,
        message: refusal.message.shown(&privacy).to_string(),
        fix: refusal.fix.map(|fix| fix.shown(&privacy).to_string()),
        field: place.and_then(|(_, field)| field).map(FieldName::word),
        start: place.map(|(span, _)| span.start),
        end: place.map(|(span, _)| span.end),
    })
}

fn conflict_v1(set: &Set, conflict: &Conflict) -> ConflictV1 {
    let at = |place: usize, at: Timestamp| match &set.previews[place].outcome {
        Ok(firing) => with_offset(&firing.schedule, at),
        Err(_) => at.to_string(),
    };
    let ((first, second), fires) = (conflict.schedules, conflict.first);
    ConflictV1 {
        schedules: [first, second],
        kind: match conflict.kind {
            ConflictKind::Duplicate => "duplicate",
            ConflictKind::SameMinute => "same_minute",
            ConflictKind::ClockChange => "clock_change",
            ConflictKind::Near => "near",
        },
        first: [at(first, fires.0.at), at(second, fires.1.at)],
        count: conflict.count,
    }
}

fn together_v1(set: &Set, together: &Together) -> TogetherV1 {
    let found = together.peak;
    TogetherV1 {
        peak_per24h: found.map_or(0, |found| found.peak.fires),
        peak_day: found.map(|found| found.peak.day.to_string()),
        average_per_day: together.average_per_day,
        within_cap: !together.is_over_cap(),
        until: found
            .and_then(|found| found.horizon)
            .and_then(|horizon| on_first_clock(set, horizon.until)),
    }
}

/// Returns an instant on the clock of the first schedule.
fn on_first_clock(set: &Set, at: Timestamp) -> Option<String> {
    set.firing().next().map(|(_, first)| with_offset(&first.schedule, at))
}

/// Returns an instant as RFC 3339, with the offset of a schedule's clock.
fn with_offset(schedule: &Schedule, at: Timestamp) -> String {
    at.display_with_offset(schedule.zone.to_offset(at)).to_string()
}
