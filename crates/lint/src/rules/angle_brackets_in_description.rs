//! `angle-brackets-in-description`: the `description` contains `<` or `>`.

use crate::fields::StringField;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::{Span, message};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "angle-brackets-in-description",
        group: Group::Portability,
        level: Level::Allow,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the `description` contains `<` or `>`",
        docs: include_str!("angle_brackets_in_description.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(field) = StringField::find(skill, "description") else { return };
    let count = memchr::memchr2_iter(b'<', b'>', field.text.as_bytes()).count();
    if count == 0 {
        return;
    }
    // If the bracket is written as an escape, the span is the whole value.
    let span = field.value.span;
    let written = skill.source.slice(span);
    let span = memchr::memchr2(b'<', b'>', written.as_bytes())
        .map_or(span, |at| Span::new(span.start + at, span.start + at + 1));
    let message = match count {
        1 => message!["the `description` contains an angle bracket, which claude.ai refuses"],
        _ => message![
            "the `description` contains ",
            count,
            " angle brackets, which claude.ai refuses"
        ],
    };
    let help = "write the description without `<` and `>`";
    findings.push(Finding::new(&RULE.meta, span, message).help(help));
}
