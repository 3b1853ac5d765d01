//! What a parent should hear before a heartbeat is created or changed.

use std::collections::HashSet;

use serde_json::{Map, Value};

use super::ages::AgeFit;
use super::skills;
use crate::failure::Failure;
use crate::store::{Cadence, Child, HeartbeatState, Reader, Skill, pages};
use crate::times;
use crate::tool::Call;
use dibber_schedule::conflicts;
use dibber_skill::contract::{HeartbeatId, HeartbeatWarning};

/// A heartbeat as it would be.
pub(crate) struct PlannedHeartbeat<'a> {
    /// Its id, if it exists already.
    pub(crate) id: Option<&'a HeartbeatId>,
    pub(crate) cadence: &'a Cadence,
    pub(crate) run: &'a Skill,
    pub(crate) assignment: Option<&'a Skill>,
    pub(crate) child: Option<&'a Child>,
    /// The values of the inputs.
    pub(crate) input: Option<&'a Map<String, Value>>,
}

/// Returns the warnings about a heartbeat that would fire, in the order of [`HeartbeatWarning`].
pub(crate) fn warnings(
    planned: &PlannedHeartbeat,
    call: &Call,
    store: &dyn Reader,
) -> Result<Vec<HeartbeatWarning>, Failure> {
    let child = planned.child.map(|child| &child.id);
    let mut has_conflict = false;
    let mut is_assigned = false;
    let mut is_duplicate = false;
    let no_input = Map::new();
    let input = planned.input.unwrap_or(&no_input);
    // Many heartbeats share a few schedules, and comparing two costs more than reading them all,
    // so each schedule is compared once.
    let mut compared = HashSet::new();
    for other in pages::heartbeats(store, &call.caller.family) {
        let other = other?;
        if planned.id == Some(&other.id) || other.state != HeartbeatState::Active {
            continue;
        }
        let other_child = other.child_id.as_ref();
        let has_assigned = other.run_skill_id == planned.run.id && other_child == child;
        is_assigned |= has_assigned;
        is_duplicate |=
            has_assigned && other.cadence.is_same(planned.cadence) && other.skill_input == *input;
        let may_overlap = child.is_none() || other_child.is_none() || other_child == child;
        let schedule = other.cadence.schedule();
        let key = || (schedule.cron, other.cadence.time_zone().to_owned());
        if may_overlap && !has_conflict && compared.insert(key()) {
            let pair = [planned.cadence.schedule().clone(), schedule.clone()];
            has_conflict = !conflicts(&pair, call.now, 0).found.is_empty();
        }
    }
    let fit = match (planned.child, &planned.run.written.age_range) {
        (Some(child), Some(ages)) => {
            let zone = times::family_zone(store, &call.caller.family)?;
            let today = call.now.to_zoned(zone).date();
            AgeFit::new(child.birth_date, ages, today)
        }
        _ => None,
    };
    let assignment = planned.assignment.map(|skill| &skill.id);
    let is_unfit = !skills::check_run_skill(planned.run, assignment).is_empty()
        || planned
            .assignment
            .is_some_and(|skill| !skills::check_assignment_skill(skill).is_empty());
    let all = [
        (HeartbeatWarning::ScheduleConflict, has_conflict),
        (HeartbeatWarning::AgeEdge, fit.is_some_and(|fit| fit.is_at_edge)),
        (HeartbeatWarning::AgeMismatch, fit.is_some_and(|fit| fit.is_mismatch)),
        (HeartbeatWarning::ProgramNotAssignable, is_unfit),
        (HeartbeatWarning::AlreadyAssigned, is_assigned),
        (HeartbeatWarning::Duplicate, is_duplicate),
    ];
    Ok(all.into_iter().filter(|(_, is_so)| *is_so).map(|(warning, _)| warning).collect())
}
