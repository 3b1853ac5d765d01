//! From findings, which speak of bytes, to diagnostics with levels, lines and excerpts.

use super::Levels;
use crate::diagnostic::{Diagnostic, Excerpt, Finding, Level, Place, Range};
use crate::skill::Skill;
use crate::text::{Source, Span};

/// The most bytes that an excerpt keeps of a line on each side of the place it shows.
const EXCERPT_SIDE_BYTES_MAX: usize = 512;
/// The most lines of an excerpt.
const EXCERPT_LINES_MAX: usize = 6;
/// The most bytes between the two ends of what an excerpt shows together.
const EXCERPT_TOGETHER_BYTES_MAX: usize = 2_048;

/// Gives each finding its level and place; drops those whose rule is allowed.
pub(super) fn diagnostics(
    skill: &Skill,
    findings: Vec<Finding>,
    levels: &Levels,
) -> Vec<Diagnostic> {
    let mut placed: Vec<Diagnostic> = findings
        .into_iter()
        .filter(|finding| levels.of(finding.rule).0 != Level::Allow)
        .map(|finding| diagnostic(skill, finding, levels))
        .collect();
    placed.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    placed
}

fn sort_key(diagnostic: &Diagnostic) -> (&str, Option<Span>, &str, &str) {
    let span = diagnostic.range.as_ref().map(|range| range.span);
    (&diagnostic.path, span, diagnostic.rule.id, &diagnostic.message)
}

fn diagnostic(skill: &Skill, finding: Finding, levels: &Levels) -> Diagnostic {
    let (level, because) = levels.of(finding.rule).clone();
    let is_in_skill_file = matches!(finding.place, Place::SkillFile(_));
    let fix = finding.fix.as_ref().filter(|_| is_in_skill_file);
    let edits = fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    let (path, source_and_span) = match finding.place {
        Place::SkillFile(span) => (skill.source.path().to_owned(), Some((&skill.source, span))),
        Place::Resource(index, span) => {
            let source = &skill.resources[index].source;
            (source.path().to_owned(), Some((source, span)))
        }
        Place::File(file) => (skill.bundle.path_of(&file), None),
    };
    let line = source_and_span.map_or("", |(source, span)| line_of(source, span));
    let excerpt = source_and_span.map(|(source, span)| {
        let labels = finding.labels.iter().map(|label| label.span);
        excerpt(source, together(source, span, labels.chain(edits)))
    });
    let fingerprint = fingerprint(finding.rule.id, &path, line);
    let labels = source_and_span.map(|(source, _)| {
        finding
            .labels
            .into_iter()
            .map(|label| (Range::new(source, label.span), label.text))
            .collect()
    });
    Diagnostic {
        rule: finding.rule,
        level,
        because,
        path,
        range: source_and_span.map(|(source, span)| Range::new(source, span)),
        message: finding.message,
        note: finding.note,
        help: finding.help,
        labels: labels.unwrap_or_default(),
        excerpt,
        fix: finding.fix,
        fingerprint,
    }
}

fn line_of(source: &Source, span: Span) -> &str {
    let line = source.lines().line(span.start);
    source.slice(source.lines().line_span(source.text(), line))
}

/// Widens `span` to the other places that are near enough to be shown with it.
fn together(source: &Source, span: Span, others: impl Iterator<Item = Span>) -> Span {
    others.fold(span, |shown, other| {
        let wider = Span::new(shown.start.min(other.start), shown.end.max(other.end));
        let lines = source.lines().line(wider.end) - source.lines().line(wider.start) + 1;
        let is_near = wider.len() <= EXCERPT_TOGETHER_BYTES_MAX && lines <= EXCERPT_LINES_MAX;
        if is_near { wider } else { shown }
    })
}

/// The lines that `span` covers, cut where a line is very long.
fn excerpt(source: &Source, span: Span) -> Excerpt {
    let (text, lines) = (source.text(), source.lines());
    let first = lines.line(span.start);
    let last = lines.line(span.end).min(first + EXCERPT_LINES_MAX - 1);
    let (first_line, last_line) = (lines.line_span(text, first), lines.line_span(text, last));
    let start = first_line.start.max(span.start.saturating_sub(EXCERPT_SIDE_BYTES_MAX));
    let end = last_line.end.min(span.end.max(span.start) + EXCERPT_SIDE_BYTES_MAX);
    let start = text.floor_char_boundary(start);
    let end = text.floor_char_boundary(end.max(start));
    Excerpt {
        text: text[start..end].to_owned(),
        line: first,
        column: text[first_line.start..start].chars().count() + 1,
        offset: start,
    }
}

/// FNV-1a over the parts: stable across machines and versions, which is all that it has to be.
fn fingerprint(rule: &str, path: &str, line: &str) -> String {
    let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
    for part in [rule, path, line.trim()] {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    format!("{hash:016x}")
}
