//! `name-not-directory`: the `name` is not the name of the skill's directory.

use crate::fields::StringField;
use crate::listing::quote_name;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::name as skill_name;
use dibber_skill::skill::{BundleKind, Skill};
use dibber_text::{Message, message, quote_in_full};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "name-not-directory",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Unsafe),
        since: "0.1.0",
        summary: "the `name` is not the name of the skill's directory",
        docs: include_str!("name_not_directory.md"),
    },
    check: Check::Skill(check),
};

/// Files at the root of a repository that are rare elsewhere.
const FILES_OF_REPOSITORIES: [&str; 3] =
    [".gitattributes", ".gitlab-ci.yml", ".pre-commit-config.yaml"];
const REPOSITORY_DIRECTORIES: [&str; 2] = [".circleci", ".github"];

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(directory) = skill.bundle.name.as_deref() else { return };
    if skill.bundle.kind == BundleKind::SkillsProtocol {
        return;
    }
    let Some(field) = StringField::find(skill, "name") else { return };
    if field.text == directory
        || skill_name::normalized(field.text) == skill_name::normalized(directory)
    {
        return;
    }
    if is_covered_by_invalid_name(field.text, directory) {
        return;
    }
    let message = message![
        "the name is ",
        quote_name(field.text),
        ", but the skill's directory is ",
        quote_name(directory)
    ];
    let finding = Finding::new(&RULE.meta, field.part(0..field.text.len()), message);
    let edit = Some(directory).filter(|directory| skill_name::is_valid(directory));
    findings.push(match edit.and_then(|directory| field.replaced_by(directory)) {
        Some(edit) if !is_repository(skill) => finding
            .help(message!["write `name: ", quote_in_full(directory), "`, or rename the directory"])
            .fix_all(
                Applicability::Unsafe,
                message!["Rename the skill to `", quote_in_full(directory), "`"],
                vec![edit],
            ),
        _ => finding.help(help(skill, field.text)),
    });
}

/// Returns the help where there is no fix: a repository can be cloned under any name.
fn help(skill: &Skill, name: &str) -> Message {
    if !skill_name::is_valid(name) {
        return message!["rename the directory to match the name"];
    }
    let name = quote_name(name);
    if is_repository(skill) {
        message![
            "rename the repository to ",
            name.clone(),
            ", because its root is the skill's directory, or move the \
             skill into a subdirectory ",
            name
        ]
    } else {
        message!["rename the directory to ", name]
    }
}

/// Returns `true` if the skill's directory is the root of a repository, judging by its files.
fn is_repository(skill: &Skill) -> bool {
    let bundle = &skill.bundle;
    let has = |file: &str| bundle.file(file).is_some();
    FILES_OF_REPOSITORIES.iter().any(|file| has(file))
        || REPOSITORY_DIRECTORIES.iter().any(|directory| bundle.has_directory(directory))
        || (has(".gitignore") && has("README.md"))
}

/// Returns `true` if the correction of an invalid name is the directory's name: then only
/// `invalid-name` is reported.
fn is_covered_by_invalid_name(name: &str, directory: &str) -> bool {
    !skill_name::faults(&skill_name::normalized(name)).is_empty()
        && skill_name::corrected(name, Some(directory)).as_deref() == Some(directory)
}
