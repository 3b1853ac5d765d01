//! The checks of names, inputs and assignments, and the state that all checks have in common.

use std::collections::{BTreeSet, HashMap};

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::problem::{HeartbeatProblems, HeartbeatReason};
use super::rules::{
    CANVAS_TOOLS, RunSkillRejection, check_heartbeat_name, check_misleading_name, check_run_skill,
    comparable_heartbeat_name,
};
use crate::contract::{HEARTBEAT_CREATE, HEARTBEAT_NAME_CHARACTERS_MAX, TASK_CREATE, wire_name};
use crate::draft::build::Draft;
use crate::draft::hands::position;
use crate::manifest::{Heartbeat, Located, Manifest};
use crate::skill::is_input_name;
use dibber_schedule::UnknownZone;
use dibber_text::{Message, Problem, Source, closest_match, message, quote};

/// The names of the inputs of a skill.
pub(super) struct Inputs<'a> {
    pub(super) declared: BTreeSet<&'a str>,
    /// The inputs that every run needs, in their order.
    pub(super) required: Vec<&'a str>,
}

/// An analysis of the heartbeats of one skill.
pub(super) struct Analysis<'a> {
    pub(super) source: &'a Source,
    pub(super) from: Timestamp,
    /// The name of the skill.
    own_name: Option<&'a str>,
    inputs: Inputs<'a>,
    /// The time zones that were looked up: a file may name one a thousand times.
    pub(super) zones: HashMap<&'a str, Result<TimeZone, UnknownZone>>,
    pub(super) problems: HeartbeatProblems,
}

impl<'a> Analysis<'a> {
    pub(super) fn new(
        source: &'a Source,
        from: Timestamp,
        own_name: Option<&'a str>,
        inputs: Inputs<'a>,
    ) -> Self {
        let (zones, problems) = (HashMap::new(), HeartbeatProblems::new());
        Self { source, from, own_name, inputs, zones, problems }
    }

    pub(super) fn check_name(&mut self, name: &Located<String>) {
        let characters = name.value.chars().count();
        let checked = check_heartbeat_name(&name.value);
        if let Err(problem) = checked.and_then(|()| check_misleading_name(&name.value)) {
            self.problems.push(HeartbeatReason::Name, || problem.map_place(|()| name.span));
        } else if characters > HEARTBEAT_NAME_CHARACTERS_MAX {
            self.problems.push(HeartbeatReason::Name, || {
                let message = message![
                    "the name of the heartbeat has ",
                    characters,
                    " characters; the limit is \
                     ",
                    HEARTBEAT_NAME_CHARACTERS_MAX
                ];
                let help = "keep what distinguishes it from the others; the skill describes what \
                            it does";
                Problem::new(name.span, message).with_help(help)
            });
        }
    }

    /// Reports the heartbeats with the name of an earlier one.
    pub(super) fn check_duplicate_names(&mut self, manifest: &Manifest) {
        let mut first_of = HashMap::new();
        for Heartbeat { name, .. } in &manifest.heartbeats {
            // A blank name is reported itself.
            let comparable = comparable_heartbeat_name(&name.value);
            if comparable.is_empty() {
                continue;
            }
            let first = *first_of.entry(comparable).or_insert(name.span);
            if first == name.span {
                continue;
            }
            self.problems.push(HeartbeatReason::DuplicateName, || {
                let message = message!["duplicate heartbeat `", quote(&name.value), "`"];
                let help = "rename one of the two: heartbeats are published by their names, and \
                            case and spaces do not distinguish them";
                Problem::new(name.span, message)
                    .with_help(help)
                    .with_label(first, "the name is used here first")
            });
        }
    }

    pub(super) fn check_inputs(&mut self, heartbeat: &Heartbeat) {
        for (name, _) in &heartbeat.input {
            // A name that is not valid is reported as a problem of the file.
            if self.inputs.declared.contains(name.value.as_str()) || !is_input_name(&name.value) {
                continue;
            }
            let declared = &self.inputs.declared;
            self.problems.push(HeartbeatReason::UndeclaredInput, || {
                let message = message!["the skill has no input `", quote(&name.value), "`"];
                let help = match closest_match(&name.value, declared.iter().copied()) {
                    Some(known) => message!["write `", quote(known), "`"],
                    None => message!["declare it under `inputs`, or remove it"],
                };
                Problem::new(name.span, message).with_help(help)
            });
        }
    }

