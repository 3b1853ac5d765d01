//! `missing-frontmatter`: the file does not begin with a `---` line.

use std::path::Path;

use crate::rule::{Check, Rule};
use dibber_skill::diagnostic::{
    Applicability, Edit, Finding, FixAvailability, Group, Level, RuleMeta,
};
use dibber_skill::skill::{
    BundleKind, FaultKind, InsteadOfFrontmatter, Skill, is_like_fence, lines_of,
};
use dibber_text::{Message, Span, message, quote, quote_in_full};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "missing-frontmatter",
        group: Group::Spec,
        level: Level::Deny,
        fix: FixAvailability::Sometimes(Applicability::Safe),
        since: "0.1.0",
        summary: "the file does not begin with a `---` line",
        docs: include_str!("missing_frontmatter.md"),
    },
    check: Check::Skill(check),
};

/// The number of bytes that are searched for NUL, which shows that the file is not text.
const SNIFFED_BYTES: usize = 64;

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for fault in &skill.faults {
        let FaultKind::MissingFrontmatter(instead) = fault.kind else { continue };
        let start = &skill.source.text().as_bytes()[skill.text_start()..];
        // UTF-16 is reported by another rule.
        if memchr::memchr(0, &start[..start.len().min(SNIFFED_BYTES)]).is_some() {
            continue;
        }
        findings.extend(finding(skill, first_line(skill, fault.span), instead));
    }
}

fn first_line(skill: &Skill, span: Span) -> Span {
    let lines = skill.source.lines();
    let line = lines.line_span(skill.source.text(), lines.line(span.start));
    Span::new(line.start.max(span.start), line.end.max(span.start))
}

fn finding(skill: &Skill, line: Span, instead: InsteadOfFrontmatter) -> Option<Finding> {
    let text = skill.source.text();
    let is_protocol = skill.bundle.kind == BundleKind::SkillsProtocol;
    let found = |message| Finding::new(&RULE.meta, line, message);
    Some(match instead {
        InsteadOfFrontmatter::BlankLines => {
            let blank = Span::new(skill.text_start(), line.start);
            Finding::new(&RULE.meta, line, "blank lines before the frontmatter")
                .help("begin the file with the `---` line")
                .fix(Applicability::Safe, "Delete the blank lines", blank, "")
        }
        InsteadOfFrontmatter::CodeFence => {
            let finding = found("the frontmatter is inside a code block")
                .help("remove the fences of the code block and keep its content");
            match fence_edits(text, line) {
                Some(edits) => {
                    finding.fix_all(Applicability::Unsafe, "Remove the code block", edits)
                }
                None => finding,
            }
        }
        InsteadOfFrontmatter::Text => {
            let finding = found("text before the frontmatter")
                .help("move the frontmatter to the start of the file");
            match fence_below(text, line) {
                Some(fence) => finding.label(fence, "the frontmatter begins here"),
                None => finding,
            }
        }
        InsteadOfFrontmatter::Body if has_key_below(text, line) && is_fence_like(text, line) => {
            let written = quote(text[line.range()].trim_end());
            found("the first line is not quite `---`")
                .help(message!["write `---` instead of `", written, "`"])
                .fix(Applicability::Unsafe, "Replace the line by `---`", line, "---")
        }
        InsteadOfFrontmatter::Body if is_path(text) => {
            found("the file contains only a path: a symbolic link that was checked out as text")
                .help("check it out again after `git config core.symlinks true`, or copy the file")
        }
        InsteadOfFrontmatter::Body | InsteadOfFrontmatter::Nothing if is_protocol => return None,
        InsteadOfFrontmatter::Body => {
            found("the file has no frontmatter").help(lines_to_add(skill))
        }
        InsteadOfFrontmatter::Nothing => found("the file is empty").help(lines_to_add(skill)),
    })
}

fn lines_to_add(skill: &Skill) -> Message {
    let name = skill.bundle.name.as_deref().unwrap_or("the-directory's-name");
    message![
        "begin the file with the lines `---`, `name: ",
        quote_in_full(name),
        "`, `description: …` (what it does, and \
         when to use it) and `---`"
    ]
}

fn is_fence_like(text: &str, line: Span) -> bool {
    let line = text[line.range()].trim_end();
    is_like_fence(line) || line.strip_prefix("---").is_some_and(|rest| rest.starts_with(' '))
}

fn has_key_below(text: &str, line: Span) -> bool {
    let mut lines = lines_of(text, Span::new(line.start, text.len())).skip(1);
    lines.next().is_some_and(|line| begins_key(&text[line.range()]))
}

/// Returns `true` if `text` is what git writes for a symbolic link on systems without them.
fn is_path(text: &str) -> bool {
    let path = text.trim_end_matches(['\n', '\r']);
    let is_markdown = Path::new(path).extension().is_some_and(|ending| ending == "md");
    is_markdown && path.contains('/') && !path.contains(char::is_whitespace)
}

fn begins_key(line: &str) -> bool {
    line.starts_with("name:") || line.starts_with("description:")
}

/// Returns the opening fence of frontmatter after other text.
fn fence_below(text: &str, first: Span) -> Option<Span> {
    lines_of(text, Span::new(first.start, text.len()))
        .map(|line| Span::new(line.start, line.start + text[line.range()].trim_end().len()))
        .find(|line| &text[line.range()] == "---")
}

/// Removes the line that opens the code block and the one that closes it, either directly after
/// the frontmatter or at the end of the file.
fn fence_edits(text: &str, opening: Span) -> Option<Vec<Edit>> {
    let is_ticks = |line: &Span| text[line.range()].trim() == "```";
    let mut lines = lines_of(text, Span::new(opening.start, text.len()));
    let first = lines.next()?;
    let mut is_fence = |line: &Span| text[line.range()].trim_end() == "---";
    lines.find(&mut is_fence)?;
    lines.find(&mut is_fence)?;
    let rest: Vec<Span> = lines.collect();
    let fences = rest.iter().filter(|line| text[line.range()].trim_start().starts_with("```"));
    let is_last_fence_ours = fences.count() % 2 == 1;
    let mut with_text = rest.iter().filter(|line| !text[line.range()].trim().is_empty());
    let directly_after = with_text.next().filter(|line| is_ticks(line));
    let at_the_end = || with_text.next_back().filter(|line| is_ticks(line) && is_last_fence_ours);
    let closing = directly_after.or_else(at_the_end)?;
    let delete = |span| Edit { span, text: String::new() };
    Some(vec![delete(first), delete(*closing)])
}
