//! `undeclared-heartbeat-input`: a heartbeat fills an input that the skill does not have.

use crate::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use crate::draft::HeartbeatReason;
use crate::lint::{Check, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "undeclared-heartbeat-input",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a heartbeat fills an input that the skill does not have",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Heartbeat(HeartbeatReason::UndeclaredInput),
};
