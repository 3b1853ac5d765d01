//! `missing-name`: the frontmatter has no `name`.

use crate::fields::{self, Presence};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::name as skill_name;
use dibber_skill::skill::{BundleKind, Skill};
use dibber_text::{Message, message, quote, quote_in_full};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "missing-name",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "the frontmatter has no `name`",
        docs: include_str!("missing_name.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(frontmatter) = &skill.frontmatter else { return };
    if skill.bundle.kind == BundleKind::SkillsProtocol {
        return;
    }
    let line = line_of(skill);
    findings.extend(match fields::presence(skill, "name") {
        Presence::Present | Presence::Unknown => None,
        Presence::Absent => {
            let message = "the frontmatter has no `name`";
            let help = message!["add ", line];
            Some(Finding::new(&RULE.meta, frontmatter.opening, message).help(help))
        }
        Presence::Empty(entry) => {
            let help = message!["write ", line];
            Some(Finding::new(&RULE.meta, entry.key.span, "the `name` is empty").help(help))
        }
        Presence::Misspelled(entry) => {
            let message = message![
                "the frontmatter has no `name`, but a field `",
                quote(entry.key.as_str().unwrap_or_default()),
                "`"
            ];
            let finding = Finding::new(&RULE.meta, entry.key.span, message)
                .help("rename the key to `name`")
                .fix(Applicability::Safe, "Rename the key to `name`", entry.key.span, "name");
            Some(finding)
        }
    });
}

/// Describes the missing line, with the name of the directory if that is a valid name.
fn line_of(skill: &Skill) -> Message {
    let directory = skill.bundle.name.as_deref();
    match directory.and_then(|directory| Some((directory, skill_name::corrected(directory, None)?)))
    {
        Some((directory, name)) if directory == name => {
            message!["`name: ", quote_in_full(&name), "`, the name of the skill's directory"]
        }
        Some((_, name)) => {
            message![
                "`name: ",
                quote_in_full(&name),
                "`, and rename the skill's directory to match"
            ]
        }
        None => message!["a line `name:` with the name of the skill's directory"],
    }
}
