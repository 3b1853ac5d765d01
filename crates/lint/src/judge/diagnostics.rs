//! From findings, whose places are bytes, to diagnostics with lines, excerpts and fingerprints.

use super::judged::Judged;
use super::mask::{self, FindingMask};
use crate::file_secrets::FileSecrets;
use crate::levels::{EffectiveLevel, Levels};
use crate::skill_secrets::SkillSecrets;
use dibber_skill::diagnostic::{Diagnostic, EXCERPT_LINES_MAX, Excerpt, Finding, Place, Range};
use dibber_skill::names::Roster;
use dibber_skill::privacy::Privacy;
use dibber_skill::scan::secrets::{self, Secret};
use dibber_skill::skill::Skill;
use dibber_text::{Mask, Message, Source, Span};

/// The most bytes between the two ends of the places that an excerpt shows together.
const EXCERPT_TOGETHER_BYTES_MAX: usize = 2_048;
/// The most bytes of a line on each side of a place that its fingerprint is made of.
const LINE_SIDE_BYTES_MAX: usize = 256;

/// The path of a file, and how it is shown.
pub(super) struct ShownPath {
    path: String,
    shown: String,
}

impl ShownPath {
    pub(super) fn new(path: &str, roster: &Roster) -> Self {
        Self { path: path.to_owned(), shown: Privacy { roster }.mask(path).into_owned() }
    }

    /// Returns `true` if this is the path of that file.
    pub(super) fn is_of(&self, path: &str) -> bool {
        self.path == path
    }
}

/// Returns the diagnostic of a finding in a skill, without secrets and names.
pub(super) fn in_skill(
    skill: &Skill,
    secrets: &SkillSecrets<'_>,
    roster: &Roster,
    path: &ShownPath,
    judged: Judged,
) -> Diagnostic {
    let place = judged.source_and_span(skill);
    let Judged { finding, path: _, level } = judged;
    // The message about a file as a whole may still quote `SKILL.md`.
    let resource = match finding.place {
        Place::Resource(index, _) => Some(index),
        Place::SkillFile(_) | Place::File(_) => None,
    };
    let mask = FindingMask { secrets: secrets.in_file(resource), roster };
    diagnostic(path, place, mask, finding, level)
}

/// Returns the diagnostic of a finding about a file as a whole, whatever its place.
pub(crate) fn in_file(
    path: &str,
    roster: &Roster,
    finding: Finding,
    level: EffectiveLevel,
) -> Diagnostic {
    let secrets = FileSecrets::none();
    let path = ShownPath::new(path, roster);
    diagnostic(&path, None, FindingMask { secrets: &secrets, roster }, finding, level)
}

/// Returns the diagnostics of findings in a file that is no part of a skill, such as
/// `dibber.toml`, without secrets and names. A place in a skill file or a resource counts as one
/// in that file. Findings of allowed rules are dropped.
pub(crate) fn in_source(
    source: &Source,
    roster: &Roster,
    findings: Vec<Finding>,
    levels: &Levels,
) -> Vec<Diagnostic> {
    let mut diagnostics = Vec::new();
    let path = ShownPath::new(source.path(), roster);
    let secrets = if findings.is_empty() { FileSecrets::none() } else { FileSecrets::find(source) };
    for finding in findings {
        let level = levels.get(finding.rule).clone();
        let place = match finding.place {
            Place::SkillFile(span) | Place::Resource(_, span) => Some((source, span)),
            Place::File(_) => None,
        };
        if level.is_reported() {
            let mask = FindingMask { secrets: &secrets, roster };
            diagnostics.push(diagnostic(&path, place, mask, finding, level));
        }
    }
    sort(&mut diagnostics);
    diagnostics
}

/// Sets the message of a diagnostic that was made before its message was known.
pub(crate) fn set_message(diagnostic: &mut Diagnostic, message: &Message, roster: &Roster) {
    diagnostic.message = message.shown(&Privacy { roster }).to_string();
}

/// Sorts diagnostics into the order in which they are reported.
pub(crate) fn sort(diagnostics: &mut [Diagnostic]) {
    diagnostics.sort_by(|a, b| sort_key(a).cmp(&sort_key(b)));
}

