//! `frontmatter-not-a-mapping`: the frontmatter is not a mapping.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{
    Applicability, Edit, Finding, FixAvailability, Group, Level, RuleMeta,
};
use dibber_skill::skill::{FaultKind, KeyStyle, Skill, key_of, lines_of};
use dibber_text::{Span, message};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "frontmatter-not-a-mapping",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "the frontmatter is not a mapping",
        docs: include_str!("frontmatter_not_a_mapping.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let Some(frontmatter) = &skill.frontmatter else { return };
    for fault in &skill.faults {
        let FaultKind::NotAMapping { found } = fault.kind else { continue };
        if found == "empty" {
            let finding = Finding::new(&RULE.meta, frontmatter.opening, "the frontmatter is empty");
            findings.push(
                finding.help("write a `name` and a `description` between the two `---` lines"),
            );
            continue;
        }
        let text = skill.source.text();
        let line = lines_of(text, fault.span).find(|line| !text[line.range()].trim().is_empty());
        let line = line.unwrap_or(fault.span);
        let span = Span::new(line.start, line.start + text[line.range()].trim_end().len());
        let message = message!["the frontmatter is ", found, ", not a mapping"];
        let finding = Finding::new(&RULE.meta, span, message);
        findings.push(match missing_spaces(text, fault.span) {
            Some(edits) => finding.help("put a space after each colon: `name: …`").fix_all(
                Applicability::Safe,
                "Put a space after each colon",
                edits,
            ),
            None => finding.help("write one key on each line: `name: …`, `description: …`"),
        });
    }
}

/// Returns the edits that turn the lines into keys, if each is a known field, a colon and text.
fn missing_spaces(text: &str, content: Span) -> Option<Vec<Edit>> {
    const KNOWN: [&str; 5] = ["name", "description", "license", "compatibility", "allowed-tools"];
    let mut edits = Vec::new();
    for line in lines_of(text, content) {
        let line_text = &text[line.range()];
        if line_text.trim().is_empty() {
            continue;
        }
        let key = key_of(line_text)?;
        let name = &line_text[key.span.range()];
        if key.style != KeyStyle::Glued || key.span.start != 0 || !KNOWN.contains(&name) {
            return None;
        }
        let colon = Span::new(key.span.end, key.after_colon).shift(line.start);
        edits.push(Edit { span: colon, text: ": ".to_owned() });
    }
    let mut fixed = text[content.range()].to_owned();
    for edit in edits.iter().rev() {
        let at = edit.span.start - content.start..edit.span.end - content.start;
        fixed.replace_range(at, &edit.text);
    }
    dibber_skill::skill::parses_as_mapping(&fixed).then_some(edits)
}
