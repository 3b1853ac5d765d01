//! Fixing a skill: which fixes are applied, and the string that results.
//!
//! This only plans: the caller writes the new string, or shows it.

use std::collections::{BTreeMap, BTreeSet};

use super::judge::tally::REPORTED_MAX;
use super::lint::{Limit, Linted, lint_for_run};
use super::outcome::Outcome;
use super::settings::Settings;
use dibber_skill::diagnostic::{Applicability, Diagnostic, Edit, Fix, with_edits};
use dibber_skill::skill::{FileKind, Skill};
use dibber_text::Span;

/// The most passes over a skill: a fix may uncover the next finding, and rules report only so
/// many at once.
const PASSES_MAX: usize = 1_000;
/// The number of passes that are allowed however large the skill is.
const PASSES_MIN: usize = 10;
/// The most bytes that all passes over a skill read together (64 MiB).
const PASSED_BYTES_MAX: usize = 64 << 20;

/// A skill whose `SKILL.md` was fixed as far as possible.
#[derive(Debug)]
pub struct Fixed {
    /// The skill with its new string.
    pub skill: Skill,
    /// The titles of the fixes that were applied, in order.
    pub applied: Vec<String>,
    /// The number of new waivers of findings about security.
    pub waived_security: usize,
    /// The result of linting the fixed skill.
    pub(crate) linted: Linted,
}

impl Fixed {
    /// Returns the result of linting the fixed skill.
    pub fn into_outcome(self) -> Outcome {
        self.linted.outcome
    }
}

/// Applies every fix of at most that `applicability`, pass by pass until none is left.
///
/// Only findings for which `is_selected` returns `true` are fixed, and no waived ones. A
/// `SKILL.md` that is not UTF-8, or larger than what was read, stays as it is, and so does one
/// that a link leads to outside the skill's directory: a skill must not change other files.
pub fn fix(
    skill: Skill,
    settings: &Settings,
    applicability: Applicability,
    is_selected: impl Fn(&Diagnostic) -> bool,
) -> Fixed {
    if !skill.is_whole_text() || is_link_outside(&skill) {
        let linted = lint_for_run(&skill, settings, Limit::PerRule);
        return Fixed { skill, applied: Vec::new(), waived_security: 0, linted };
    }
    let linted = lint_for_run(&skill, settings, Limit::None);
    let mut fixed = Fixed { skill, applied: Vec::new(), waived_security: 0, linted };
    for _ in 0..passes_max(&fixed.skill) {
        let diagnostics = fixed.linted.outcome.diagnostics.iter();
        let selected = diagnostics.filter(|diagnostic| is_selected(diagnostic));
        let Some((text, titles)) = fix_once(fixed.skill.source.text(), selected, applicability)
        else {
            break;
        };
        fixed.applied.extend(titles);
        // A broken skill usually has few problems or very many. To fix 100 at a time, each time
        // over the whole string, would take quadratic time.
        fixed.skill = fixed.skill.with_text_and_all_faults(text);
        fixed.linted = lint_for_run(&fixed.skill, settings, Limit::None);
    }
    if exceeds_limits(&fixed) {
        let text = fixed.skill.source.text().to_owned();
        fixed.skill = fixed.skill.with_text(text);
        fixed.linted = lint_for_run(&fixed.skill, settings, Limit::PerRule);
    }
    fixed
}

/// Returns `true` if linting without limits may report more than linting with them.
fn exceeds_limits(fixed: &Fixed) -> bool {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for diagnostic in &fixed.linted.outcome.diagnostics {
        *counts.entry(diagnostic.rule.id).or_default() += 1;
    }
    fixed.skill.faults.len() > REPORTED_MAX || counts.values().any(|count| *count > REPORTED_MAX)
}

/// Applies the fixes of at most that `applicability` that can be applied together to the content of
/// `SKILL.md`. Returns the new content with the titles of the fixes, or `None` without any.
pub fn fix_once<'a>(
    text: &str,
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    applicability: Applicability,
) -> Option<(String, Vec<String>)> {
    let fixes = diagnostics.into_iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
    let chosen = compatible(fixes, applicability);
    let titles = chosen.iter().map(|fix| fix.title.clone()).collect();
    let edits = || chosen.iter().flat_map(|fix| &fix.edits);
    (!chosen.is_empty()).then(|| (with_edits(text, edits()), titles))
}

/// Returns `true` if `SKILL.md` is a link that leads outside the directory of its skill.
pub(super) fn is_link_outside(skill: &Skill) -> bool {
    let file = skill.bundle.file(&skill.bundle.skill_file);
    file.is_some_and(|file| matches!(file.kind, FileKind::LinkOutside(_)))
}

/// Returns the most passes over a skill: many over a small one, and fewer over a large one.
fn passes_max(skill: &Skill) -> usize {
    let resources = skill.resources.iter().map(|resource| resource.source.text().len());
    let bytes = skill.source.text().len() + resources.sum::<usize>();
    (PASSED_BYTES_MAX / bytes.max(1)).clamp(PASSES_MIN, PASSES_MAX)
}

/// Returns the fixes that can be applied together: of two that touch the same bytes, the first.
fn compatible<'a>(
    fixes: impl Iterator<Item = &'a Fix>,
    applicability: Applicability,
) -> Vec<&'a Fix> {
    let mut chosen: Vec<&Fix> = Vec::new();
    let mut taken: BTreeSet<Span> = BTreeSet::new();
    for fix in fixes.filter(|fix| fix.applicability <= applicability) {
        let collides = |edit: &Edit| {
            // Taken spans are in order and do not overlap, so the last one before this ends last.
            let before = taken.range(..=Span::new(edit.span.end, usize::MAX)).rev();
            let mut near = before.take_while(|span| span.end >= edit.span.start);
            near.any(|span| touches(*span, edit.span))
        };
        if fix.edits.is_empty() || fix.edits.iter().any(collides) {
            continue;
        }
        taken.extend(fix.edits.iter().map(|edit| edit.span));
        chosen.push(fix);
    }
    chosen
}

/// Returns `true` if two edits overlap, or insert at the same byte, where their order would be a
/// guess.
fn touches(a: Span, b: Span) -> bool {
    a.overlaps(b) || (a.is_empty() || b.is_empty()) && a.start <= b.end && b.start <= a.end
}
