//! `name-not-directory`: the name is not the name of the skill's folder.

use crate::fields::TextField;
use crate::listing::quote_name;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::name as skill_name;
use dibber_skill::skill::{BundleKind, Skill};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "name-not-directory",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Unsafe),
        since: "0.1.0",
        summary: "the name is not the name of the skill's folder",
        docs: include_str!("name_not_directory.md"),
    },
    check: Check::Skill(check),
};

/// What lies at the top of a repository, and seldom elsewhere.
const FILES_OF_REPOSITORIES: [&str; 3] =
    [".gitattributes", ".gitlab-ci.yml", ".pre-commit-config.yaml"];
const FOLDERS_OF_REPOSITORIES: [&str; 2] = [".circleci", ".github"];

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(folder) = skill.bundle.name.as_deref() else { return };
    if skill.bundle.kind == BundleKind::SkillsProtocol {
        return;
    }
    let Some(field) = TextField::of(skill, "name") else { return };
    if field.text == folder || skill_name::normalized(field.text) == skill_name::normalized(folder)
    {
        return;
    }
    if is_matter_of_invalid_name(field.text, folder) {
        return;
    }
    let message = format!(
        "the name is {}, but the skill's folder is {}",
        quote_name(field.text),
        quote_name(folder)
    );
    let finding = Finding::new(&RULE.meta, field.part(0..field.text.len()), message);
    let edit = Some(folder).filter(|folder| skill_name::is_valid(folder));
    findings.push(match edit.and_then(|folder| field.replaced_by(folder)) {
        Some(edit) if !is_repository(skill) => finding
            .help(format!("write `name: {folder}`, or rename the folder"))
            .fix_all(Applicability::Unsafe, format!("Rename the skill to `{folder}`"), vec![edit]),
        _ => finding.help(help(skill, field.text)),
    });
}

/// Without a fix: a repository's folder is called whatever each person calls it who clones it.
fn help(skill: &Skill, name: &str) -> String {
    if !skill_name::is_valid(name) {
        return "give the folder the skill's name".to_owned();
    }
    let name = quote_name(name);
    if is_repository(skill) {
        format!(
            "call the repository {name}, since it is the skill's folder; or move the skill into \
             a folder {name} inside it"
        )
    } else {
        format!("rename the folder to {name}")
    }
}

/// Tells whether the skill's folder is a whole repository, going by the files at its top.
fn is_repository(skill: &Skill) -> bool {
    let bundle = &skill.bundle;
    let has = |file: &str| bundle.file(file).is_some();
    FILES_OF_REPOSITORIES.iter().any(|file| has(file))
        || FOLDERS_OF_REPOSITORIES.iter().any(|folder| bundle.has_folder(folder))
        || (has(".gitignore") && has("README.md"))
}

/// One fault, one finding: where the correction of an invalid name is the folder's name, only
/// the invalid name is reported.
fn is_matter_of_invalid_name(name: &str, folder: &str) -> bool {
    !skill_name::faults(&skill_name::normalized(name)).is_empty()
        && skill_name::corrected(name, Some(folder)).as_deref() == Some(folder)
}
