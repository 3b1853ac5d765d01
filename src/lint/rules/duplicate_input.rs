//! `duplicate-input`: two inputs have the same name.

use crate::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use crate::draft::Reason;
use crate::lint::{Check, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "duplicate-input",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two inputs have the same name",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Draft(Reason::DuplicateInput),
};
