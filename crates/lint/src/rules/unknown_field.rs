//! `unknown-field`: the frontmatter has a field that is not in the specification.

use crate::fields::into_metadata::MetadataMove;
use crate::fields::unspecified::{FieldOrigin, UnspecifiedField, unspecified_fields};
use crate::listing::{join_names, join_words, quote_name, with_labels};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{
    Applicability, Edit, Finding, FixAvailability, Group, Level, RuleMeta,
};
use dibber_skill::skill::Skill;
use dibber_text::{Message, message};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unknown-field",
        group: Group::Spec,
        level: Level::Warn,
        fix: FixAvailability::Sometimes(Applicability::Unsafe),
        since: "0.1.0",
        summary: "the frontmatter has a field that is not in the specification",
        docs: include_str!("unknown_field.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let fields = unspecified_fields(skill);
    if fields.is_empty() {
        return;
    }
    findings.extend(read_by_some(&fields));
    findings.extend(misspelled(&fields));
    findings.extend(fields.iter().filter_map(in_addition_to_known));
    let makes_metadata =
        |field: &UnspecifiedField<'_>| matches!(field.origin, FieldOrigin::Misspelling("metadata"));
    let to = (!fields.iter().any(makes_metadata)).then(|| MetadataMove::new(skill)).flatten();
    let (movable, others): (Vec<_>, Vec<_>) = fields
        .iter()
        .filter(|field| matches!(field.origin, FieldOrigin::Unknown))
        .partition(|field| to.as_ref().is_some_and(|to| to.can_move(field.entry)));
    let (it, them) = if others.len() == 1 { ("it", "it") } else { ("each", "them") };
    findings.extend(read_by_no_client(&others).map(|finding| {
        let places = message!["move ", it, " into `metadata` as a string, or into the body"];
        finding.help(message![places, ", or remove ", them])
    }));
    if let (Some(finding), Some(to)) = (read_by_no_client(&movable), to) {
        let edits = to.edits(movable.iter().map(|field| field.entry));
        let (it, string) =
            if movable.len() == 1 { ("it", "a string") } else { ("them", "strings") };
        let finding = finding.help(message!["move ", it, " into `metadata`, as ", string]);
        let title = message!["Move ", it, " into `metadata`"];
        findings.push(finding.fix_all(Applicability::Unsafe, title, edits));
    }
}

/// Returns one finding for all fields that some client reads.
fn read_by_some(fields: &[UnspecifiedField<'_>]) -> Option<Finding> {
    let read: Vec<(&UnspecifiedField<'_>, Message)> = fields
        .iter()
        .filter_map(|field| match field.origin {
            FieldOrigin::Clients(clients) => Some((field, join_words(clients.to_vec()))),
            _ => None,
        })
        .collect();
    let ((first, clients), others) = read.split_first()?;
    let message = if others.is_empty() {
        let read = match first.origin {
            FieldOrigin::Clients([_]) => "reads",
            _ => "read",
        };
        let key = quote_name(first.key);
        message![
            "only ",
            clients.clone(),
            " ",
            read,
            " ",
            key,
            ", which is not in the specification"
        ]
    } else {
        let names: Vec<&str> = read.iter().map(|(field, _)| field.key).collect();
        let names = join_names(&names);
        message!["only some clients read ", names, ", which are not in the specification"]
    };
    let help = "other clients skip it, and claude.ai refuses the upload; keep it if the skill is \
                meant for the clients that read it";
    let mut finding = Finding::new(&RULE.meta, first.entry.key.span, message).help(help);
    if !others.is_empty() {
        finding = finding.note(message!["for ", clients.clone()]);
    }
    let label = |(field, clients): &(&UnspecifiedField<'_>, Message)| {
        (field.entry.key.span, message!["for ", clients.clone()])
    };
    Some(with_labels(finding, others.iter().map(label)))
}

/// Returns one finding for all misspelled fields that can be corrected.
fn misspelled(fields: &[UnspecifiedField<'_>]) -> Option<Finding> {
    let misspelled: Vec<(&UnspecifiedField<'_>, &'static str)> = fields
        .iter()
        .filter_map(|field| match field.origin {
            FieldOrigin::Misspelling(name) => Some((field, name)),
            _ => None,
        })
        .collect();
    let ((first, name), others) = misspelled.split_first()?;
    let message =
        message!["unknown field ", quote_name(first.key), "; `", name, "` was probably meant"];
    let finding = Finding::new(&RULE.meta, first.entry.key.span, message).help(message![
        "rename it to `",
        name,
        "`, so that clients act on it"
    ]);
    let label = |(field, name): &(&UnspecifiedField<'_>, &'static str)| {
        (field.entry.key.span, message!["`", name, "` was probably meant here"])
    };
    let edit = |(field, name): &(&UnspecifiedField<'_>, &'static str)| Edit {
        span: field.entry.key.span,
        text: (*name).to_owned(),
    };
    let title = match others {
        [] => message!["Rename it to `", name, "`"],
        _ => message!["Correct the names of the fields"],
    };
    let edits = misspelled.iter().map(edit).collect();
    let finding = with_labels(finding, others.iter().map(label));
    Some(finding.fix_all(Applicability::Unsafe, title, edits))
}

fn in_addition_to_known(field: &UnspecifiedField<'_>) -> Option<Finding> {
    let FieldOrigin::MisspelledDuplicate(name) = field.origin else { return None };
    let message = message!["unknown field ", quote_name(field.key), " in addition to `", name, "`"];
    let help = message!["keep `", name, "`, and remove this line"];
    Some(Finding::new(&RULE.meta, field.entry.key.span, message).help(help))
}

fn read_by_no_client(fields: &[&UnspecifiedField<'_>]) -> Option<Finding> {
    let (first, others) = fields.split_first()?;
    let names: Vec<&str> = fields.iter().map(|field| field.key).collect();
    let names = join_names(&names);
    let message = match others {
        [] => message![names, " is not in the specification, and no known client reads it"],
        _ => message![names, " are not in the specification, and no known client reads them"],
    };
    let finding = Finding::new(&RULE.meta, first.entry.key.span, message);
    let label = |field: &&UnspecifiedField<'_>| (field.entry.key.span, message!["nor this one"]);
    Some(with_labels(finding, others.iter().map(label)))
}
