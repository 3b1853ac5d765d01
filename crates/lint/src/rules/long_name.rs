//! `long-name`: the `name` has more than 64 characters.

use crate::fields::StringField;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::name as skill_name;
use dibber_skill::skill::{BundleKind, Skill};
use dibber_text::message;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "long-name",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the `name` has more than 64 characters",
        docs: include_str!("long_name.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.kind == BundleKind::SkillsProtocol {
        return;
    }
    let Some(field) = StringField::find(skill, "name") else { return };
    if field.text.len() <= skill_name::CHARACTERS_MAX {
        return;
    }
    let normalized = skill_name::normalized(field.text);
    let count = normalized.chars().count();
    if count > skill_name::CHARACTERS_MAX {
        let is_exact = normalized == field.text;
        let span =
            if is_exact { field.after(skill_name::CHARACTERS_MAX) } else { field.value.span };
        let limit = skill_name::CHARACTERS_MAX;
        let message =
            message!["the `name` has ", count, " characters, at most ", limit, " are allowed"];
        let help = "choose a shorter name, and rename the skill's directory to match";
        findings.push(Finding::new(&RULE.meta, span, message).help(help));
    }
}
