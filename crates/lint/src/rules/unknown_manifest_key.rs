//! `unknown-manifest-key`: `sprout.yaml` has a key that means nothing.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use dibber_skill::manifest::FaultKind;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-manifest-key",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "`sprout.yaml` has a key that means nothing",
        docs: include_str!("unknown_manifest_key.md"),
    },
    check: Check::Manifest(FaultKind::UnknownKey),
};
