//! `duplicate-input`: two inputs have the same name.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "duplicate-input",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two inputs have the same name",
        docs: include_str!("duplicate_input.md"),
    },
    check: Check::Draft(Reason::DuplicateInput),
};
