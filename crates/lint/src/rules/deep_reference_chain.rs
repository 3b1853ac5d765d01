//! `deep-reference-chain`: a reference links to a file that `SKILL.md` does not mention.

use std::collections::{HashMap, HashSet};

use crate::files::links::{self, Destination, SkillPage};
use crate::files::mentions::file_names;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::{message, quote};

/// The maximum length of a file name in bytes, on common file systems.
const NAME_BYTES_MAX: usize = 255;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "deep-reference-chain",
        group: Group::Structure,
        level: Level::Allow,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a reference links to a file that `SKILL.md` does not mention",
        docs: include_str!("deep_reference_chain.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.resources.is_empty() {
        return;
    }
    let pages: HashMap<&str, SkillPage<'_>> =
        links::pages(skill).map(|page| (page.path(), page)).collect();
    let Some(&start) = pages.get(skill.bundle.skill_file.as_str()) else { return };
    let mut reached: HashSet<String> = HashSet::from([start.path().to_owned()]);
    let mut named = None;
    let mut level = vec![start];
    while !level.is_empty() {
        let mut next = Vec::new();
        for page in level {
            for (link, path) in page.relative_links() {
                let Destination::File(file) = page.destination(&path) else { continue };
                let Some(&target) = pages.get(file.as_str()) else { continue };
                if !reached.insert(file) {
                    continue;
                }
                next.push(target);
                let name = target.path().rsplit('/').next().unwrap_or_default();
                let mut is_named = || named.get_or_insert_with(|| names_in(skill)).contains(name);
                if !page.is_skill_file() && !is_named() {
                    findings.push(finding(skill, page.place(link.span), target));
                }
            }
        }
        level = next;
    }
}

fn finding(skill: &Skill, place: Place, target: SkillPage<'_>) -> Finding {
    let skill_file = quote(&skill.bundle.skill_file);
    let path = quote(target.path());
    let message = message![
        "`",
        path,
        "` is linked only from here, and `",
        skill_file,
        "` does not mention it"
    ];
    Finding::at(&RULE.meta, place, message).help(message!["mention it in `", skill_file, "`"])
}

/// Returns the names of the Markdown files that `SKILL.md` mentions.
fn names_in(skill: &Skill) -> HashSet<&str> {
    file_names(skill.body_text(), NAME_BYTES_MAX, |ending| ending == "md").collect()
}
