//! `mixed-shape`: the skill both does the work and schedules it.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "mixed-shape",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the skill both does the work and schedules it",
        docs: include_str!("mixed_shape.md"),
    },
    check: Check::Draft(Reason::MixedShape),
};
