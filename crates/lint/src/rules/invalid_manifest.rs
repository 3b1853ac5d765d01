//! `invalid-manifest`: `sprout.yaml` is not what its schema describes.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::manifest::FaultKind;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-manifest",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "`sprout.yaml` is not what its schema describes",
        docs: include_str!("invalid_manifest.md"),
    },
    check: Check::Manifest(FaultKind::Invalid),
};
