//! The analyzer for the heartbeats of `sprout.yaml`: what a server would refuse, and what a parent
//! should know.

mod analysis;
mod conflicts;
mod problem;
mod publishable;
mod rules;
mod schedule;

use std::collections::BTreeSet;

use analysis::Inputs;
use jiff::Timestamp;

use super::build::Draft;
use crate::skill::Skill;
use dibber_text::Source;

pub use problem::{HeartbeatProblem, HeartbeatReason};
pub use publishable::is_publishable_heartbeat;
pub use rules::{
    RunSkillRejection, check_heartbeat_name, check_misleading_name, check_run_skill,
    comparable_heartbeat_name,
};
pub use schedule::cadence;

/// Returns everything that is wrong with the heartbeats of a skill from an instant on: at most
/// [`REPORTED_MAX`](super::REPORTED_MAX) problems of one reason.
///
/// `source` is the text of `sprout.yaml`.
pub fn analyze_heartbeats(
    skill: &Skill,
    draft: &Draft,
    source: &Source,
    from: Timestamp,
) -> Vec<HeartbeatProblem> {
    let Some(manifest) = draft.manifest.as_ref().filter(|all| !all.heartbeats.is_empty()) else {
        return Vec::new();
    };
    let inputs = &draft.best_effort().input_variables;
    let declared = inputs.iter().map(|input| input.name.as_str()).collect();
    let optional: BTreeSet<&str> = draft.optional_inputs().collect();
    let required = inputs.iter().map(|input| input.name.as_str());
    let required = required.filter(|name| !optional.contains(name)).collect();
    let own_name = skill.string_field("name").map(|(name, _)| name);
    let mut analysis =
        analysis::Analysis::new(source, from, own_name, Inputs { declared, required });
    let mut schedules = Vec::new();
    for heartbeat in &manifest.heartbeats {
        analysis.check_name(&heartbeat.name);
        analysis.check_inputs(heartbeat);
        analysis.check_missing_inputs(heartbeat);
        schedules.extend(analysis.check_schedule(heartbeat).map(|schedule| (heartbeat, schedule)));
    }
    analysis.check_duplicate_names(manifest);
    analysis.check_run_skill(manifest, draft);
    analysis.check_conflicts(schedules);
    analysis.problems.finish()
}
