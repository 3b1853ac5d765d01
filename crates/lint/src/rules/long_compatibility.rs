//! `long-compatibility`: the `compatibility` is empty or has more than 500 characters.

use crate::fields::{self, StringField};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{Entry, Skill};
use dibber_text::message;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "long-compatibility",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "the `compatibility` is empty or has more than 500 characters",
        docs: include_str!("long_compatibility.md"),
    },
    check: Check::Skill(check),
};

/// The maximum number of characters of the `compatibility`.
const CHARACTERS_MAX: usize = 500;

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(entry) = skill.field("compatibility") else { return };
    if fields::is_empty(&entry.value) {
        findings.push(empty(skill, entry));
        return;
    }
    let Some(field) = StringField::find(skill, "compatibility") else { return };
    if field.text.len() <= CHARACTERS_MAX {
        return;
    }
    let count = field.text.chars().count();
    if count > CHARACTERS_MAX {
        let message = message![
            "the `compatibility` has ",
            count,
            " characters, at most ",
            CHARACTERS_MAX,
            " are allowed"
        ];
        let help = "name only what the skill requires, and move the rest into the body";
        let span = field.after(CHARACTERS_MAX);
        findings.push(Finding::new(&RULE.meta, span, message).help(help));
    }
}

fn empty(skill: &Skill, entry: &Entry) -> Finding {
    let finding = Finding::new(&RULE.meta, entry.key.span, "the `compatibility` is empty")
        .help("name what the skill requires, or remove the line");
    let line = fields::own_line(skill, entry);
    match line.filter(|line| !skill.source.slice(*line).contains('#')) {
        Some(line) => finding.fix(Applicability::Safe, "Remove the empty field", line, ""),
        None => finding,
    }
}