fn sort_key(diagnostic: &Diagnostic) -> (&str, Option<Span>, &str, &str) {
    let span = diagnostic.range.as_ref().map(|range| range.span);
    (&diagnostic.path, span, diagnostic.rule.id, &diagnostic.message)
}

/// Returns the diagnostic of a finding. Neither its fingerprint nor anything else that identifies
/// it depends on the list of names.
fn diagnostic(
    path: &ShownPath,
    place: Option<(&Source, Span)>,
    mask: FindingMask<'_>,
    finding: Finding,
    EffectiveLevel { level, source: level_source }: EffectiveLevel,
) -> Diagnostic {
    let FindingMask { secrets, roster } = mask;
    let line = place.map(|(source, span)| line_at(source, span, secrets.secrets()));
    let fingerprint = fingerprint(finding.rule.id, &path.path, line.as_deref().unwrap_or_default());
    let is_in_skill_file = matches!(finding.place, Place::SkillFile(_));
    let fix = finding.fix.as_ref().filter(|_| is_in_skill_file);
    let edits = fix.iter().flat_map(|fix| &fix.edits).map(|edit| edit.span);
    let excerpt = place.map(|(source, span)| {
        let labels = finding.labels.iter().map(|label| label.span);
        let excerpt = Excerpt::new(source, widen_to_near(source, span, labels.chain(edits)));
        mask::mask_excerpt(excerpt, source, secrets, roster)
    });
    let shown = |message: &Message| message.shown(&mask).to_string();
    let labels = place.map(|(source, _)| {
        let labels = finding.labels.iter();
        labels.map(|label| (Range::new(source, label.span), shown(&label.text))).collect()
    });
    Diagnostic {
        rule: finding.rule,
        level,
        level_source: mask::mask_level_source(level_source, roster),
        path: path.shown.clone(),
        range: place.map(|(source, span)| Range::new(source, span)),
        message: shown(&finding.message),
        note: finding.note.as_ref().map(shown),
        help: finding.help.as_ref().map(|help| shown(&help.shown_as_help(&mask))),
        labels: labels.unwrap_or_default(),
        excerpt,
        fix: finding.fix.and_then(|fix| mask::shown_fix(fix, &mask)),
        fingerprint,
    }
}

/// Widens `span` to those of the other places that are near enough to be shown with it.
fn widen_to_near(source: &Source, span: Span, others: impl Iterator<Item = Span>) -> Span {
    others.fold(span, |shown, other| {
        let wider = Span::new(shown.start.min(other.start), shown.end.max(other.end));
        let lines = source.lines().line(wider.end) - source.lines().line(wider.start) + 1;
        let is_near = wider.len() <= EXCERPT_TOGETHER_BYTES_MAX && lines <= EXCERPT_LINES_MAX;
        if is_near { wider } else { shown }
    })
}

/// Returns the line that a span starts on; of a long line, the part near the span.
fn line_at(source: &Source, span: Span, secrets: &[Secret]) -> String {
    let text = source.text();
    let line = source.lines().line_span(text, source.lines().line(span.start));
    let start = line.start.max(span.start.saturating_sub(LINE_SIDE_BYTES_MAX));
    let end = line.end.min(span.start + LINE_SIDE_BYTES_MAX);
    let start = text.floor_char_boundary(start);
    let part = Span::new(start, text.floor_char_boundary(end.max(start)));
    secrets::mask(source.slice(part), start, secrets)
}

/// Returns the FNV-1a hash of the parts: a fingerprint has to be the same on all machines and in
/// all versions, and nothing depends on it being hard to invert.
///
/// The last part is the line, empty for a finding on a whole file: its message must not count,
/// since it may contain sizes and be worded differently in the next version. A long line counts
/// only near the place, so that an edit elsewhere in a paragraph does not make the finding a new
/// one.
pub(super) fn fingerprint(rule: &str, path: &str, line: &str) -> String {
    let mut hash: u64 = 0xCBF2_9CE4_8422_2325;
    for part in [rule, path, line.trim()] {
        for byte in part.bytes().chain([0]) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
        }
    }
    format!("{hash:016x}")
}
