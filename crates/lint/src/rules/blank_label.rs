//! `blank-label`: the label, the summary or the body is blank.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "blank-label",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the label, the summary or the body is blank",
        docs: include_str!("blank_label.md"),
    },
    check: Check::Draft(Reason::BlankField),
};
