//! `nested-skill`: a skill contains another skill.

use crate::listing::first_few;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::{Bundle, BundleFile, SKILL_FILE_NAME, Skill};
use dibber_text::{message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "nested-skill",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a skill contains another skill",
        docs: include_str!("nested_skill.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.files.len() <= 1 {
        return;
    }
    let nested = skill.bundle.nested_skills();
    let outer = skill.bundle.name.as_deref().unwrap_or("another skill");
    for (directory, further) in first_few(nested.directories()) {
        let message = match further {
            0 => message!["this skill is inside the directory of the skill `", quote(outer), "`"],
            _ => message![
                "this skill and ",
                further,
                " more are inside the directory of the skill `",
                quote(outer),
                "`"
            ],
        };
        let help = "move it next to the outer skill, or rename the file if it is only a template";
        let place = Place::File(skill_file_in(&skill.bundle, directory));
        findings.push(Finding::at(&RULE.meta, place, message).help(help));
    }
}

/// Returns the path of the skill's file in `directory`, with its actual case.
fn skill_file_in(bundle: &Bundle, directory: &str) -> String {
    let is_skill_file = |file: &&BundleFile| {
        let name = file.path.strip_prefix(directory);
        name.is_some_and(|name| name.eq_ignore_ascii_case(SKILL_FILE_NAME))
    };
    let file = bundle.files.iter().find(is_skill_file);
    file.map_or_else(|| format!("{directory}{SKILL_FILE_NAME}"), |file| file.path.clone())
}