    pub(super) fn check_missing_inputs(&mut self, heartbeat: &Heartbeat) {
        // A misspelled name is reported itself, and once it is corrected, its input has a value.
        let declared = &self.inputs.declared;
        let with_value: BTreeSet<&str> = heartbeat
            .input
            .iter()
            .filter_map(|(name, _)| {
                let name = name.value.as_str();
                declared
                    .get(name)
                    .copied()
                    .or_else(|| closest_match(name, declared.iter().copied()))
            })
            .collect();
        let missing: Vec<_> = self
            .inputs
            .required
            .iter()
            .filter(|name| !with_value.contains(*name))
            .copied()
            .collect();
        let Some(first) = missing.first() else { return };
        self.problems.push(HeartbeatReason::MissingInput, || {
            let names = missing.iter().map(|name| message!["`", quote(name), "`"]);
            let noun = if missing.len() == 1 { "input " } else { "inputs " };
            let message =
                message!["the heartbeat has no value for the ", noun, Message::join(names, ", ")];
            let help = message![
                "write `",
                quote(first),
                ": …` under its `input`; `{{fireDate}}` is the day of each fire"
            ];
            Problem::new(heartbeat.name.span, message).with_help(help)
        });
    }

    pub(super) fn check_run_skill(&mut self, manifest: &Manifest, draft: &Draft) {
        let mut is_own_assignment = false;
        for assignment in manifest.heartbeats.iter().filter_map(|it| it.assignment_skill.as_ref()) {
            if self.own_name == Some(assignment.value.trim()) {
                is_own_assignment = true;
                self.problems.push(HeartbeatReason::AssignmentIsRun, || {
                    let message = "the skill cannot both run and make the heartbeat";
                    let help = "name the skill that schedules this one, or remove the line";
                    Problem::new(assignment.span, message).with_help(help)
                });
            }
        }
        let arguments = draft.best_effort();
        for rejection in check_run_skill(arguments, is_own_assignment) {
            match rejection {
                RunSkillRejection::MakesHeartbeats => {
                    // A skill that also does work is reported as one of mixed shape.
                    if position(&arguments.hands_referenced, TASK_CREATE).is_none() {
                        self.report_scheduler(manifest);
                    }
                }
                RunSkillRejection::HomeAgentOnly => self.report_home_agent_skill(manifest),
                RunSkillRejection::EditsCanvases => self.report_canvas_editor(manifest),
                // Its line has been reported.
                RunSkillRejection::SameSkill => {}
            }
        }
    }

    fn report_scheduler(&mut self, manifest: &Manifest) {
        self.problems.push(HeartbeatReason::AssignmentIsRun, || {
            let message = "the heartbeat runs a skill that makes heartbeats itself";
            let help = "move the heartbeat to the `sprout.yaml` of the skill that does the work; \
                        its `assignmentSkill` may name this skill";
            let problem = first_heartbeat_problem(manifest, message, help);
            with_label_at_hand(problem, manifest, &[HEARTBEAT_CREATE], "this makes heartbeats")
        });
    }

    fn report_home_agent_skill(&mut self, manifest: &Manifest) {
        self.problems.push(HeartbeatReason::UnschedulableSkill, || {
            let message = "only the home agent runs the skill, so no heartbeat can";
            let help = "change the category to `generic`, or remove `heartbeats` and let the home \
                        agent schedule the skill";
            let problem = first_heartbeat_problem(manifest, message, help);
            match &manifest.category {
                Some(category) => problem.with_label(category.span, "for the home agent only"),
                None => problem,
            }
        });
    }

    fn report_canvas_editor(&mut self, manifest: &Manifest) {
        self.problems.push(HeartbeatReason::UnschedulableSkill, || {
            let message = "the skill creates or changes canvases, so no heartbeat can run it";
            let help = "create the canvas once, and move the heartbeat to a skill that links it under \
                        `canvases`";
            let problem = first_heartbeat_problem(manifest, message, help);
            with_label_at_hand(problem, manifest, &CANVAS_TOOLS, "this edits canvases")
        });
    }
}

fn first_heartbeat_problem(
    manifest: &Manifest,
    message: &'static str,
    help: &'static str,
) -> Problem {
    Problem::new(manifest.heartbeats[0].name.span, message).with_help(help)
}

/// Points at the first hand that is one of these tools, if `sprout.yaml` names it.
fn with_label_at_hand(
    problem: Problem,
    manifest: &Manifest,
    tools: &[&str],
    label: &'static str,
) -> Problem {
    let is_tool = |hand: &&Located<String>| tools.contains(&wire_name(&hand.value).as_str());
    match manifest.hands.iter().flatten().find(is_tool) {
        Some(hand) => problem.with_label(hand.span, label),
        None => problem,
    }
}
