//! `invalid-cron`: the schedule of a heartbeat is not five fields of cron.

use crate::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use crate::draft::HeartbeatReason;
use crate::lint::{Check, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-cron",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the schedule of a heartbeat is not five fields of cron",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Heartbeat(HeartbeatReason::InvalidCron),
};
