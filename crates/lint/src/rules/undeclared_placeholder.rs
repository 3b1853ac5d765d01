//! `undeclared-placeholder`: the prompt has a placeholder that no input declares.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "undeclared-placeholder",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the prompt has a placeholder that no input declares",
        docs: include_str!("undeclared_placeholder.md"),
    },
    check: Check::Draft(Reason::UndeclaredPlaceholder),
};
