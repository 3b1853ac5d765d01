//! `case-collision`: two paths differ only in case or in the encoding of accents.

use std::borrow::Cow;
use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization;

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::{message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "case-collision",
        group: Group::Portability,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two paths differ only in case or in the encoding of accents",
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
        // NTFS compares code points, so `é` and `e` with a combining accent are different names.
        let is_same_on_windows = first.to_lowercase() == path.to_lowercase();
        let systems = if is_same_on_windows { "macOS and Windows" } else { "macOS" };
        let message = message![
            "the path is the same as `",
            quote(first),
            "` on ",
            systems,
            ", where only one of the two can exist"
        ];
        let place = Place::File(path.to_owned());
        let help = "delete or rename one of them";
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
