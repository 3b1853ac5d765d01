//! `broken-link`: a link leads to a file that the skill does not have.

use std::collections::HashSet;

use crate::files::links::{self, Destination};
use crate::files::paths;
use crate::files::spellings::Spellings;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::{FileKind, Skill};
use dibber_text::ellipsize;

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "broken-link",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a link leads to a file that the skill does not have",
        docs: include_str!("broken_link.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if !skill.bundle.is_complete() {
        return;
    }
    find_symbolic_links(skill, findings);
    let mut spellings = None;
    for page in links::pages(skill) {
        let mut reported = HashSet::new();
        for (link, path) in page.relative_links() {
            let Destination::Missing(missing) = page.destination(&path) else { continue };
            if !reported.insert(missing.clone()) {
                continue;
            }
            let spellings = spellings.get_or_insert_with(|| Spellings::of(&skill.bundle));
            let message = format!("`{}` does not exist in the skill", ellipsize(&path));
            let finding = Finding::at(&RULE.meta, page.place(link.span), message);
            findings.push(finding.help(spellings.help(&missing)));
        }
    }
}

/// A symbolic link that leads out of the skill is for `symlink-outside` to report.
fn find_symbolic_links(skill: &Skill, findings: &mut Vec<Finding>) {
    for file in &skill.bundle.files {
        let FileKind::LinkBroken(target) = &file.kind else { continue };
        if paths::leads_outside(&file.path, target) {
            continue;
        }
        let message = format!("this symbolic link to `{}` leads nowhere", ellipsize(target));
        let place = Place::File(file.path.clone());
        let help = "correct its target, or put the file itself in its place";
        findings.push(Finding::at(&RULE.meta, place, message).help(help));
    }
}
