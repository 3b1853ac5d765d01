//! `invalid-yaml`: the frontmatter is not valid YAML.

use crate::broken_yaml::{self, SyntaxProblem};
use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{
    Applicability, Finding, Fix, FixAvailability, Group, Level, Place, RuleMeta,
};
use dibber_skill::skill::{FRONTMATTER_BYTES_MAX, FaultKind, Skill};
use dibber_text::{Span, message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "invalid-yaml",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "the frontmatter is not valid YAML",
        docs: include_str!("invalid_yaml.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for fault in &skill.faults {
        match &fault.kind {
            FaultKind::InvalidYaml { message, entry } => {
                findings.extend(broken(skill, fault.span.start, message, *entry));
            }
            FaultKind::Limit { what, max } => findings.push(limit(skill, fault.span, what, *max)),
            _ => {}
        }
    }
}

fn broken(skill: &Skill, at: usize, message: &str, entry: Span) -> Option<Finding> {
    let text = skill.source.text();
    // No parser accepts NUL; `control-character` reports it.
    if memchr::memchr(0, &text.as_bytes()[entry.range()]).is_some() {
        return None;
    }
    let content = skill.frontmatter.as_ref()?.content;
    let SyntaxProblem { problem, repair } =
        broken_yaml::diagnose(text, at, message, entry, content);
    let finding = Finding::of_problem(&RULE.meta, Place::SkillFile(problem.place), problem);
    Some(match repair {
        Some(Fix { title, applicability, edits }) => finding.fix_all(applicability, title, edits),
        None => finding,
    })
}

fn limit(skill: &Skill, span: Span, what: &'static str, max: usize) -> Finding {
    if max == FRONTMATTER_BYTES_MAX && what == "bytes" {
        let opening = skill.frontmatter.as_ref().map_or(span, |frontmatter| frontmatter.opening);
        let message = "the frontmatter is larger than 64 KiB and was not parsed";
        let help = "keep what clients need in the frontmatter, and move the rest into the body";
        return Finding::new(&RULE.meta, opening, message).help(help);
    }
    let rest = &skill.source.text()[span.start..];
    let length = rest.find(|c: char| c.is_whitespace()).unwrap_or(rest.len());
    let span =
        Span::new(span.start, skill.source.text().floor_char_boundary(span.start + length.min(40)));
    let message = message!["the frontmatter has more than ", quote(&grouped(max)), " ", what];
    Finding::new(&RULE.meta, span, message).help("make it smaller: the rest was not parsed")
}

/// Formats a number with a comma between thousands.
fn grouped(number: usize) -> String {
    if number < 1_000 {
        number.to_string()
    } else {
        format!("{},{:03}", number / 1_000, number % 1_000)
    }
}
