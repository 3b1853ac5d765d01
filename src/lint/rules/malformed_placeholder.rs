//! `malformed-placeholder`: something was meant as a placeholder, and nothing will fill it.

use crate::diagnostic::{Applicability, FixAvailability, Group, Level, RuleMeta};
use crate::draft::Reason;
use crate::lint::{Check, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "malformed-placeholder",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Unsafe),
        since: "0.1.0",
        summary: "something was meant as a placeholder, and nothing will fill it",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Draft(Reason::MalformedPlaceholder),
};
