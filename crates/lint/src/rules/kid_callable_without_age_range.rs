//! `kid-callable-without-age-range`: a child may launch the skill, and it does not say for which ages it is.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "kid-callable-without-age-range",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a child may launch the skill, and it does not say for which ages it is",
        docs: include_str!("kid_callable_without_age_range.md"),
    },
    check: Check::Draft(Reason::KidCallableWithoutAgeRange),
};
