//! `invalid-cron`: the schedule of a heartbeat is not five fields of cron.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-cron",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the schedule of a heartbeat is not five fields of cron",
        docs: include_str!("invalid_cron.md"),
    },
    check: Check::Heartbeat(HeartbeatReason::InvalidCron),
};
