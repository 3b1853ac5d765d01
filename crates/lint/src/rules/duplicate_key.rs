//! `duplicate-key`: the frontmatter has a duplicate key.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{FaultKind, Skill};
use dibber_text::{message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "duplicate-key",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the frontmatter has a duplicate key",
        docs: include_str!("duplicate_key.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for fault in &skill.faults {
        let FaultKind::DuplicateKey { key, first } = &fault.kind else { continue };
        let line = skill.source.line_column(first.start).line;
        let message = message!["duplicate key `", quote(key), "`"];
        findings.push(
            Finding::new(&RULE.meta, fault.span, message)
                .label(*first, "first defined here")
                .help(message!["delete this key or the one on line ", line]),
        );
    }
}
