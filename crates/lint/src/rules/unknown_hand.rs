//! `unknown-hand`: a hand is no public tool.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-hand",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a hand is no public tool",
        docs: include_str!("unknown_hand.md"),
    },
    check: Check::Draft(Reason::UnknownHand),
};
