//! Which skills a heartbeat may run, and which may have created it.

use serde_json::{Map, Value};

use crate::problems::Problems;
use crate::store::Skill;
use dibber_skill::contract::{HEARTBEAT_CREATE, SkillId, wire_name};
use dibber_skill::draft::{self, RunSkillRejection};
use dibber_text::{Shown, json_pointer};

/// The reason when the skill to run creates heartbeats.
const SCHEDULER: &str = "SCHEDULER_AS_RUN_SKILL";

/// Why a heartbeat cannot use a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SkillRejection {
    Archived,
    /// It cannot be the skill that runs.
    CannotRun(RunSkillRejection),
    NotAssignment,
}

/// Returns why a heartbeat with that assignment skill cannot run a skill.
pub(super) fn check_run_skill(skill: &Skill, assignment: Option<&SkillId>) -> Vec<SkillRejection> {
    let is_assignment = assignment == Some(&skill.id);
    let archived = skill.is_archived.then_some(SkillRejection::Archived);
    let rejections = draft::check_run_skill(&skill.written, is_assignment);
    archived.into_iter().chain(rejections.into_iter().map(SkillRejection::CannotRun)).collect()
}

/// Returns why a skill cannot be the assignment skill of a heartbeat.
pub(super) fn check_assignment_skill(skill: &Skill) -> Vec<SkillRejection> {
    let mut hands = skill.written.hands_referenced.iter();
    let creates_heartbeats = hands.any(|hand| wire_name(hand) == HEARTBEAT_CREATE);
    let archived = skill.is_archived.then_some(SkillRejection::Archived);
    let unfit = (!creates_heartbeats).then_some(SkillRejection::NotAssignment);
    archived.into_iter().chain(unfit).collect()
}

impl SkillRejection {
    /// Reports it as the problem of an argument.
    pub(super) fn report(self, skill: &Skill, path: &str, problems: &mut Problems) {
        let label = Shown::to_be_masked(&skill.written.name);
        match self {
            Self::Archived => problems.add_bad_input(
                path,
                "SKILL_ARCHIVED",
                format!("the skill `{label}` is archived"),
                "use another skill; skill_list has those that are active",
            ),
            Self::CannotRun(RunSkillRejection::HomeAgentOnly) => problems.add_denied(
                path,
                "HOME_AGENT_ONLY",
                format!("the skill `{label}` runs only in the home agent"),
                "schedule it in your own agent, or write it with category `generic`",
            ),
            Self::CannotRun(RunSkillRejection::MakesHeartbeats) => problems.add_bad_input(
                path,
                SCHEDULER,
                format!("the skill `{label}` creates heartbeats, so no heartbeat can run it"),
                "name the skill that does the work as runSkillId, and this one as \
                 assignmentSkillId",
            ),
            Self::CannotRun(RunSkillRejection::SameSkill) => problems.add_bad_input(
                path,
                SCHEDULER,
                format!("the skill `{label}` is both runSkillId and assignmentSkillId"),
                "name the skill that does the work as runSkillId, and remove assignmentSkillId unless \
                 another skill creates the heartbeat",
            ),
            Self::CannotRun(RunSkillRejection::EditsCanvases) => problems.add_bad_input(
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

/// Reports the inputs that have no value.
pub(super) fn report_missing_inputs(
    skill: &Skill,
    values: Option<&Map<String, Value>>,
    problems: &mut Problems,
) {
    let none = Map::new();
    let values = values.unwrap_or(&none);
    for name in draft::missing_inputs(&skill.written.input_variables, values) {
        let shown = Shown::to_be_masked(name);
        problems.add_bad_input(
            &json_pointer(["skillInput", name]),
            "MISSING_INPUT",
            format!("the input `{shown}` has no value"),
            "add it to skillInput; `{{fireDate}}` is the day of each fire",
        );
    }
}

/// Reports values with something that was meant as `{{fireDate}}`, and is not filled in.
pub(super) fn check_fire_values(values: Option<&Map<String, Value>>, problems: &mut Problems) {
    for (name, value) in values.into_iter().flatten() {
        let Some(text) = value.as_str() else { continue };
        if let Some(found) = misspelt_fire_date(text) {
            let shown = Shown::to_be_masked(found);
            problems.add_bad_input(
                &json_pointer(["skillInput", name]),
                "MALFORMED_PLACEHOLDER",
                format!("`{{{{{shown}}}}}` is not filled in at a fire"),
                "write `{{fireDate}}` for the day of the fire; nothing else is filled in",
            );
        }
    }
}

/// Returns what is between double braces and begins as `fireDate`, in any case, but is not it.
fn misspelt_fire_date(text: &str) -> Option<&str> {
    const FIRE: &str = "fire";
    let mut parts = text.split("{{").skip(1).filter_map(|rest| Some(rest.split_once("}}")?.0));
    parts.find(|part| {
        let start = part.trim_start().get(..FIRE.len());
        *part != "fireDate" && start.is_some_and(|start| start.eq_ignore_ascii_case(FIRE))
    })
}
