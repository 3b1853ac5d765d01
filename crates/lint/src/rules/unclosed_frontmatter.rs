//! `unclosed-frontmatter`: the frontmatter has no closing `---`.

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{Applicability, Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::{Fault, FaultKind, Skill, is_like_fence, lines_of, trimmed};
use dibber_text::{Span, message, quote};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "unclosed-frontmatter",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Unsafe),
        since: "0.1.0",
        summary: "the frontmatter has no closing `---`",
        docs: include_str!("unclosed_frontmatter.md"),
    },
    check: Check::Skill(check),
};

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    let is_unclosed = |fault: &&Fault| matches!(fault.kind, FaultKind::UnclosedFrontmatter);
    let Some(fault) = skill.faults.iter().find(is_unclosed) else { return };
    let text = skill.source.text();
    let finding = Finding::new(&RULE.meta, fault.span, "the frontmatter has no closing `---`");
    if skill.fields().is_empty() {
        let help = "write the `name` and the `description` after it, and a second `---` line; or \
                    write a thematic break as `***`";
        findings.push(finding.help(help));
        return;
    }
    let body = first_line_with_text(text, skill.body);
    let line = text[body.range()].trim();
    if !line.is_empty() && is_like_fence(line) {
        let start = text[..body.start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let body = Span::new(start, body.end);
        let help = message!["write `---` on a line of its own instead of `", quote(line), "`"];
        let title = "Replace the line by `---`";
        findings.push(finding.label(body, "this line is not exactly `---`").help(help).fix(
            Applicability::Unsafe,
            title,
            body,
            "---",
        ));
        return;
    }
    let line_break = line_break_of(text);
    if text[body.range()].starts_with("---") {
        let fence = Span::new(body.start, body.start + 3);
        let rest = text[fence.end..body.end].trim_start();
        let edit = Span::new(fence.end, body.end - rest.len());
        let title = "Move `---` to a line of its own";
        findings.push(
            finding
                .label(fence, "this `---` is not on a line of its own")
                .help("begin a new line after this `---`")
                .fix(Applicability::Unsafe, title, edit, line_break),
        );
        return;
    }
    let before = if text[..skill.body.start].ends_with(['\n', '\r']) { "" } else { line_break };
    let fence = format!("{before}---{line_break}");
    let finding =
        if body.is_empty() { finding } else { finding.label(body, "the body seems to begin here") };
    findings.push(finding.help("add a line `---` after the last key").fix(
        Applicability::Unsafe,
        "Add the closing `---`",
        Span::empty(skill.body.start),
        fence,
    ));
}

fn first_line_with_text(text: &str, body: Span) -> Span {
    let mut lines = lines_of(text, body).map(|line| trimmed(text, line));
    lines.find(|line| !line.is_empty()).unwrap_or(Span::empty(body.start))
}

/// Returns the line break of the file's first line.
fn line_break_of(text: &str) -> &'static str {
    match memchr::memchr2(b'\n', b'\r', text.as_bytes()) {
        Some(at) if text[at..].starts_with("\r\n") => "\r\n",
        Some(at) if text[at..].starts_with('\r') => "\r",
        _ => "\n",
    }
}
