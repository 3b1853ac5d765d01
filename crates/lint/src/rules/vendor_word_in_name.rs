//! `vendor-word-in-name`: the name has the word `claude` or `anthropic`.

use crate::fields::TextField;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{BundleKind, Skill};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "vendor-word-in-name",
        group: Group::Portability,
        level: Level::Allow,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the name has the word `claude` or `anthropic`",
        docs: include_str!("vendor_word_in_name.md"),
    },
    check: Check::Skill(check),
};

const WORDS: [&str; 2] = ["anthropic", "claude"];

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.kind == BundleKind::SkillsProtocol {
        return;
    }
    let Some(field) = TextField::of(skill, "name") else { return };
    // Lowering ASCII letters alone keeps every byte in its place.
    let name = field.text.to_ascii_lowercase();
    let first = WORDS.iter().filter_map(|word| Some((name.find(word)?, word))).min();
    let Some((at, word)) = first else { return };
    let message = format!("the `name` has the word `{word}`, which the Skills API reserves");
    let help = "leave the word out, and give the skill's folder the same name";
    let span = field.part(at..at + word.len());
    findings.push(Finding::new(&RULE.meta, span, message).help(help));
}
