//! `child-name`: a child's name stands in the skill.

use crate::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use crate::lint::{Check, Rule};
use crate::names::Roster;
use crate::skill::Skill;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "child-name",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a child's name stands in the skill",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Names(check),
};

fn check(_skill: &Skill, _roster: &Roster, _findings: &mut Vec<Finding>) {}
