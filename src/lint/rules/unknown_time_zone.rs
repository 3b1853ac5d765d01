//! `unknown-time-zone`: the time zone of a heartbeat does not exist.

use crate::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use crate::draft::HeartbeatReason;
use crate::lint::{Check, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-time-zone",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the time zone of a heartbeat does not exist",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Heartbeat(HeartbeatReason::UnknownTimeZone),
};
