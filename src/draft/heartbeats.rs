//! The heartbeats of `sprout.yaml`: what a server would refuse, and what a parent should know.

use jiff::Timestamp;

use super::Draft;
use crate::contract::{HEARTBEAT_NAME_CHARACTERS_MAX, TIME_ZONE_DEFAULT};
use crate::heartbeat::{self, ConflictKind, Cron, FIRES_PER_DAY_MAX, Schedule, conflicts};
use crate::manifest::{Heartbeat, Located, Manifest};
use crate::skill::{Skill, is_input_name};
use crate::text::{Source, Span, nearest, shorten};

/// What is wrong with a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HeartbeatReason {
    /// Its name is blank or too long.
    Name,
    /// Its schedule is not five fields of cron.
    InvalidCron,
    /// Its time zone does not exist.
    UnknownTimeZone,
    /// No day matches its schedule.
    NeverFires,
    /// It fires more often than a server allows.
    OverCap,
    /// It fires in the same minute as another one.
    Conflict,
    /// The skill that assigns it is the skill that it runs.
    AssignmentIsRun,
    /// It gives a value for an input that the skill does not have.
    UndeclaredInput,
}

/// One thing that is wrong with a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeartbeatVerdict {
    /// What.
    pub reason: HeartbeatReason,
    /// Where, in `sprout.yaml`.
    pub span: Span,
    /// What is wrong, as a sentence fragment.
    pub message: String,
    /// The way out.
    pub fix: String,
    /// A second place there that helps to understand it.
    pub related: Option<(Span, String)>,
}

/// Everything that is wrong with the heartbeats of a skill, from an instant on.
///
/// `source` is the text of `sprout.yaml`.
pub fn analyze_heartbeats(
    skill: &Skill,
    draft: &Draft,
    source: &Source,
    from: Timestamp,
) -> Vec<HeartbeatVerdict> {
    let Some(manifest) = draft.manifest.as_ref().filter(|all| !all.heartbeats.is_empty()) else {
        return Vec::new();
    };
    let mut analysis = Analysis { skill, draft, source, from, verdicts: Vec::new() };
    let mut schedules = Vec::new();
    for heartbeat in &manifest.heartbeats {
        analysis.name(&heartbeat.name);
        analysis.assignment(heartbeat);
        analysis.inputs(heartbeat);
        if let Some(schedule) = analysis.schedule(heartbeat) {
            schedules.push((heartbeat, schedule));
        }
    }
    analysis.conflicts(manifest, schedules);
    analysis.verdicts
}

struct Analysis<'a> {
    skill: &'a Skill,
    draft: &'a Draft,
    source: &'a Source,
    from: Timestamp,
    verdicts: Vec<HeartbeatVerdict>,
}

