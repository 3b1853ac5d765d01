//! `non-ascii-name`: the `name` has letters or digits that are not ASCII.

use crate::fields::StringField;
use crate::listing::quote_name;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::name as skill_name;
use dibber_skill::skill::{BundleKind, Skill};
use dibber_text::message;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "non-ascii-name",
        group: Group::Spec,
        level: Level::Allow,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the `name` has letters or digits that are not ASCII",
        docs: include_str!("non_ascii_name.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.kind == BundleKind::SkillsProtocol {
        return;
    }
    let Some(field) = StringField::find(skill, "name") else { return };
    if field.text.is_ascii() {
        return;
    }
    let faults = skill_name::faults(field.text);
    let is_foreign = |(at, c): &(usize, char)| {
        !c.is_ascii() && !faults.iter().any(|(_, range)| range.contains(at))
    };
    let Some((start, _)) = field.text.char_indices().find(is_foreign) else { return };
    let run = field.text[start..].char_indices();
    let length = run
        .take_while(|(at, c)| is_foreign(&(start + at, *c)))
        .map(|(at, c)| at + c.len_utf8())
        .last()
        .unwrap_or_default();
    let message = message![
        "the name ",
        quote_name(field.text),
        " has characters that some clients refuse: ",
        quote_name(&field.text[start..start + length])
    ];
    let help = "use only the letters `a` to `z`, digits and hyphens";
    findings.push(Finding::new(&RULE.meta, field.part(start..start + length), message).help(help));
}
