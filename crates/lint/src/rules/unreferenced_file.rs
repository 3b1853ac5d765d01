//! `unreferenced-file`: no text of the skill leads to one of its files.

use crate::files::unreferenced;
use crate::listing::first_few;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::Skill;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unreferenced-file",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "nothing in the skill leads to this reference or script",
        docs: include_str!("unreferenced_file.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.files.len() <= 1 || !skill.bundle.is_complete() || skill.is_cut() {
        return;
    }
    let files = unreferenced::files(skill);
    let skill_file = &skill.bundle.skill_file;
    for (file, further) in first_few(&files) {
        let message = match further {
            0 => format!("nothing that `{skill_file}` leads to mentions this file"),
            _ => format!(
                "nothing that `{skill_file}` leads to mentions this file and {further} more"
            ),
        };
        let help = format!("say in `{skill_file}` when to use it, or delete it");
        let place = Place::File((*file).to_owned());
        findings.push(Finding::at(&RULE.meta, place, message).help(help));
    }
}
