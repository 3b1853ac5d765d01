//! `link-outside-skill`: a link leads out of the skill's folder.

use std::collections::HashSet;

use crate::files::links::{self, Destination};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{SKILL_FILE_NAME, Skill};
use dibber_text::ellipsize;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "link-outside-skill",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a link leads out of the skill's folder",
        docs: include_str!("link_outside_skill.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for page in links::pages(skill) {
        let mut reported = HashSet::new();
        for (link, path) in page.relative_links() {
            // Only a path that climbs can lead out.
            if !path.contains("..") || page.destination(&path) != Destination::Outside {
                continue;
            }
            let message = format!(
                "`{}` lies outside the skill's folder and stays behind when the skill is \
                 installed alone",
                ellipsize(&path)
            );
            if reported.insert(path.clone()) {
                let help = help(&path);
                findings.push(Finding::at(&RULE.meta, page.place(link.span), message).help(help));
            }
        }
    }
}

fn help(path: &str) -> String {
    let skill = path.strip_suffix(SKILL_FILE_NAME).map(|folder| folder.trim_end_matches('/'));
    let name = skill.map(|folder| folder.rsplit_once('/').map_or(folder, |(_, name)| name));
    match name {
        Some(name) if !name.is_empty() && name != ".." => {
            let name = ellipsize(name);
            format!("call that skill by its name, `{name}`: clients find it wherever it is")
        }
        _ if is_folder(path) => {
            "call a skill by its name, and copy anything else into this skill".to_owned()
        }
        _ => "copy the file into the skill, or link to it by its web address".to_owned(),
    }
}

/// Tells whether a path seems to name a folder, such as that of another skill.
fn is_folder(path: &str) -> bool {
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    path.ends_with('/') || last == ".." || !last.contains('.')
}
