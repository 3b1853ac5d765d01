//! `invalid-canvas-id`: a canvas is not a UUID.

use crate::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use crate::draft::Reason;
use crate::lint::{Check, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-canvas-id",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a canvas is not a UUID",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Draft(Reason::InvalidCanvasId),
};
