//! `sensitive-kid-hand`: a child may launch the skill, and it touches gems or screen time.

use crate::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use crate::draft::Reason;
use crate::lint::{Check, Rule};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "sensitive-kid-hand",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a child may launch the skill, and it touches gems or screen time",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Draft(Reason::SensitiveKidHand),
};
