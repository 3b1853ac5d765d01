//! `byte-order-mark`: the file begins with a byte-order mark.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::Span;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "byte-order-mark",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Always(Applicability::Safe),
        since: "0.1.0",
        summary: "the file begins with a byte-order mark",
        docs: include_str!("byte_order_mark.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let mark = Span::new(0, skill.text_start());
    if mark.is_empty() {
        return;
    }
    let message = "the file begins with a byte-order mark, which hides the frontmatter";
    let help = "save the file as \"UTF-8\", not as \"UTF-8 with BOM\"";
    findings.push(
        Finding::new(&RULE.meta, mark, message).note("an invisible U+FEFF").help(help).fix(
            Applicability::Safe,
            "Remove the byte-order mark",
            mark,
            "",
        ),
    );
}
