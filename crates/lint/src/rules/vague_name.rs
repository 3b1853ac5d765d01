//! `vague-name`: the `name` does not say what the skill is about.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "vague-name",
        group: Group::Writing,
        level: Level::Allow,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the `name` does not say what the skill is about",
        docs: include_str!("vague_name.md"),
    },
    check: Check::Skill(check),
};

/// Words that do not describe a skill.
const VAGUE: &str = "\
    a advanced agent agents ai assistant awesome basic claude common custom data default \
    demo docs document documents example examples file files first general generic helper \
    helpers lib main manager misc my new other sample simple skill skills stuff task tasks \
    temp template test tests the thing things tool tools util utility utils";

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some((name, span)) = skill.string_field("name") else { return };
    let is_vague = |word: &str| VAGUE.split(' ').any(|known| known == word) || is_number(word);
    let mut words =
        name.trim().split(['-', '_', ' ', '.']).filter(|word| !word.is_empty()).peekable();
    if words.peek().is_some() && words.all(|word| is_vague(&word.to_lowercase())) {
        let message = "the `name` does not say what the skill does";
        let help = "name it after its task, such as `comparing-prices` or `release-notes`";
        findings.push(Finding::new(&RULE.meta, span, message).help(help));
    }
}

fn is_number(word: &str) -> bool {
    let digits = word.strip_prefix('v').unwrap_or(word);
    digits.bytes().all(|byte| byte.is_ascii_digit())
}
