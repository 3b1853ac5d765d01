//! `blank-label`: the label, the summary or the body is blank.

use crate::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use crate::draft::Reason;
use crate::lint::{Check, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "blank-label",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the label, the summary or the body is blank",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Draft(Reason::BlankField),
};
