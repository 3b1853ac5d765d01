//! `non-string-field`: a field is not a string.

use crate::fields;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{Entry, NodeKind, ScalarType, Skill};
use dibber_text::{message, quote, quote_in_full};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "non-string-field",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "a field is not a string",
        docs: include_str!("non_string_field.md"),
    },
    check: Check::Skill(check),
};

const TEXT_FIELDS: [&str; 4] = ["name", "description", "license", "compatibility"];

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for entry in skill.fields() {
        let Some(key) = entry.key.as_str() else { continue };
        // Many clients accept a list of tools; `allowed-tools-format` checks its form.
        let is_wrong = match &entry.value.kind {
            NodeKind::Scalar { .. } => {
                !matches!(entry.value.scalar_type(), Some(ScalarType::Text | ScalarType::Null))
            }
            NodeKind::Sequence(_) => key != "allowed-tools",
            NodeKind::Mapping(_) => true,
        };
        let is_text_field = TEXT_FIELDS.contains(&key) || key == "allowed-tools";
        if is_wrong && is_text_field && !fields::is_broken(skill, entry) {
            findings.push(finding(skill, key, entry));
        }
    }
}

fn finding(skill: &Skill, key: &str, entry: &Entry) -> Finding {
    let (what, is_scalar) = (entry.value.describe(), entry.value.as_str().is_some());
    let is = if is_scalar { "is read as" } else { "is" };
    let message = message!["`", quote(key), "` ", is, " ", what, ", not a string"];
    let finding = Finding::new(&RULE.meta, entry.value.span, message);
    match fields::quote_edit(skill, &entry.value) {
        _ if key == "allowed-tools" => {
            finding.help("write the tools as a space-separated string, or remove the field")
        }
        Some(edit) => finding
            .help(message!["quote the value: `", quote(key), ": ", quote_in_full(&edit.text), "`"])
            .fix_all(Applicability::Safe, "Quote the value", vec![edit]),
        None if is_scalar => finding.help("write it as a quoted string"),
        None => finding.help(message!["write `", quote(key), "` as a string on one line"]),
    }
}
