//! `non-string-metadata`: `metadata` has a value that is not a string.

use crate::fields;
use crate::listing::{join_names, quote_name, with_labels};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{
    Applicability, Edit, Finding, FixAvailability, Group, Level, RuleMeta,
};
use dibber_skill::skill::{Entry, Node, NodeKind, ScalarType, Skill};
use dibber_text::{Span, message};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "non-string-metadata",
        group: Group::Spec,
        level: Level::Warn,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "`metadata` has a value that is not a string",
        docs: include_str!("non_string_metadata.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(metadata) = skill.field("metadata") else { return };
    if fields::is_broken(skill, metadata) {
        return;
    }
    match &metadata.value.kind {
        NodeKind::Mapping(entries) => {
            findings.extend(unquoted(skill, entries));
            findings.extend(nested(entries));
        }
        _ if metadata.value.scalar_type() == Some(ScalarType::Null) => {}
        _ => {
            let what = metadata.value.describe();
            let message =
                message!["`metadata` is ", what, ", not a mapping from strings to strings"];
            let help = "write each entry on a line of its own, indented, as `key: value`";
            let span = metadata.value.span;
            findings.push(Finding::new(&RULE.meta, span, message).help(help));
        }
    }
}

fn key_of(entry: &Entry) -> &str {
    entry.key.as_str().unwrap_or("?")
}

/// Returns one finding for all scalar keys and values that are not strings.
fn unquoted(skill: &Skill, entries: &[Entry]) -> Option<Finding> {
    let is_scalar_but_no_string =
        |node: &Node| node.scalar_type().is_some_and(|scalar_type| scalar_type != ScalarType::Text);
    let is_switch = |entry: &Entry| {
        key_of(entry) == "internal" && entry.value.scalar_type() == Some(ScalarType::Bool)
    };
    let mut places: Vec<(Span, &str, &'static str)> = Vec::new();
    let mut edits: Vec<Option<Edit>> = Vec::new();
    for entry in entries.iter().filter(|entry| !is_switch(entry)) {
        if is_scalar_but_no_string(&entry.key) {
            places.push((entry.key.span, key_of(entry), entry.key.describe()));
            edits.push(fields::quote_edit(skill, &entry.key));
        }
        if is_scalar_but_no_string(&entry.value) {
            let span = Some(entry.value.span).filter(|span| !span.is_empty());
            let span = span.unwrap_or(entry.key.span);
            places.push((span, key_of(entry), entry.value.describe()));
            edits.push(quoted_value(skill, entry));
        }
    }
    let (first, others) = places.split_first()?;
    let names: Vec<&str> = places.iter().map(|(_, name, _)| *name).collect();
    let message = match others {
        [] => message![quote_name(first.1), " in `metadata` is ", first.2, ", not a string"],
        _ => message![join_names(&names), " in `metadata` are not strings"],
    };
    let it = if others.is_empty() { "it" } else { "them" };
    let mut finding = Finding::new(&RULE.meta, first.0, message).help(message![
        "quote ",
        it,
        ", so that all clients read the same value"
    ]);
    if !others.is_empty() {
        finding = finding.note(message!["this is ", first.2]);
    }
    let labels = others.iter().map(|(span, _, what)| (*span, message!["this is ", *what]));
    let finding = with_labels(finding, labels);
    let edits: Option<Vec<Edit>> = edits.into_iter().collect();
    Some(match edits {
        Some(edits) => finding.fix_all(Applicability::Safe, message!["Quote ", it], edits),
        None => finding,
    })
}

/// Returns the edit that makes a value a string; a missing value becomes the empty string.
fn quoted_value(skill: &Skill, entry: &Entry) -> Option<Edit> {
    if entry.value.scalar_type() != Some(ScalarType::Null) {
        return fields::quote_edit(skill, &entry.value);
    }
    if entry.value.span.is_empty() {
        let at = fields::after_colon(skill, entry)?;
        return Some(Edit { span: Span::empty(at), text: " \"\"".to_owned() });
    }
    fields::quote_edit(skill, &entry.value)
        .map(|edit| Edit { span: edit.span, text: "\"\"".to_owned() })
}

/// Returns one finding for all mappings and lists.
fn nested(entries: &[Entry]) -> Option<Finding> {
    let nested: Vec<&Entry> =
        entries.iter().filter(|entry| entry.value.as_str().is_none()).collect();
    let (first, others) = nested.split_first()?;
    let names: Vec<&str> = nested.iter().map(|entry| key_of(entry)).collect();
    let message = match others {
        [] => {
            message![
                quote_name(names[0]),
                " in `metadata` is ",
                first.value.describe(),
                ", not a string"
            ]
        }
        _ => message![join_names(&names), " in `metadata` are mappings or lists, not strings"],
    };
    let help = "the specification allows only strings here, and Crush skips the whole skill \
                otherwise; keep it only for a client that reads it";
    let label = |entry: &&Entry| (entry.key.span, message!["this is ", entry.value.describe()]);
    let finding = Finding::new(&RULE.meta, first.key.span, message).help(help);
    Some(with_labels(finding, others.iter().map(label)))
}
