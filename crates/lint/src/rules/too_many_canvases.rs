//! `too-many-canvases`: the skill links more canvases than a skill may.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "too-many-canvases",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the skill links more canvases than a skill may",
        docs: include_str!("too_many_canvases.md"),
    },
    check: Check::Draft(Reason::TooManyCanvases),
};
