//! `short-description`: the `description` is too short to say what the skill does and when to use
//! it.

use super::placeholder_text;
use crate::fields::StringField;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::message;

/// The minimum number of characters of a description, counting wide ones twice.
pub const CHARACTERS_MIN: usize = 50;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "short-description",
        group: Group::Writing,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "the `description` is too short to say what the skill does and when to use it",
        docs: include_str!("short_description.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(StringField { text, value, .. }) = StringField::find(skill, "description") else {
        return;
    };
    if text.len() >= CHARACTERS_MIN * 4 || placeholder_text::is_placeholder(text) {
        return;
    }
    let characters = text.chars().count();
    let width = characters + text.chars().filter(|c| is_wide(*c)).count();
    if width < CHARACTERS_MIN {
        let noun = if characters == 1 { "character" } else { "characters" };
        let message = message!["the `description` has only ", characters, " ", noun];
        let help = "say what the skill does and when to use it, in the words of a request";
        findings.push(Finding::new(&RULE.meta, value.span, message).help(help));
    }
}

/// Returns `true` if `c` is wide (UAX 11): Chinese, Japanese, Korean, and full-width forms.
const fn is_wide(c: char) -> bool {
    matches!(c,
        '\u{1100}'..='\u{115F}' | '\u{2E80}'..='\u{A4CF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{FE30}'..='\u{FE4F}' | '\u{FF00}'..='\u{FF60}'
        | '\u{FFE0}'..='\u{FFE6}' | '\u{20000}'..='\u{3FFFD}')
}
