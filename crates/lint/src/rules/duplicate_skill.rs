//! `duplicate-skill`: two skills side by side bear the same name.
//!
//! It takes more than one skill to see that, so `lint::Seen` finds it and the runner reports it.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "duplicate-skill",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "two skills in the same folder bear the same name",
        docs: include_str!("duplicate_skill.md"),
    },
    check: Check::Runner,
};

/// The finding at the later of two skills: the earlier one's path is from the folder they share.
pub(crate) fn finding(place: Place, name: &str, earlier: &str) -> Finding {
    let message = format!("the skill at `{earlier}` beside this one is called `{name}` as well");
    let help = "give one of them another name, or delete it if it is an old copy";
    Finding::at(&RULE.meta, place, message).help(help)
}
