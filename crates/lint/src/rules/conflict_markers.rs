//! `conflict-markers`: a file has the markers of a merge conflict.

use crate::rule::{Check, Rule};
use crate::scan::{TextFile, push_first, text_files};
use dibber_skill::diagnostic::{Finding, FixAvailability, Group, Level, RuleMeta};
use dibber_skill::skill::Skill;
use dibber_text::Span;

pub(crate) static RULE: Rule = Rule {
    meta: RuleMeta {
        id: "conflict-markers",
        group: Group::Structure,
        level: Level::Deny,
        fix: FixAvailability::None,
        since: "0.1.0",
        summary: "a file has the markers of a merge conflict",
        docs: include_str!("conflict_markers.md"),
    },
    check: Check::Skill(check),
};

/// What git writes before the first side of a conflict.
const START: &str = "<<<<<<< ";
/// What git writes after the second side.
const END: &str = ">>>>>>> ";

/// The fewest characters of a fence around code.
const FENCE_CHARACTERS_MIN: usize = 3;

fn check(skill: &Skill, findings: &mut Vec<Finding>) {
    for file in text_files(skill) {
        let found = conflicts(file.source.text());
        push_first(findings, &found, |marker| finding(file, *marker));
    }
}

/// Returns the first marker of each conflict outside fenced code.
fn conflicts(text: &str) -> Vec<Span> {
    if !text.contains(START) {
        return Vec::new();
    }
    let (mut found, mut start, mut offset) = (Vec::new(), None, 0);
    let mut fence: Option<(char, usize)> = None;
    for line in text.split_inclusive('\n') {
        let span = Span::new(offset, offset + line.trim_end().len());
        offset += line.len();
        match (fence, fence_of(line)) {
            (None, Some(opened)) => fence = Some(opened),
            (Some((character, count)), Some(closing))
                if closing.0 == character && closing.1 >= count =>
            {
                fence = None;
            }
            (None, None) if line.starts_with(START) => start = Some(span),
            (None, None) if line.starts_with(END) => found.extend(start.take()),
            _ => {}
        }
    }
    found
}

/// Returns the character of a fence around code, and how often it is repeated.
fn fence_of(line: &str) -> Option<(char, usize)> {
    let line = line.trim_start();
    let character = line.chars().next().filter(|first| matches!(first, '`' | '~'))?;
    let count = line.chars().take_while(|other| *other == character).count();
    (count >= FENCE_CHARACTERS_MIN).then_some((character, count))
}

fn finding(file: TextFile<'_>, marker: Span) -> Finding {
    let message = "the markers of a merge conflict are still in the file";
    let help = "keep what is right of the two sides, and delete the lines with the markers";
    Finding::at(&RULE.meta, file.place(marker), message).help(help)
}
