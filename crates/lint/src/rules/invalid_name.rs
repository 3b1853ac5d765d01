//! `invalid-name`: the `name` has invalid characters or misplaced hyphens.

use std::ops::Range;

use crate::fields::StringField;
use crate::listing::{join_words, quote_name, with_labels};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::name::{self as skill_name, NameFault};
use dibber_skill::skill::{BundleKind, Skill};
use dibber_text::{Message, message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-name",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Unsafe),
        since: "0.1.0",
        summary: "the `name` has invalid characters or misplaced hyphens",
        docs: include_str!("invalid_name.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if skill.bundle.kind == BundleKind::SkillsProtocol {
        return;
    }
    let Some(field) = StringField::find(skill, "name") else { return };
    let normalized = skill_name::normalized(field.text);
    let faults = skill_name::faults(&normalized);
    let Some((first_kind, first_range)) = faults.first() else { return };
    let is_one_kind = faults.iter().all(|(kind, _)| kind == first_kind);
    let is_exact = is_one_kind && normalized == field.text;
    let span = if is_exact { field.part(first_range.clone()) } else { field.value.span };
    let message = message![
        quote_name(field.text),
        " is not a valid name: it has ",
        describe(&normalized, &faults)
    ];
    let mut finding = Finding::new(&RULE.meta, span, message);
    if is_exact && span != field.value.span {
        let others = faults.iter().skip(1);
        let places = others.map(|(_, range)| (field.part(range.clone()), message!["also here"]));
        finding = with_labels(finding, places);
    }
    findings.push(with_correction(skill, &field, finding));
}

fn with_correction(skill: &Skill, field: &StringField<'_>, finding: Finding) -> Finding {
    let allowed =
        "a name consists of lowercase letters and digits with single hyphens between them";
    let directory = skill.bundle.name.as_deref();
    let Some(corrected) = skill_name::corrected(field.text, directory) else {
        return finding.help(allowed);
    };
    let also = match directory {
        Some(directory) if directory == corrected => Message::default(),
        Some(directory) if skill_name::is_valid(directory) => {
            message![
                " and rename the directory, or write the directory's name, ",
                quote_name(directory)
            ]
        }
        Some(_) => message![", and rename the skill's directory to match"],
        None => Message::default(),
    };
    let finding = finding.help(message![
        allowed,
        ": write `",
        quote(&corrected).derived_from(field.text),
        "`",
        also
    ]);
    match field.replaced_by(&corrected) {
        Some(edit) => {
            let title =
                message!["Rename the skill to `", quote(&corrected).derived_from(field.text), "`"];
            finding.fix_all(Applicability::Unsafe, title, vec![edit])
        }
        None => finding,
    }
}

/// Describes all problems of a name.
fn describe(name: &str, faults: &[(NameFault, Range<usize>)]) -> Message {
    let mut kinds: Vec<NameFault> = faults.iter().map(|(kind, _)| *kind).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let words = kinds.into_iter().map(|kind| {
        let runs = faults.iter().filter(|(other, _)| *other == kind);
        let is_one = runs.map(|(_, range)| name[range.clone()].chars().count()).sum::<usize>() == 1;
        match kind {
            NameFault::Uppercase if is_one => message!["an uppercase letter"],
            NameFault::Uppercase => message!["uppercase letters"],
            NameFault::Space if is_one => message!["a space"],
            NameFault::Space => message!["spaces"],
            NameFault::Underscore if is_one => message!["an underscore"],
            NameFault::Underscore => message!["underscores"],
            NameFault::Symbol => symbols(name, faults),
            NameFault::HyphenAtStart => message!["a hyphen at the start"],
            NameFault::HyphenAtEnd => message!["a hyphen at the end"],
            NameFault::HyphensInARow => message!["several hyphens in a row"],
        }
    });
    join_words(words.collect())
}

fn symbols(name: &str, faults: &[(NameFault, Range<usize>)]) -> Message {
    let mut symbols: Vec<char> = faults
        .iter()
        .filter(|(kind, _)| *kind == NameFault::Symbol)
        .flat_map(|(_, range)| name[range.clone()].chars())
        .collect();
    symbols.sort_unstable();
    symbols.dedup();
    let quoted: Vec<Message> = symbols.iter().map(|symbol| message!["`", *symbol, "`"]).collect();
    let word = if symbols.len() == 1 { "the character" } else { "the characters" };
    message![word, " ", join_words(quoted)]
}
