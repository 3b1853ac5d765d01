//! From findings, which speak of bytes, to diagnostics with levels, lines and excerpts.

use std::collections::BTreeMap;

use super::Levels;
use super::secrets::{self, Secret};
use crate::diagnostic::{Diagnostic, Excerpt, Finding, Fix, Level, Place, Range};
use crate::skill::Skill;
use crate::text::{Source, Span};

/// The most bytes that an excerpt keeps of a line on each side of the place it shows.
const EXCERPT_SIDE_BYTES_MAX: usize = 512;
/// The most lines of an excerpt.
const EXCERPT_LINES_MAX: usize = 6;

/// Gives each finding its level and place; drops those whose rule is allowed.
pub(super) fn diagnostics(
    skill: &Skill,
    findings: Vec<Finding>,
    levels: &Levels,
) -> Vec<Diagnostic> {
    let mut concealer = Concealer { skill, secrets: BTreeMap::new() };
    let mut placed: Vec<Diagnostic> = findings
        .into_iter()
        .filter(|finding| levels.of(finding.rule).0 != Level::Allow)
        .map(|finding| diagnostic(&mut concealer, finding, levels))
        .collect();
    placed.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
    placed
}

fn sort_key(diagnostic: &Diagnostic) -> (&str, Option<Span>, &str, &str) {
    let span = diagnostic.range.as_ref().map(|range| range.span);
    (&diagnostic.path, span, diagnostic.rule.id, &diagnostic.message)
}

fn diagnostic(concealer: &mut Concealer<'_>, finding: Finding, levels: &Levels) -> Diagnostic {
    let skill = concealer.skill;
    let (level, because) = levels.of(finding.rule).clone();
    let finding = concealer.conceal(finding);
    let (path, source_and_span) = match &finding.place {
        Place::SkillFile(span) => (skill.source.path().to_owned(), Some((&skill.source, *span))),
        Place::Resource(index, span) => {
            let source = &skill.resources[*index].source;
            (source.path().to_owned(), Some((source, *span)))
        }
        Place::File(file) => (skill.bundle.path_of(file), None),
    };
    let secrets = concealer.secrets_at(&finding.place);
    let line =
        source_and_span.map_or(String::new(), |(source, span)| line_of(source, span, secrets));
    let excerpt = source_and_span.map(|(source, span)| excerpt(source, span, secrets));
    let fingerprint = fingerprint(finding.rule.id, &path, &line);
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

/// Keeps the secrets of a skill out of all that is reported, whichever rule speaks.
struct Concealer<'a> {
    skill: &'a Skill,
    /// By the index of the resource; none for `SKILL.md`. Looked for when a finding needs them.
    secrets: BTreeMap<Option<usize>, Vec<Secret>>,
}

impl Concealer<'_> {
    fn secrets_of(&mut self, resource: Option<usize>) -> &[Secret] {
        self.secrets
            .entry(resource)
            .or_insert_with(|| secrets::find(source_of(self.skill, resource).text()))
    }

    fn secrets_at(&mut self, place: &Place) -> &[Secret] {
        match place {
            Place::SkillFile(_) => self.secrets_of(None),
            Place::Resource(index, _) => self.secrets_of(Some(*index)),
            Place::File(_) => &[],
        }
    }

    /// Hides what the words of a finding quote. A fix that would write a secret anew is dropped:
    /// it could not be shown.
    fn conceal(&mut self, mut finding: Finding) -> Finding {
        let resource = match finding.place {
            Place::Resource(index, _) => Some(index),
            Place::SkillFile(_) | Place::File(_) => None,
        };
        let source = source_of(self.skill, resource).text();
        let secrets = self.secrets_of(resource);
        if secrets.is_empty() {
            return finding;
        }
        let conceal = |words: &mut String| {
            if let Some(masked) = secrets::mask_quoted(words, source, secrets) {
                *words = masked;
            }
        };
        conceal(&mut finding.message);
        finding.note.iter_mut().for_each(conceal);
        finding.help.iter_mut().for_each(conceal);
        finding.labels.iter_mut().map(|label| &mut label.text).for_each(conceal);
        let quotes = |text: &str| secrets::mask_quoted(text, source, secrets).is_some();
        let shows =
            |fix: &Fix| quotes(&fix.title) || fix.edits.iter().any(|edit| quotes(&edit.text));
        finding.fix = finding.fix.filter(|fix| !shows(fix));
        finding
    }
}

fn source_of(skill: &Skill, resource: Option<usize>) -> &Source {
    resource.map_or(&skill.source, |index| &skill.resources[index].source)
}

/// The first line that `span` is on, cut where it is very long.
fn line_of(source: &Source, span: Span, secrets: &[Secret]) -> String {
    let line = source.lines().line_span(source.text(), source.lines().line(span.start));
    let window = window(source.text(), line, Span::empty(span.start));
    secrets::mask(source.slice(window), window.start, secrets)
}

/// The lines that `span` covers, cut where a line is very long.
fn excerpt(source: &Source, span: Span, secrets: &[Secret]) -> Excerpt {
    let (text, lines) = (source.text(), source.lines());
    let first = lines.line(span.start);
    let last = lines.line(span.end).min(first + EXCERPT_LINES_MAX - 1);
    let (first_line, last_line) = (lines.line_span(text, first), lines.line_span(text, last));
    let window = window(text, Span::new(first_line.start, last_line.end), span);
    Excerpt {
        text: secrets::mask(source.slice(window), window.start, secrets),
        line: first,
        column: text[first_line.start..window.start].chars().count() + 1,
        offset: window.start,
    }
}

/// What is shown of `lines`, which hold the start of `span`.
fn window(text: &str, lines: Span, span: Span) -> Span {
    let start = lines.start.max(span.start.saturating_sub(EXCERPT_SIDE_BYTES_MAX));
    let end = lines.end.min(span.end.max(span.start) + EXCERPT_SIDE_BYTES_MAX);
    let start = text.floor_char_boundary(start);
    Span::new(start, text.floor_char_boundary(end.max(start)))
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
