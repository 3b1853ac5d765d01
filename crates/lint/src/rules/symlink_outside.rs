//! `symlink-outside`: a symbolic link leads out of the skill's directory.

use crate::files::paths;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, Place, RuleMeta};
use dibber_skill::skill::{FileKind, Skill};
use dibber_text::{message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "symlink-outside",
        group: Group::Security,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a symbolic link leads out of the skill's directory",
        docs: include_str!("symlink_outside.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for file in &skill.bundle.files {
        let target = match &file.kind {
            FileKind::LinkOutside(target) => target,
            FileKind::LinkBroken(target) if paths::leads_outside(&file.path, target) => target,
            _ => continue,
        };
        let message = message![
            "this symbolic link leads out of the skill's directory, to `",
            quote(target),
            "`"
        ];
        let place = Place::File(file.path.clone());
        let help = "replace the link by a copy of the file";
        findings.push(Finding::at(&RULE.meta, place, message).help(help));
    }
}
