//! `unchecked-skill`: the finding in a skill on which dibber panicked.
//!
//! No rule finds it, so it is not in [`RULES`](super::RULES): no level, waiver, baseline or
//! `--since` hides it.

use dibber_skill::diagnostic::{FixAvailability, Group, Level, RuleMeta};

/// The metadata that reports show in place of a rule's.
pub static UNCHECKED_SKILL: RuleMeta = RuleMeta {
    id: "unchecked-skill",
    group: Group::Internal,
    level: Level::Deny,
    fix: FixAvailability::None,
    since: "0.1.0",
    summary: "dibber failed while it checked the skill",
    docs: "
# What it does

Reports a skill that dibber could not check because of a bug in dibber. The other skills are
checked all the same. This one was not fixed, and its findings, if it has any, are missing.

It is always at level `deny` and cannot be waived: no rule finds it.

# Why is this bad

Without this finding, a skill that was not checked would look like one without findings.

# Source

dibber's own.
",
};
