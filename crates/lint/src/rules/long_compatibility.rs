//! `long-compatibility`: the compatibility has more than 500 characters, or none.

use crate::fields::{self, TextField};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{Entry, Skill};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "long-compatibility",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "the compatibility has more than 500 characters, or none",
        docs: include_str!("long_compatibility.md"),
    },
    check: Check::Skill(check),
};

/// The most characters of a compatibility note.
const CHARACTERS_MAX: usize = 500;

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(entry) = skill.field("compatibility") else { return };
    if fields::is_empty(&entry.value) {
        findings.push(empty(skill, entry));
        return;
    }
    let Some(field) = TextField::of(skill, "compatibility") else { return };
    if field.text.len() <= CHARACTERS_MAX {
        return;
    }
    let count = field.text.chars().count();
    if count > CHARACTERS_MAX {
        let message =
            format!("the `compatibility` is {count} characters long; {CHARACTERS_MAX} are allowed");
        let help = "name only what the skill cannot do without; the body has room for the rest";
        let span = field.after(CHARACTERS_MAX);
        findings.push(Finding::new(&RULE.meta, span, message).help(help));
    }
}

fn empty(skill: &Skill, entry: &Entry) -> Finding {
    let finding = Finding::new(&RULE.meta, entry.key.span, "the `compatibility` is empty")
        .help("say what the skill needs to run, or leave the line out");
    let line = fields::own_line(skill, entry);
    match line.filter(|line| !skill.source.slice(*line).contains('#')) {
        Some(line) => finding.fix(Applicability::Safe, "Take the empty line out", line, ""),
        None => finding,
    }
}
