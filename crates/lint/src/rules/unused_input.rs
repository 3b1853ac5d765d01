//! `unused-input`: the prompt does not use an input.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unused-input",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the prompt does not use an input",
        docs: include_str!("unused_input.md"),
    },
    check: Check::Draft(Reason::UnusedInput),
};
