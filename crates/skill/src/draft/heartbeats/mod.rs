//! The heartbeats of `sprout.yaml`: what a server would refuse, and what a parent should know.

mod conflicts;
mod schedule;

use std::collections::{BTreeMap, BTreeSet, HashMap};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::hands::position;
use super::{Draft, REPORTED_MAX};
use crate::contract::{HEARTBEAT_CREATE, HEARTBEAT_NAME_CHARACTERS_MAX, TASK_CREATE, wire_name};
use crate::manifest::{Heartbeat, Located, Manifest};
use crate::skill::{Skill, is_input_name};
use dibber_schedule::UnknownZone;
use dibber_text::{Source, Span, closest_match, ellipsize};

pub use schedule::cadence;

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
    /// The skill that it runs makes schedules, or is named as the one that assigns it.
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
    pub related: Option<(Span, &'static str)>,
}

/// Everything that is wrong with the heartbeats of a skill, from an instant on; of one reason, at
/// most [`REPORTED_MAX`] verdicts.
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
    let inputs = &draft.arguments.input_variables;
    let declared = inputs.iter().map(|input| input.name.as_str()).collect();
    let mut analysis = Analysis {
        source,
        from,
        own_name: skill.string_field("name").map(|(name, _)| name),
        declared,
        zones: HashMap::new(),
        verdicts: Verdicts::default(),
    };
    let mut schedules = Vec::new();
    for heartbeat in &manifest.heartbeats {
        analysis.name(&heartbeat.name);
        analysis.inputs(heartbeat);
        schedules.extend(analysis.schedule(heartbeat).map(|schedule| (heartbeat, schedule)));
    }
    analysis.assignments(manifest, draft);
    analysis.conflicts(schedules);
    analysis.verdicts.finish()
}

struct Analysis<'a> {
    source: &'a Source,
    from: Timestamp,
    /// The name of the skill.
    own_name: Option<&'a str>,
    /// The names of its inputs.
    declared: BTreeSet<&'a str>,
    /// What is known of each time zone that was asked for.
    zones: HashMap<&'a str, Result<TimeZone, UnknownZone>>,
    verdicts: Verdicts,
}

impl Analysis<'_> {
    fn name(&mut self, name: &Located<String>) {
        let characters = name.value.chars().count();
        if name.value.trim().is_empty() {
            self.verdicts.push(HeartbeatReason::Name, name.span, || {
                (
                    "the name of the heartbeat is blank",
                    "write what you would call it: `Before school`",
                )
            });
        } else if characters > HEARTBEAT_NAME_CHARACTERS_MAX {
            self.verdicts.push(HeartbeatReason::Name, name.span, || {
                let max = HEARTBEAT_NAME_CHARACTERS_MAX;
                let message = format!(
                    "the name of the heartbeat has {characters} characters; {max} is the most"
                );
                (message, "keep what tells it from the others; the skill says what it does")
            });
        }
    }

    fn inputs(&mut self, heartbeat: &Heartbeat) {
        for (name, _) in &heartbeat.input {
            // What cannot be a name is a fault of the file, which is told already.
            if self.declared.contains(name.value.as_str()) || !is_input_name(&name.value) {
                continue;
            }
            let declared = &self.declared;
            self.verdicts.push(HeartbeatReason::UndeclaredInput, name.span, || {
                let message = format!("the skill has no input `{}`", ellipsize(&name.value));
                let fix = match closest_match(&name.value, declared.iter().copied()) {
                    Some(known) => format!("write `{}`", ellipsize(known)),
                    None => "declare it under `inputs`, or take it out".to_owned(),
                };
                (message, fix)
            });
        }
    }

    fn assignments(&mut self, manifest: &Manifest, draft: &Draft) {
        let mut told = false;
        for assignment in manifest.heartbeats.iter().filter_map(|it| it.assignment_skill.as_ref()) {
            if self.own_name == Some(assignment.value.trim()) {
                told = true;
                self.verdicts.push(HeartbeatReason::AssignmentIsRun, assignment.span, || {
                    let message = "the skill that makes the heartbeat is the skill that it runs";
                    (message, "name the skill that schedules this one, or take the line out")
                });
            }
        }
        let hands = &draft.arguments.hands_referenced;
        let has = |hand| position(hands, hand).is_some();
        // A skill that does both is told so for another reason.
        if told || !has(HEARTBEAT_CREATE) || has(TASK_CREATE) {
            return;
        }
        let is_assignment = |hand: &&Located<String>| wire_name(&hand.value) == HEARTBEAT_CREATE;
        let hand = manifest.hands.iter().flatten().find(is_assignment);
        let first = &manifest.heartbeats[0].name;
        let related = hand.map(|hand| (hand.span, "this makes schedules"));
        self.verdicts.push_with(HeartbeatReason::AssignmentIsRun, first.span, related, || {
            let message = "the heartbeat runs a skill that makes schedules itself";
            let fix = "put the heartbeat into the `sprout.yaml` of the skill that does the work; \
                       there, `assignmentSkill` may name this one";
            (message, fix)
        });
    }
}

/// The verdicts so far, and how many there are of each reason.
#[derive(Default)]
struct Verdicts {
    all: Vec<HeartbeatVerdict>,
    counts: BTreeMap<HeartbeatReason, usize>,
}

impl Verdicts {
    /// Adds what is wrong and the way out, which are not made when there are enough of the reason.
    fn push<M: Into<String>, F: Into<String>>(
        &mut self,
        reason: HeartbeatReason,
        span: Span,
        make: impl FnOnce() -> (M, F),
    ) {
        self.push_with(reason, span, None, make);
    }

    fn push_with<M: Into<String>, F: Into<String>>(
        &mut self,
        reason: HeartbeatReason,
        span: Span,
        related: Option<(Span, &'static str)>,
        make: impl FnOnce() -> (M, F),
    ) {
        let count = self.counts.entry(reason).or_default();
        *count += 1;
        if *count <= REPORTED_MAX {
            let (message, fix) = make();
            let (message, fix) = (message.into(), fix.into());
            self.all.push(HeartbeatVerdict { reason, span, message, fix, related });
        }
    }

    /// The verdicts; the last of a reason that has too many says how many more there are.
    fn finish(mut self) -> Vec<HeartbeatVerdict> {
        for (reason, count) in self.counts {
            let last = self.all.iter_mut().rfind(|verdict| verdict.reason == reason);
            if let Some(last) = last.filter(|_| count > REPORTED_MAX) {
                last.message += &format!(" (and {} more like this one)", count - REPORTED_MAX);
            }
        }
        self.all
    }
}
