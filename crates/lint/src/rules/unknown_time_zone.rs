//! `unknown-time-zone`: the time zone of a heartbeat does not exist.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-time-zone",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the time zone of a heartbeat does not exist",
        docs: include_str!("unknown_time_zone.md"),
    },
    check: Check::Heartbeat(HeartbeatReason::UnknownTimeZone),
};
