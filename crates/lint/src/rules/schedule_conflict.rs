//! `schedule-conflict`: two heartbeats fire in the same minute.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "schedule-conflict",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two heartbeats fire in the same minute",
        docs: include_str!("schedule_conflict.md"),
    },
    check: Check::Heartbeat(HeartbeatReason::Conflict),
};
