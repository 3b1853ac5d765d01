//! `cadence-over-cap`: a heartbeat fires more often than a server allows.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "cadence-over-cap",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a heartbeat fires more often than a server allows",
        docs: include_str!("cadence_over_cap.md"),
    },
    check: Check::Heartbeat(HeartbeatReason::OverCap),
};
