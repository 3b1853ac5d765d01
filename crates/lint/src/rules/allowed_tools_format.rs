//! `allowed-tools-format`: `allowed-tools` is not a single space-separated string.

use crate::fields::allowed_tools::{joined, split_at_commas};
use crate::fields::{self, StringField};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{
    Applicability, Edit, Finding, FixAvailability, Group, Level, RuleMeta,
};
use dibber_skill::skill::yaml_scalar;
use dibber_skill::skill::{Entry, Node, NodeKind, ScalarStyle, Skill};
use dibber_text::{Span, message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "allowed-tools-format",
        group: Group::Spec,
        level: Level::Warn,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "`allowed-tools` is not a single space-separated string",
        docs: include_str!("allowed_tools_format.md"),
    },
    check: Check::Skill(check),
};

/// The most bytes of a list that the fix writes into one line.
const LINE_BYTES_MAX: usize = 80;

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(entry) = skill.field("allowed-tools") else { return };
    if fields::is_broken(skill, entry) {
        return;
    }
    let (message, edit) = match &entry.value.kind {
        NodeKind::Sequence(items) => {
            let message = "`allowed-tools` is a list, not a space-separated string";
            (message, edit_of_list(skill, entry, items))
        }
        NodeKind::Scalar { style, .. } => {
            let Some(field) = StringField::find(skill, "allowed-tools") else { return };
            let Some(items) = split_at_commas(field.text) else { return };
            let message = "the tools in `allowed-tools` are separated by commas, not by spaces";
            (message, edit_of_string(&field, *style, &items))
        }
        NodeKind::Mapping(_) => return,
    };
    let finding = Finding::new(&RULE.meta, entry.value.span, message);
    findings.push(match edit {
        Some(edit) if edit.text.contains('\n') => finding
            .help("write `>-` after the colon and one tool in each line, which makes it one string")
            .fix_all(Applicability::Safe, "Write the list as one string", vec![edit]),
        Some(edit) => {
            let tools = edit.text.trim_matches([' ', '"', '\'']);
            finding.help(message!["separate the tools by spaces: `", quote(tools), "`"]).fix_all(
                Applicability::Safe,
                "Separate the tools by spaces",
                vec![edit],
            )
        }
        None => finding.help("write all tools on one line, separated by spaces"),
    });
}

fn edit_of_string(field: &StringField<'_>, style: ScalarStyle, items: &[&str]) -> Option<Edit> {
    let tools = joined(items)?;
    match style {
        ScalarStyle::Plain => field.replaced_by(&tools),
        ScalarStyle::SingleQuoted if !tools.contains('\'') => field.replaced_by(&tools),
        ScalarStyle::DoubleQuoted if !tools.contains(['"', '\\']) => field.replaced_by(&tools),
        _ => None,
    }
}

/// Replaces everything after the colon, if it consists only of the items and their punctuation.
fn edit_of_list(skill: &Skill, entry: &Entry, items: &[Node]) -> Option<Edit> {
    let tools: Vec<&str> = items.iter().map(Node::as_text).collect::<Option<_>>()?;
    let text = written(skill, entry, &tools)?;
    let start = fields::after_colon(skill, entry)?;
    let mut at = start;
    for item in items {
        let written = skill.source.slice(item.span);
        if item.is_alias || item.tag.is_some() || written.starts_with('&') {
            return None;
        }
        if !is_punctuation(skill.source.text().get(at..item.span.start)?) {
            return None;
        }
        at = item.span.end;
    }
    let end = entry.value.span.end.max(at);
    let rest = skill.source.text().get(at..end)?;
    let span = Span::new(start, end);
    is_punctuation(rest).then_some(Edit { span, text })
}

/// Returns the tools as one string, after the colon. A list with one tool in each line, or a long
/// one, stays readable as a folded scalar, which has one tool in each line, too.
fn written(skill: &Skill, entry: &Entry, tools: &[&str]) -> Option<String> {
    let joined = joined(tools)?;
    let list = skill.source.slice(entry.value.span);
    if list.starts_with('[') && joined.len() <= LINE_BYTES_MAX {
        return Some(format!(" {}", yaml_scalar::as_scalar(&joined)?));
    }
    let line_break = if skill.source.text().contains("\r\n") { "\r\n" } else { "\n" };
    let lines = tools.iter().map(|tool| format!("{line_break}  {tool}"));
    Some(format!(" >-{}", lines.collect::<String>()))
}

/// Returns `true` if `text` is only the punctuation of a list, without comments.
fn is_punctuation(text: &str) -> bool {
    text.chars().all(|c| c.is_whitespace() || matches!(c, '-' | ',' | '[' | ']'))
}
