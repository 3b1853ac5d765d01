//! `schedule-conflict`: two heartbeats fire in the same minute.

use crate::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use crate::draft::HeartbeatReason;
use crate::lint::{Check, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "schedule-conflict",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two heartbeats fire in the same minute",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Heartbeat(HeartbeatReason::Conflict),
};
