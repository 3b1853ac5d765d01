//! `nested-skill`: a skill lies in the folder of another one.

use crate::listing::first_few;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::{Bundle, BundleFile, SKILL_FILE_NAME, Skill};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "nested-skill",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a folder inside the skill is a skill of its own",
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
    for (folder, further) in first_few(nested.folders()) {
        let message = match further {
            0 => format!("this skill lies in the folder of `{outer}`"),
            _ => format!("this skill and {further} more lie in the folder of `{outer}`"),
        };
        let help = "move it beside the outer skill, or give the file another name if it is only a \
                    template";
        let place = Place::File(skill_file_in(&skill.bundle, folder));
        findings.push(Finding::at(&RULE.meta, place, message).help(help));
    }
}

/// The skill's file in that folder, as its name is written.
fn skill_file_in(bundle: &Bundle, folder: &str) -> String {
    let is_skill_file = |file: &&BundleFile| {
        let name = file.path.strip_prefix(folder);
        name.is_some_and(|name| name.eq_ignore_ascii_case(SKILL_FILE_NAME))
    };
    let file = bundle.files.iter().find(is_skill_file);
    file.map_or_else(|| format!("{folder}{SKILL_FILE_NAME}"), |file| file.path.clone())
}
