//! The rules for a heartbeat that hold in a file and on a server alike.

use crate::contract::{Category, HEARTBEAT_CREATE, SkillWrite, wire_name};
use crate::names::lookalike_word;
use crate::scan::hidden_in_label;
use dibber_text::{Problem, is_blank};

/// The tools that create or change canvases.
pub(super) const CANVAS_TOOLS: [&str; 2] = ["canvas_create", "canvas_update"];

/// Why a heartbeat must not run a skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RunSkillRejection {
    /// Only the home agent runs it.
    HomeAgentOnly,
    /// It is also named as the skill that makes the heartbeat.
    SameSkill,
    /// It makes heartbeats itself.
    MakesHeartbeats,
    /// It creates or changes canvases.
    EditsCanvases,
}

/// Returns every reason for which a heartbeat must not run a skill. `is_assignment` is `true` if
/// the same skill is named as the one that makes the heartbeat.
pub fn check_run_skill(skill: &SkillWrite, is_assignment: bool) -> Vec<RunSkillRejection> {
    let uses = |tools: &[&str]| {
        skill.hands_referenced.iter().any(|hand| tools.contains(&wire_name(hand).as_str()))
    };
    let checks = [
        (RunSkillRejection::HomeAgentOnly, skill.category == Some(Category::HomeAgent)),
        (RunSkillRejection::SameSkill, is_assignment),
        // A skill that is named as both has been reported as that.
        (RunSkillRejection::MakesHeartbeats, !is_assignment && uses(&[HEARTBEAT_CREATE])),
        (RunSkillRejection::EditsCanvases, uses(&CANVAS_TOOLS)),
    ];
    checks.into_iter().filter(|(_, is_rejected)| *is_rejected).map(|(reason, _)| reason).collect()
}

/// Checks that the name of a heartbeat is not blank.
pub fn check_heartbeat_name(name: &str) -> Result<(), Problem<()>> {
    if is_blank(name) {
        let problem = Problem::new((), "the name of the heartbeat is blank");
        return Err(problem.with_help("write what the family would call it: `Before school`"));
    }
    Ok(())
}

/// Returns the name of a heartbeat as names are compared: in any case, and with any spaces.
pub fn comparable_heartbeat_name(name: &str) -> String {
    name.to_lowercase().split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Checks that the name of a heartbeat does not look like another one. No parent reviews it, as the
/// label of a skill is reviewed.
pub fn check_misleading_name(name: &str) -> Result<(), Problem<()>> {
    if !hidden_in_label::find(name).is_empty() {
        let problem = Problem::new((), "the name of the heartbeat has hidden characters");
        return Err(problem.with_help("write only what can be seen"));
    }
    if lookalike_word(name).is_some() {
        let message = "the name of the heartbeat has letters of two scripts in one word, which \
                       look alike";
        return Err(
            Problem::new((), message).with_help("write each word in the letters of one script")
        );
    }
    Ok(())
}
