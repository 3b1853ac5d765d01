//! `link-outside-skill`: a link leads out of the skill's directory.

use std::collections::HashSet;

use crate::files::links::{self, Destination};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{SKILL_FILE_NAME, Skill};
use dibber_text::{Message, message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "link-outside-skill",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a link leads out of the skill's directory",
        docs: include_str!("link_outside_skill.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for page in links::pages(skill) {
        let mut reported = HashSet::new();
        for (link, path) in page.relative_links() {
            // Only a path with `..` can lead out.
            if !path.contains("..") || page.destination(&path) != Destination::Outside {
                continue;
            }
            let message = message![
                "`",
                links::quote_path(&path, link),
                "` is outside of the skill's directory and is not installed with the skill"
            ];
            if reported.insert(path.clone()) {
                let help = help(&path);
                findings.push(Finding::at(&RULE.meta, page.place(link.span), message).help(help));
            }
        }
    }
}

fn help(path: &str) -> Message {
    let skill = path.strip_suffix(SKILL_FILE_NAME).map(|directory| directory.trim_end_matches('/'));
    let name =
        skill.map(|directory| directory.rsplit_once('/').map_or(directory, |(_, name)| name));
    match name {
        Some(name) if !name.is_empty() && name != ".." => {
            let name = quote(name);
            message![
                "refer to that skill by its name, `",
                name,
                "`: clients find it wherever it is"
            ]
        }
        _ if is_directory(path) => {
            message!["refer to a skill by its name, and copy anything else into this skill"]
        }
        _ => message!["copy the file into the skill, or link to it by URL"],
    }
}

/// Returns `true` if `path` seems to name a directory, such as that of another skill.
fn is_directory(path: &str) -> bool {
    let last = path.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    path.ends_with('/') || last == ".." || !last.contains('.')
}