impl Analysis<'_> {
    fn push(
        &mut self,
        reason: HeartbeatReason,
        span: Span,
        message: impl Into<String>,
        fix: impl Into<String>,
    ) {
        let (message, fix) = (message.into(), fix.into());
        self.verdicts.push(HeartbeatVerdict { reason, span, message, fix, related: None });
    }

    fn name(&mut self, name: &Located<String>) {
        let characters = name.value.chars().count();
        if name.value.trim().is_empty() {
            let fix = "write what a parent would call it: `Before school`";
            self.push(HeartbeatReason::Name, name.span, "the name of the heartbeat is blank", fix);
        } else if characters > HEARTBEAT_NAME_CHARACTERS_MAX {
            let message = format!("the name of the heartbeat has {characters} characters");
            let fix = format!("say it in at most {HEARTBEAT_NAME_CHARACTERS_MAX}");
            self.push(HeartbeatReason::Name, name.span, message, fix);
        }
    }

    fn assignment(&mut self, heartbeat: &Heartbeat) {
        let Some(assignment) = &heartbeat.assignment_skill else { return };
        let own_name = self.skill.string_field("name").map(|(name, _)| name);
        if own_name == Some(assignment.value.as_str()) {
            let message = "the skill that assigns the heartbeat is the skill that it runs";
            let fix = "name the skill that schedules this one, or leave `assignmentSkill` out";
            self.push(HeartbeatReason::AssignmentIsRun, assignment.span, message, fix);
        }
    }

    fn inputs(&mut self, heartbeat: &Heartbeat) {
        let declared: Vec<&str> =
            self.draft.arguments.input_variables.iter().map(|input| input.name.as_str()).collect();
        for (name, _) in &heartbeat.input {
            // What cannot be a name is a fault of the file, which is told already.
            if declared.contains(&name.value.as_str()) || !is_input_name(&name.value) {
                continue;
            }
            let message = format!("the skill has no input `{}`", shorten(&name.value));
            let fix = match nearest(&name.value, declared.iter().copied()) {
                Some(known) => format!("write `{known}`"),
                None => "declare it under `inputs`, or take it out".to_owned(),
            };
            self.push(HeartbeatReason::UndeclaredInput, name.span, message, fix);
        }
    }

    /// The schedule, if it is one, once what is wrong with it is told.
    fn schedule(&mut self, heartbeat: &Heartbeat) -> Option<Schedule> {
        let named = heartbeat.time_zone.as_ref();
        let zone = heartbeat::zone(named.map_or(TIME_ZONE_DEFAULT, |zone| &zone.value));
        if let (Err(unknown), Some(named)) = (&zone, named) {
            let reason = HeartbeatReason::UnknownTimeZone;
            self.push(reason, named.span, unknown.to_string(), unknown.help());
        }
        let cron = match Cron::parse(&heartbeat.cron.value) {
            Ok(cron) => cron,
            Err(error) => {
                let span = part_of(self.source, &heartbeat.cron, error.span);
                let help = error.help.clone().unwrap_or_default();
                self.push(HeartbeatReason::InvalidCron, span, error.to_string(), help);
                return None;
            }
        };
        let schedule = Schedule { cron, zone: zone.ok()? };
        self.cap(&heartbeat.cron, &schedule);
        Some(schedule)
    }

    fn cap(&mut self, cron: &Located<String>, schedule: &Schedule) {
        let Some(peak) = schedule.peak(self.from) else {
            let message = format!("no day is one of `{}`, so it never fires", shorten(&cron.value));
            let fix = "look at the day of the month and the month: not every month has 31 days";
            self.push(HeartbeatReason::NeverFires, cron.span, message, fix);
            return;
        };
        if peak.fires <= FIRES_PER_DAY_MAX {
            return;
        }
        let message = format!(
            "{} fires in 24 hours on {}; the cap is {FIRES_PER_DAY_MAX}",
            peak.fires, peak.day
        );
        let fix = match schedule.closest_within_cap(self.from) {
            Some(closest) => {
                format!("the closest schedule within it is `{}`", closest.normalized())
            }
            None => "take some of its times out".to_owned(),
        };
        self.push(HeartbeatReason::OverCap, cron.span, message, fix);
    }

    fn conflicts(&mut self, manifest: &Manifest, schedules: Vec<(&Heartbeat, Schedule)>) {
        if manifest.heartbeats.len() < 2 {
            return;
        }
        let (heartbeats, schedules): (Vec<_>, Vec<_>) = schedules.into_iter().unzip();
        for conflict in conflicts(&schedules, self.from, 0).found {
            let (first, second) = conflict.schedules;
            let (first, second) = (heartbeats[first], heartbeats[second]);
            let name = shorten(&first.name.value);
            let message = match conflict.kind {
                ConflictKind::Duplicate => format!("it has the schedule of `{name}`"),
                ConflictKind::SameMinute | ConflictKind::Near => {
                    format!("it fires in the same minute as `{name}`")
                }
                ConflictKind::ClockChange => {
                    format!("a change of the clocks brings it together with `{name}`")
                }
            };
            let fix = "move one of them by some minutes, so that a child hears one thing at a time";
            self.push(HeartbeatReason::Conflict, second.cron.span, message, fix);
            if let Some(verdict) = self.verdicts.last_mut() {
                verdict.related = Some((first.cron.span, "the other one".to_owned()));
            }
        }
    }
}

/// Where a part of a text stands; all of it, if it is not written as it is read.
fn part_of(source: &Source, text: &Located<String>, part: Span) -> Span {
    let written = source.slice(text.span);
    written
        .find(&text.value)
        .filter(|_| !text.value.is_empty())
        .map_or(text.span, |at| part.shift(text.span.start + at))
}
