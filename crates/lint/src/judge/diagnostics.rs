//! From findings, which speak of bytes, to diagnostics with levels, lines and excerpts.

use std::borrow::Cow;

use super::conceal::{self, Concealer};
use crate::levels::Levels;
use crate::scan::secrets::{self, Secret};
use dibber_skill::diagnostic::{
    Diagnostic, EXCERPT_LINES_MAX, Excerpt, Finding, Level, LevelReason, Place, Range,
};
use dibber_skill::names::Roster;
use dibber_skill::skill::Skill;
use dibber_text::{Source, Span};

/// The most bytes between the two ends of what an excerpt shows together.
const EXCERPT_TOGETHER_BYTES_MAX: usize = 2_048;
/// The most bytes of a line on each side of a place that its fingerprint is made of.
const LINE_SIDE_BYTES_MAX: usize = 256;

/// The path, as it is shown, of the file that a place is in.
pub(super) fn path_of<'a>(skill: &'a Skill, place: &Place) -> Cow<'a, str> {
    match place {
        Place::SkillFile(_) => Cow::Borrowed(skill.source.path()),
        Place::Resource(index, _) => Cow::Borrowed(skill.resources[*index].source.path()),
        Place::File(file) => Cow::Owned(skill.bundle.path_of(file)),
    }
}

/// Gives a finding its level and place; nothing of it shows a secret or a child's name.
pub(super) fn in_skill(
    skill: &Skill,
    concealer: &mut Concealer<'_>,
    finding: Finding,
    level: (Level, LevelReason),
) -> Diagnostic {
    let finding = concealer.conceal(finding);
    let roster = concealer.roster();
    let secrets = concealer.secrets_at(&finding.place);
    let path = path_of(skill, &finding.place).into_owned();
    let source_and_span = match finding.place {
        Place::SkillFile(span) => Some((&skill.source, span)),
        Place::Resource(index, span) => Some((&skill.resources[index].source, span)),
        Place::File(_) => None,
    };
    diagnostic(path, source_and_span, (secrets, roster), finding, level)
}

/// Gives a finding about a file as a whole its level; its place is not looked at.
pub(crate) fn of_file(
    path: String,
    roster: &Roster,
    finding: Finding,
    level: (Level, LevelReason),
) -> Diagnostic {
    diagnostic(path, None, (&[], roster), finding, level)
}

/// Gives findings in a file that is no part of a skill their levels and places; drops those
/// whose rule is allowed. Their place counts as one in that file. Nothing of them shows a secret
/// or a child's name.
pub(crate) fn in_source(
    source: &Source,
    roster: &Roster,
    findings: Vec<Finding>,
    levels: &Levels,
) -> Vec<Diagnostic> {
    let mut placed = Vec::new();
    let secrets = if findings.is_empty() { Vec::new() } else { secrets::find(source.text()) };
    for finding in findings {
        let level = levels.of(finding.rule).clone();
        let span = match finding.place {
            Place::SkillFile(span) | Place::Resource(_, span) => Some((source, span)),
            Place::File(_) => None,
        };
        if level.0 != Level::Allow {
            let finding = conceal::conceal(finding, source, &secrets);
            let hidden = (secrets.as_slice(), roster);
            placed.push(diagnostic(source.path().to_owned(), span, hidden, finding, level));
        }
    }
    sort(&mut placed);
    placed
}

/// Puts diagnostics into the order in which they are reported.
pub(super) fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
}

fn sort_key(diagnostic: &Diagnostic) -> (&str, Option<Span>, &str, &str) {
    let span = diagnostic.range.as_ref().map(|range| range.span);
    (&diagnostic.path, span, diagnostic.rule.id, &diagnostic.message)
}

fn diagnostic(
    path: String,
    source_and_span: Option<(&Source, Span)>,
    (secrets, roster): (&[Secret], &Roster),
    finding: Finding,
    (level, because): (Level, LevelReason),
) -> Diagnostic {
    let line = source_and_span.map(|(source, span)| line_of(source, span, secrets));
    let line = line.as_deref().unwrap_or(&finding.message);
    let fingerprint = fingerprint(finding.rule.id, &path, line);
    let is_in_skill_file = matches!(finding.place, Place::SkillFile(_));
    let fix = finding.fix.as_ref().filter(|_| is_in_skill_file);
    let edits = fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    let excerpt = source_and_span.map(|(source, span)| {
        let labels = finding.labels.iter().map(|label| label.span);
        let excerpt = Excerpt::new(source, together(source, span, labels.chain(edits)));
        conceal::conceal_in_excerpt(excerpt, source, secrets, roster)
    });
    let labels = source_and_span.map(|(source, _)| {
        finding
            .labels
            .into_iter()
            .map(|label| (Range::new(source, label.span), label.text))
            .collect()
    });
    let mut diagnostic = Diagnostic {
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
    };
    conceal::conceal_names(&mut diagnostic, roster);
    diagnostic
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

/// The text of the line that the span starts on; of a long line, what is near the span.
fn line_of(source: &Source, span: Span, secrets: &[Secret]) -> String {
    let text = source.text();
    let line = source.lines().line_span(text, source.lines().line(span.start));
    let start = line.start.max(span.start.saturating_sub(LINE_SIDE_BYTES_MAX));
    let end = line.end.min(span.start + LINE_SIDE_BYTES_MAX);
    let start = text.floor_char_boundary(start);
    let part = Span::new(start, text.floor_char_boundary(end.max(start)));
    secrets::mask(source.slice(part), start, secrets)
}

/// FNV-1a over the parts: stable across machines and versions, which is all that it has to be.
///
/// The last part is the text of the line, or the message when there is no line. Of a long line it
/// is what stands near the place, so that an edit elsewhere in a paragraph makes nothing new.
fn fingerprint(rule: &str, path: &str, line: &str) -> String {
    let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
    for part in [rule, path, line.trim()] {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    format!("{hash:016x}")
}
