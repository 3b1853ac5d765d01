//! `duplicate-skill`: two skills in the same directory have the same name.
//!
//! It compares several skills, so the run finds it (`crate::duplicates`); the wording is here.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_text::{Message, message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "duplicate-skill",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two skills in the same directory have the same name",
        docs: include_str!("duplicate_skill.md"),
    },
    check: Check::Runner,
};

/// Returns the finding for the later of two skills, without its message.
pub(crate) fn finding(place: Place) -> Finding {
    let help = "rename one of them, or delete it if it is an old copy";
    Finding::at(&RULE.meta, place, Message::default()).help(help)
}

/// Returns the message of the finding; `earlier` is the path of the other skill, relative to
/// their common directory.
pub(crate) fn message(name: &str, earlier: &str) -> Message {
    message![
        "the skill `",
        quote(earlier),
        "` in the same directory is also named `",
        quote(name),
        "`"
    ]
}
