//! `placeholder-text`: template text was never replaced.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use crate::rule::{Check, Rule};
use crate::scan::push_first;
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::scan::word_finder::{Case, finder};
use dibber_skill::skill::Skill;
use dibber_text::{Span, line_around};

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "placeholder-text",
        group: Group::Writing,
        level: Level::Warn,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "template text was never replaced",
        docs: include_str!("placeholder_text.md"),
    },
    check: Check::Skill(check),
};

/// Phrases of a description that was never written, in lowercase.
const UNWRITTEN: [&str; 14] = [
    "[todo",
    "lorem ipsum dolor",
    "replace this with",
    "replace with description",
    "replace with your",
    "your description here",
    "description goes here",
    "insert description",
    "add description here",
    "add your description",
    "description of your skill",
    "description of this skill",
    "description of what this skill does",
    "description of what the skill does",
];
/// The last byte at which such a phrase may begin: after "A clear and complete", for example.
const UNWRITTEN_START_MAX: usize = 28;
/// The last byte at which the longest phrase may end.
const UNWRITTEN_END_MAX: usize = 80;
/// The automaton of these phrases, which ignores case.
static UNWRITTEN_WORDS: LazyLock<AhoCorasick> =
    LazyLock::new(|| finder(UNWRITTEN, Case::Insensitive));
const MARKERS: [&str; 3] = ["TODO", "FIXME", "TBD"];

/// The automaton that pre-filters a body.
static BODY_WORDS: LazyLock<AhoCorasick> = LazyLock::new(|| {
    finder(["TODO", "FIXME", "Lorem ipsum dolor", TEMPLATE_SENTENCE], Case::Sensitive)
});
/// A sentence of `init_skill.py` that asks the author to delete its section.
const TEMPLATE_SENTENCE: &str = "Delete this entire \"Structuring This Skill\" section";

/// Returns `true` if `description` is unchanged template text.
pub(super) fn is_placeholder(description: &str) -> bool {
    let text = description.trim();
    let start = &text[..text.floor_char_boundary(UNWRITTEN_END_MAX)];
    let is_bracketed = [('<', '>'), ('[', ']'), ('{', '}')].iter().any(|(open, close)| {
        let inner = text.strip_prefix(*open).and_then(|rest| rest.strip_suffix(*close));
        inner.is_some_and(|inner| !inner.is_empty() && !inner.contains([*open, *close]))
    });
    is_bracketed
        || starts_with_marker(text)
        || UNWRITTEN_WORDS.find(start).is_some_and(|hit| {
            hit.start() <= UNWRITTEN_START_MAX && !start[..hit.start()].contains('.')
        })
}

/// Returns `true` if `text` begins with a marker such as `TODO:`, and not with the marker as part
/// of a sentence, as in "TODO comments are collected".
fn starts_with_marker(text: &str) -> bool {
    MARKERS.iter().any(|marker| {
        let Some(rest) = text.strip_prefix(marker) else { return false };
        let rest = rest.trim_start_matches('.').trim_end();
        rest.is_empty() || rest.starts_with(':') || rest.starts_with(" -") || rest.starts_with(" —")
    })
}

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    if let Some((text, span)) = skill.string_field("description")
        && is_placeholder(text)
    {
        let message = "the `description` is a placeholder that was never replaced";
        let help = "say what the skill does and when to use it, in the words of a request";
        findings.push(Finding::new(&RULE.meta, span, message).help(help));
    }
    let mut found = Vec::new();
    let mut line_end = 0;
    for hit in BODY_WORDS.find_iter(skill.body_text()) {
        if hit.start() < line_end {
            continue;
        }
        let line = words_of_line(skill.body_text(), hit.start());
        line_end = line.end;
        let line = line.shift(skill.body.start);
        if is_unwritten(skill, line) && !skill.markdown().is_code(line.start) {
            found.push(line);
        }
    }
    push_first(findings, &found, |line| {
        let is_note = starts_with_marker(words(skill.source.slice(*line)));
        let message =
            if is_note { "an unfinished section" } else { "template text that was never replaced" };
        Finding::new(&RULE.meta, *line, message).help("replace it, or delete it")
    });
}

/// Returns the line of the byte `at`, trimmed.
fn words_of_line(text: &str, at: usize) -> Span {
    let span = line_around(text, at);
    let line = &text[span.range()];
    let indent = line.len() - line.trim_start().len();
    Span::new(span.start + indent, span.start + line.trim_end().len())
}

/// Returns a line without leading Markdown markers.
fn words(line: &str) -> &str {
    line.trim_start_matches(['#', '*', '_', ' '])
}

fn is_unwritten(skill: &Skill, line: Span) -> bool {
    let text = skill.source.slice(line);
    let words = words(text);
    // A list may be a to-do list, and a line inside a paragraph may be a quotation.
    let is_heading = text.starts_with('#');
    let is_alone = is_heading || is_after_blank_line(skill, line.start);
    words.contains(TEMPLATE_SENTENCE)
        || is_todo_of_template(words)
        || (is_alone && (starts_with_marker(words) || words.starts_with("Lorem ipsum dolor")))
}

/// Returns `true` at `[TODO: …`, which `init_skill.py` writes for everything that is missing.
fn is_todo_of_template(words: &str) -> bool {
    words.starts_with("[TODO:") || words == "[TODO]"
}

fn is_after_blank_line(skill: &Skill, start: usize) -> bool {
    let before = &skill.source.text()[skill.body.start..start];
    let mut lines = before.trim_end_matches([' ', '\t']).lines().rev();
    lines.next().is_none_or(|line| line.trim().is_empty() || line.starts_with('#'))
}
