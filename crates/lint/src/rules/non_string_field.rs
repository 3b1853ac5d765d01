//! `non-string-field`: YAML reads a field as something else than text.

use crate::fields;
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{Entry, NodeKind, ScalarType, Skill};

/// The rule.
pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "non-string-field",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "YAML reads a field as something else than text",
        docs: include_str!("non_string_field.md"),
    },
    check: Check::Skill(check),
};

const TEXT_FIELDS: [&str; 4] = ["name", "description", "license", "compatibility"];

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for entry in skill.fields() {
        let Some(key) = entry.key.as_str() else { continue };
        // A list of tools is read by many clients; its form is a matter of `allowed-tools-format`.
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
    let message = format!("`{key}` {is} {what}, not a text");
    let finding = Finding::new(&RULE.meta, entry.value.span, message);
    match fields::quoting(skill, &entry.value) {
        _ if key == "allowed-tools" => {
            finding.help("write the tools as one text with spaces between them, or leave it out")
        }
        Some(edit) => finding
            .help(format!("put quotes around it: `{key}: {}`", edit.text))
            .fix_all(Applicability::Safe, "Put quotes around the value", vec![edit]),
        None if is_scalar => finding.help("write it as a text in quotes"),
        None => finding.help(format!("write `{key}` as one text on its line")),
    }
}
