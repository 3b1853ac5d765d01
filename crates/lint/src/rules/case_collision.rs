//! `case-collision`: two files are the same one on many systems.

use std::borrow::Cow;
use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::ellipsize;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "case-collision",
        group: Group::Portability,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two paths differ only in large and small letters, or in how accents are encoded",
        docs: include_str!("case_collision.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.files.len() <= 1 {
        return;
    }
    let mut seen: HashMap<Cow<'_, str>, &str> = HashMap::with_capacity(skill.bundle.files.len());
    for file in &skill.bundle.files {
        let path = file.path.as_str();
        let Some(first) = seen.insert(folded(path), path) else { continue };
        // NTFS tells the encodings of an accent apart.
        let is_same_on_windows = first.to_lowercase() == path.to_lowercase();
        let systems = if is_same_on_windows { "macOS and Windows" } else { "macOS" };
        let message = format!(
            "on {systems} this is the same file as `{}`, and only one of the two can exist",
            ellipsize(first)
        );
        let place = Place::File(path.to_owned());
        let help = "delete one of them, or give it another name";
        findings.push(Finding::at(&RULE.meta, place, message).help(help));
    }
}

fn folded(path: &str) -> Cow<'_, str> {
    if !path.is_ascii() {
        let lower: String = path.nfd().flat_map(char::to_lowercase).nfd().collect();
        return Cow::Owned(lower);
    }
    if path.bytes().any(|byte| byte.is_ascii_uppercase()) {
        Cow::Owned(path.to_ascii_lowercase())
    } else {
        Cow::Borrowed(path)
    }
}
