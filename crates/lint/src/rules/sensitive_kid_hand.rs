//! `sensitive-kid-hand`: a child may launch the skill, and it changes what the child earns or is
//! allowed.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "sensitive-kid-hand",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a child may launch the skill, and it changes what the child earns or is allowed",
        docs: include_str!("sensitive_kid_hand.md"),
    },
    check: Check::Draft(Reason::SensitiveKidHand),
};
