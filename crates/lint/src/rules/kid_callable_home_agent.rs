//! `kid-callable-home-agent`: a child may launch the skill, but only the home agent can run it.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "kid-callable-home-agent",
        group: Group::Sprout,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a child may launch the skill, but only the home agent can run it",
        docs: include_str!("kid_callable_home_agent.md"),
    },
    check: Check::Draft(Reason::KidCallableHomeAgent),
};
