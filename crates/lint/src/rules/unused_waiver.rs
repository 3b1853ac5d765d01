//! `unused-waiver`: a waiver keeps nothing quiet.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};

/// The rule; the runner finds.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unused-waiver",
        group: Group::Waivers,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a waiver keeps nothing quiet",
        docs: include_str!("unused_waiver.md"),
    },
    check: Check::Runner,
};
