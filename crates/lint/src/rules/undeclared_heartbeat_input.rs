//! `undeclared-heartbeat-input`: a heartbeat fills an input that the skill does not have.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "undeclared-heartbeat-input",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a heartbeat fills an input that the skill does not have",
        docs: include_str!("undeclared_heartbeat_input.md"),
    },
    check: Check::Heartbeat(HeartbeatReason::UndeclaredInput),
};
