//! `expired-waiver`: a waiver in `dibber.toml` is past its date.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};

/// The rule; the runner finds.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "expired-waiver",
        group: Group::Waivers,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a waiver in `dibber.toml` has expired",
        docs: include_str!("expired_waiver.md"),
    },
    check: Check::Runner,
};
