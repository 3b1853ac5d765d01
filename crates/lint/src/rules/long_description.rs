//! `long-description`: the `description` has more than 1024 characters.

use crate::fields::StringField;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::message;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "long-description",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the `description` has more than 1024 characters",
        docs: include_str!("long_description.md"),
    },
    check: Check::Skill(check),
};

/// The maximum number of characters of a description.
const CHARACTERS_MAX: usize = 1024;

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(field) = StringField::find(skill, "description") else { return };
    if field.text.len() <= CHARACTERS_MAX {
        return;
    }
    let count = field.text.chars().count();
    if count > CHARACTERS_MAX {
        let message = message![
            "the `description` has ",
            count,
            " characters, at most ",
            CHARACTERS_MAX,
            " are allowed"
        ];
        let help =
            message!["shorten it by ", count - CHARACTERS_MAX, ", and move details into the body"];
        let span = field.after(CHARACTERS_MAX);
        findings.push(Finding::new(&RULE.meta, span, message).help(help));
    }
}
