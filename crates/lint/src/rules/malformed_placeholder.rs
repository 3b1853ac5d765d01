//! `malformed-placeholder`: something was meant as a placeholder, and nothing will fill it.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "malformed-placeholder",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Unsafe),
        since: "0.1.0",
        summary: "something was meant as a placeholder, and nothing will fill it",
        docs: include_str!("malformed_placeholder.md"),
    },
    check: Check::Draft(Reason::MalformedPlaceholder),
};
