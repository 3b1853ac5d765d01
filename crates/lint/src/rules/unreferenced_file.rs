//! `unreferenced-file`: a reference or script is not mentioned in the skill.

use crate::files::unreferenced;
use crate::listing::first_few;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::{message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unreferenced-file",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a reference or script is not mentioned in the skill",
        docs: include_str!("unreferenced_file.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.files.len() <= 1 || !skill.bundle.is_complete() || skill.is_cut() {
        return;
    }
    let files = unreferenced::files(skill);
    let skill_file = quote(&skill.bundle.skill_file);
    for (file, further) in first_few(&files) {
        let message = match further {
            0 => message![
                "this file is not mentioned in `",
                skill_file,
                "` or the files it leads to"
            ],
            _ => message![
                "this file and ",
                further,
                " more are not mentioned in `",
                skill_file,
                "` or the files it leads to"
            ],
        };
        let help = message!["say in `", skill_file, "` when to use it, or delete it"];
        let place = Place::File((*file).to_owned());
        findings.push(Finding::at(&RULE.meta, place, message).help(help));
    }
}
