//! `invalid-canvas-id`: a canvas is not a UUID.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::draft::Reason;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-canvas-id",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a canvas is not a UUID",
        docs: include_str!("invalid_canvas_id.md"),
    },
    check: Check::Draft(Reason::InvalidCanvasId),
};
