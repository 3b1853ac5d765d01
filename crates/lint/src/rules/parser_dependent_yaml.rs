//! `parser-dependent-yaml`: YAML parsers read the frontmatter differently.

use crate::rule::{Check, Rule};
use crate::second_parser;
use dibber_skill::diagnostic::{
    Applicability, Finding, FixAvailability, Group, Level, Place, RuleMeta,
};
use dibber_skill::skill::yaml_scalar::{quoted, reads_as};
use dibber_skill::skill::{
    Entry, Node, NodeKind, ScalarStyle, ScalarType, Skill, type_in_yaml_1_1, type_in_yaml_1_2,
};
use dibber_text::{Span, message, quote, quote_in_full};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "parser-dependent-yaml",
        group: Group::Portability,
        level: Level::Warn,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "YAML parsers read the frontmatter differently",
        docs: include_str!("parser_dependent_yaml.md"),
    },
    check: Check::Skill(check),
};

/// The maximum number of findings.
const FINDINGS_MAX: usize = 50;

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(frontmatter) = &skill.frontmatter else { return };
    let Some(root) = &frontmatter.root else { return };
    // Syntax errors and duplicate keys are reported by other rules; hostile input ends here.
    if !skill.faults.is_empty() {
        return;
    }
    let mut found = Vec::new();
    types(root, &mut found);
    for problem in second_parser::differences(skill.source.text(), frontmatter.content, root) {
        let place = Place::SkillFile(problem.place);
        found.push(Finding::of_problem(&RULE.meta, place, problem));
    }
    found.truncate(FINDINGS_MAX);
    findings.extend(found);
}

/// Reports values whose type differs between YAML 1.1 and 1.2.
fn types(node: &Node, found: &mut Vec<Finding>) {
    match &node.kind {
        // What an alias repeats is checked at its anchor.
        _ if node.is_alias => {}
        NodeKind::Scalar { text, style: ScalarStyle::Plain } if node.tag.is_none() => {
            found.extend(type_finding(text, node.span));
        }
        NodeKind::Scalar { .. } => {}
        NodeKind::Sequence(items) => {
            for item in items {
                types(item, found);
            }
        }
        NodeKind::Mapping(entries) => {
            for Entry { key, value } in entries {
                found.extend(merge_key(key));
                types(key, found);
                types(value, found);
            }
        }
    }
}

fn merge_key(key: &Node) -> Option<Finding> {
    let NodeKind::Scalar { text, style: ScalarStyle::Plain } = &key.kind else { return None };
    let message = "`<<` merges another mapping into this one in YAML 1.1, and is an ordinary key \
                   in YAML 1.2";
    let finding = Finding::new(&RULE.meta, key.span, message).help("write out the merged keys");
    (text == "<<").then_some(finding)
}

/// Returns the finding for an unquoted value whose type differs between YAML 1.1 and 1.2.
fn type_finding(text: &str, span: Span) -> Option<Finding> {
    let (old, new) = (type_in_yaml_1_1(text), type_in_yaml_1_2(text));
    let octal = octal_value(text).filter(|_| old == ScalarType::Int && new == ScalarType::Int);
    let message = match octal {
        Some(value) => {
            message![
                "`",
                quote(text),
                "` is the number ",
                value,
                " in YAML 1.1, where a leading 0 means octal"
            ]
        }
        None if old != new => {
            message![
                "`",
                quote(text),
                "` is ",
                old.describe(),
                " in YAML 1.1 and ",
                new.describe(),
                " in YAML 1.2"
            ]
        }
        None => return None,
    };
    let new_text = quoted(text);
    let is_safe = new == ScalarType::Text && reads_as(&new_text, text);
    let applicability = if is_safe { Applicability::Safe } else { Applicability::Unsafe };
    let help = if new == ScalarType::Text || old == ScalarType::Text {
        message!["quote it if it is a string: `", quote_in_full(&new_text), "`"]
    } else {
        message![
            "quote it, `",
            quote_in_full(&new_text),
            "`, or write the number without the leading 0"
        ]
    };
    let finding = Finding::new(&RULE.meta, span, message).help(help);
    Some(finding.fix(applicability, "Quote the value", span, new_text))
}

/// Returns the value of a number in the octal notation of YAML 1.1, if it differs from the
/// decimal one.
fn octal_value(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text).strip_prefix('0')?;
    let value = u64::from_str_radix(digits, 8).ok()?;
    (value > 7).then_some(value)
}
