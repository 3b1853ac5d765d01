//! Which skills a heartbeat may run, and which may have made it.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::faults::Faults;
use crate::store::Skill;
use dibber_skill::contract::{Category, HEARTBEAT_CREATE, wire_name};
use dibber_text::{ellipsize, json_pointer};

/// The tools that make canvases.
const AUTHORING: [&str; 2] = ["canvas_create", "canvas_update"];

/// The reason when the skill that is to run makes heartbeats.
const SCHEDULER: &str = "SCHEDULER_AS_RUN_SKILL";

/// Why a skill is not one for a heartbeat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    Archived,
    HomeAgentOnly,
    Schedules,
    /// It is named as the one that makes the heartbeat, too.
    IsBoth,
    Authors,
    NoAssignment,
}

/// Everything that speaks against running a skill by a heartbeat which the skill of another id
/// has made.
pub(super) fn to_run(skill: &Skill, assignment: Option<&str>) -> Vec<Unfit> {
    let is_both = assignment == Some(skill.id.as_str());
    let schedules = has_hand(skill, &[HEARTBEAT_CREATE]);
    let checks = [
        (Unfit::Archived, skill.is_archived),
        (Unfit::HomeAgentOnly, skill.written.category == Some(Category::HomeAgent)),
        (Unfit::IsBoth, is_both),
        (Unfit::Schedules, schedules && !is_both),
        (Unfit::Authors, has_hand(skill, &AUTHORING)),
    ];
    checks.into_iter().filter(|(_, is_so)| *is_so).map(|(unfit, _)| unfit).collect()
}

/// Everything that speaks against a skill as the one that makes a heartbeat.
pub(super) fn to_assign(skill: &Skill) -> Vec<Unfit> {
    let checks = [
        (Unfit::Archived, skill.is_archived),
        (Unfit::NoAssignment, !has_hand(skill, &[HEARTBEAT_CREATE])),
    ];
    checks.into_iter().filter(|(_, is_so)| *is_so).map(|(unfit, _)| unfit).collect()
}

fn has_hand(skill: &Skill, tools: &[&str]) -> bool {
    skill.written.hands_referenced.iter().any(|hand| tools.contains(&wire_name(hand).as_str()))
}

impl Unfit {
    /// Tells it as the fault of an argument.
    pub(super) fn tell(self, skill: &Skill, path: &str, faults: &mut Faults) {
        let label = ellipsize(&skill.written.name);
        match self {
            Self::Archived => faults.bad_input(
                path,
                "SKILL_ARCHIVED",
                format!("the skill `{label}` is archived"),
                "take another skill; skill_list has those that are in use",
            ),
            Self::HomeAgentOnly => faults.denied(
                path,
                "HOME_AGENT_ONLY",
                format!("the skill `{label}` is for the home agent alone"),
                "run it on a schedule of your own agent, or write it with category `generic`",
            ),
            Self::Schedules => faults.bad_input(
                path,
                SCHEDULER,
                format!("the skill `{label}` makes heartbeats, and so none may run it"),
                "name the skill that does the work as runSkillId, and this one as \
                 assignmentSkillId",
            ),
            Self::IsBoth => faults.bad_input(
                path,
                SCHEDULER,
                format!("the skill `{label}` cannot both run and make the heartbeat"),
                "name the skill that does the work as runSkillId, and leave assignmentSkillId out \
                 unless another skill makes the heartbeat",
            ),
            Self::Authors => faults.bad_input(
                path,
                "AUTHORING_AS_RUN_SKILL",
                format!("the skill `{label}` makes or changes canvases, and so none may run it"),
                "make the canvas once, and let the heartbeat run a skill that links it",
            ),
            Self::NoAssignment => faults.bad_input(
                path,
                "SKILL_NOT_ASSIGNMENT",
                format!("the skill `{label}` does not name `{HEARTBEAT_CREATE}` as a hand"),
                "leave assignmentSkillId out, or name a skill that makes heartbeats",
            ),
        }
    }
}

/// The inputs of a skill that have no value, in the order of their declaration.
pub(crate) fn missing_inputs<'a>(skill: &'a Skill, values: &Map<String, Value>) -> Vec<&'a str> {
    let mut seen = BTreeSet::new();
    let names = skill.written.input_variables.iter().map(|input| input.name.as_str());
    names.filter(|name| seen.insert(*name) && !values.contains_key(*name)).collect()
}

/// Tells which inputs have no value.
pub(super) fn tell_missing(skill: &Skill, values: &Map<String, Value>, faults: &mut Faults) {
    for name in missing_inputs(skill, values) {
        let shown = ellipsize(name);
        faults.bad_input(
            &json_pointer(["skillInput", name]),
            "MISSING_INPUT",
            format!("the input `{shown}` has no value"),
            "give it in skillInput; `{{fireDate}}` stands for the day of each fire",
        );
    }
}

/// The values that no input of the skill asks for, by name.
pub(super) fn ignored_inputs(skill: &Skill, values: &Map<String, Value>) -> Vec<String> {
    let inputs = &skill.written.input_variables;
    let declared: BTreeSet<_> = inputs.iter().map(|input| input.name.as_str()).collect();
    values.keys().filter(|name| !declared.contains(name.as_str())).cloned().collect()
}
