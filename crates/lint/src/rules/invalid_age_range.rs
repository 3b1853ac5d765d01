//! `invalid-age-range`: the age range is not written as `5-7`.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-age-range",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the age range is not written as `5-7`",
        docs: include_str!("invalid_age_range.md"),
    },
    check: Check::Draft(Reason::InvalidAgeRange),
};
