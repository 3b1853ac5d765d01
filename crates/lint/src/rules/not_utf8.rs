//! `not-utf8`: `SKILL.md` is not UTF-8.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::{Span, message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "not-utf8",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "`SKILL.md` is not UTF-8",
        docs: include_str!("not_utf8.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(found) = skill.source.not_utf8() else { return };
    let span = Span::new(found.at, found.at + 1);
    let finding = Finding::new(&RULE.meta, span, found.describe()).help(found.help());
    findings.push(finding.note(message!["the byte ", quote(&format!("{:02X}", found.byte))]));
}
