//! `assignment-skill-is-run-skill`: a heartbeat is assigned by the skill that it runs.

use crate::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use crate::draft::HeartbeatReason;
use crate::lint::{Check, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "assignment-skill-is-run-skill",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a heartbeat is assigned by the skill that it runs",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Heartbeat(HeartbeatReason::AssignmentIsRun),
};
