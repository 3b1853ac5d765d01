//! `never-fires`: no day matches the schedule of a heartbeat.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::HeartbeatReason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "never-fires",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "no day matches the schedule of a heartbeat",
        docs: include_str!("never_fires.md"),
    },
    check: Check::Heartbeat(HeartbeatReason::NeverFires),
};
