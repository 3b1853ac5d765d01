//! `broken-link`: a link leads to a file that does not exist in the skill.

use std::collections::HashSet;

use crate::files::links::{self, Destination};
use crate::files::paths;
use crate::files::spellings::Spellings;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::{FileKind, Skill};
use dibber_text::{message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "broken-link",
        group: Group::Structure,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a link leads to a file that does not exist in the skill",
        docs: include_str!("broken_link.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if !skill.bundle.is_complete() {
        return;
    }
    report_dangling_symlinks(skill, findings);
    let mut spellings = None;
    for page in links::pages(skill) {
        let mut reported = HashSet::new();
        for (link, path) in page.relative_links() {
            let Destination::Missing(missing) = page.destination(&path) else { continue };
            if !reported.insert(missing.clone()) {
                continue;
            }
            let spellings = spellings.get_or_insert_with(|| Spellings::new(&skill.bundle));
            let message =
                message!["`", links::quote_path(&path, link), "` does not exist in the skill"];
            let finding = Finding::at(&RULE.meta, page.place(link.span), message);
            findings.push(finding.help(spellings.help(&missing)));
        }
    }
}

/// Reports symbolic links without a target; one that leads out of the skill is left to
/// `symlink-outside`.
fn report_dangling_symlinks(skill: &Skill, findings: &mut Vec<Finding>) {
    for file in &skill.bundle.files {
        let FileKind::LinkBroken(target) = &file.kind else { continue };
        if paths::leads_outside(&file.path, target) {
            continue;
        }
        let message =
            message!["the target `", quote(target), "` of this symbolic link does not exist"];
        let place = Place::File(file.path.clone());
        let help = "correct the target, or replace the link by the file";
        findings.push(Finding::at(&RULE.meta, place, message).help(help));
    }
}
