//! `malformed-waiver`: a waiver comment cannot be followed.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};

/// The rule; the runner finds.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "malformed-waiver",
        group: Group::Waivers,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a waiver comment has no reason, names no rule, or cannot be read",
        docs: include_str!("malformed_waiver.md"),
    },
    check: Check::Runner,
};
