//! `invalid-manifest`: `sprout.yaml` is not what its schema describes.

use crate::diagnostic::{FixAvailability, Group, Level, RuleMeta};
use crate::lint::{Check, Rule};
use crate::manifest::FaultKind;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-manifest",
        group: Group::Sprout,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "`sprout.yaml` is not what its schema describes",
        docs: "
# What it does

# Why is this bad

# Example

# Instead

# Source
",
    },
    check: Check::Manifest(FaultKind::Invalid),
};
