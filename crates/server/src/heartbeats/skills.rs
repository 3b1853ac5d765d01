//! Which skills a heartbeat may run, and which may have created it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::problems::Problems;
use crate::store::Skill;
use dibber_skill::contract::{Category, HEARTBEAT_CREATE, wire_name};
use dibber_text::{ellipsize, json_pointer};

/// The tools that create and change canvases.
const AUTHORING: [&str; 2] = ["canvas_create", "canvas_update"];

/// The reason when the skill to run creates heartbeats.
const SCHEDULER: &str = "SCHEDULER_AS_RUN_SKILL";

/// Why a heartbeat cannot use a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkillRejection {
    Archived,
    HomeAgentOnly,
    CreatesHeartbeats,
    /// It is the assignment skill, too.
    SameSkill,
    EditsCanvases,
    NotAssignment,
}

/// Returns why a heartbeat with that assignment skill cannot run a skill.
pub(super) fn check_run_skill(skill: &Skill, assignment: Option<&str>) -> Vec<SkillRejection> {
    let is_both = assignment == Some(skill.id.as_str());
    let schedules = has_hand(skill, &[HEARTBEAT_CREATE]);
    let checks = [
        (SkillRejection::Archived, skill.is_archived),
        (SkillRejection::HomeAgentOnly, skill.written.category == Some(Category::HomeAgent)),
        (SkillRejection::SameSkill, is_both),
        (SkillRejection::CreatesHeartbeats, schedules && !is_both),
        (SkillRejection::EditsCanvases, has_hand(skill, &AUTHORING)),
    ];
    checks.into_iter().filter(|(_, is_so)| *is_so).map(|(rejection, _)| rejection).collect()
}

/// Returns why a skill cannot be the assignment skill of a heartbeat.
pub(super) fn check_assignment_skill(skill: &Skill) -> Vec<SkillRejection> {
    let checks = [
        (SkillRejection::Archived, skill.is_archived),
        (SkillRejection::NotAssignment, !has_hand(skill, &[HEARTBEAT_CREATE])),
    ];
    checks.into_iter().filter(|(_, is_so)| *is_so).map(|(rejection, _)| rejection).collect()
}

fn has_hand(skill: &Skill, tools: &[&str]) -> bool {
    skill.written.hands_referenced.iter().any(|hand| tools.contains(&wire_name(hand).as_str()))
}

impl SkillRejection {
    /// Reports it as the problem of an argument.
    pub(super) fn report(self, skill: &Skill, path: &str, problems: &mut Problems) {
        let label = ellipsize(&skill.written.name);
        match self {
            Self::Archived => problems.add_bad_input(
                path,
                "SKILL_ARCHIVED",
                format!("the skill `{label}` is archived"),
                "use another skill; skill_list has those that are active",
            ),
            Self::HomeAgentOnly => problems.add_denied(
                path,
                "HOME_AGENT_ONLY",
                format!("the skill `{label}` runs only in the home agent"),
                "schedule it in your own agent, or write it with category `generic`",
            ),
            Self::CreatesHeartbeats => problems.add_bad_input(
                path,
                SCHEDULER,
                format!("the skill `{label}` creates heartbeats, so no heartbeat can run it"),
                "name the skill that does the work as runSkillId, and this one as \
                 assignmentSkillId",
            ),
            Self::SameSkill => problems.add_bad_input(
                path,
                SCHEDULER,
                format!("the skill `{label}` is both runSkillId and assignmentSkillId"),
                "name the skill that does the work as runSkillId, and remove assignmentSkillId unless \
                 another skill creates the heartbeat",
            ),
            Self::EditsCanvases => problems.add_bad_input(
                path,
                "AUTHORING_AS_RUN_SKILL",
                format!("the skill `{label}` creates or changes canvases, so no heartbeat can run it"),
                "create the canvas once, and let the heartbeat run a skill that links it",
            ),
            Self::NotAssignment => problems.add_bad_input(
                path,
                "SKILL_NOT_ASSIGNMENT",
                format!("the skill `{label}` does not name `{HEARTBEAT_CREATE}` as a hand"),
                "remove assignmentSkillId, or name a skill that creates heartbeats",
            ),
        }
    }
}

/// Returns the inputs of a skill that have no value, in the order of declaration.
pub(crate) fn missing_inputs<'a>(skill: &'a Skill, values: &Map<String, Value>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    let names = skill.written.input_variables.iter().map(|input| input.name.as_str());
    names.filter(|name| seen.insert(*name) && !values.contains_key(*name)).collect()
}

/// Reports the inputs that have no value.
pub(super) fn report_missing_inputs(
    skill: &Skill,
    values: &Map<String, Value>,
    problems: &mut Problems,
) {
    for name in missing_inputs(skill, values) {
        let shown = ellipsize(name);
        problems.add_bad_input(
            &json_pointer(["skillInput", name]),
            "MISSING_INPUT",
            format!("the input `{shown}` has no value"),
            "add it to skillInput; `{{fireDate}}` is the day of each fire",
        );
    }
}

/// Returns the names of the values that no input of the skill asks for.
pub(super) fn ignored_inputs(skill: &Skill, values: &Map<String, Value>) -> Vec<String> {
    let inputs = &skill.written.input_variables;
    let declared: BTreeSet<_> = inputs.iter().map(|input| input.name.as_str()).collect();
    values.keys().filter(|name| !declared.contains(name.as_str())).cloned().collect()
}
