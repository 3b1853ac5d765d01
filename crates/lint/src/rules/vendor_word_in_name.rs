//! `vendor-word-in-name`: the `name` contains `claude` or `anthropic`.

use crate::fields::StringField;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{BundleKind, Skill};
use dibber_text::message;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "vendor-word-in-name",
        group: Group::Portability,
        level: Level::Allow,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the `name` contains `claude` or `anthropic`",
        docs: include_str!("vendor_word_in_name.md"),
    },
    check: Check::Skill(check),
};

const WORDS: [&str; 2] = ["anthropic", "claude"];

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.kind == BundleKind::SkillsProtocol {
        return;
    }
    let Some(field) = StringField::find(skill, "name") else { return };
    // Lowercasing only ASCII keeps all byte offsets.
    let name = field.text.to_ascii_lowercase();
    let first = WORDS.iter().filter_map(|word| Some((name.find(word)?, word))).min();
    let Some((at, word)) = first else { return };
    let message = message!["the `name` contains `", word, "`, which the Skills API reserves"];
    let help = "remove the word, and rename the skill's directory to match";
    let span = field.part(at..at + word.len());
    findings.push(Finding::new(&RULE.meta, span, message).help(help));
}
