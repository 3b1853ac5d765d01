//! `assignment-skill-is-run-skill`: a heartbeat runs a skill that makes schedules.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "assignment-skill-is-run-skill",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a heartbeat runs a skill that makes schedules",
        docs: include_str!("assignment_skill_is_run_skill.md"),
    },
    check: Check::Heartbeat(HeartbeatReason::AssignmentIsRun),
};
