//! `heartbeat-name`: the name of a heartbeat is blank or too long.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "heartbeat-name",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the name of a heartbeat is blank or too long",
        docs: include_str!("heartbeat_name.md"),
    },
    check: Check::Heartbeat(HeartbeatReason::Name),
};
