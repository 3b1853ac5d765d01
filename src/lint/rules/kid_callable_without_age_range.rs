//! `kid-callable-without-age-range`: a child may launch the skill, and it does not say for which ages it is.

use crate::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use crate::draft::Reason;
use crate::lint::{Check, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "kid-callable-without-age-range",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a child may launch the skill, and it does not say for which ages it is",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Draft(Reason::KidCallableWithoutAgeRange),
};
