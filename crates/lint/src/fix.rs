//! Repairing a skill: which fixes are applied, and the text that comes of it.
//!
//! A plan, and nothing but: the text is given back, writing it is somebody else's business.

use std::collections::BTreeSet;

use dibber_skill::diagnostic::{Applicability, Diagnostic, Edit, Fix};
use dibber_skill::skill::{FileKind, Skill};
use dibber_text::Span;

/// The most times that a text is linted and repaired again: a fix may uncover the next, and rules
/// offer only so many at once.
const PASSES_MAX: usize = 1_000;
/// As many times a text is always gone over, however large the skill is.
const PASSES_MIN: usize = 10;
/// The most bytes that all passes over a skill read together (64 MiB).
const PASSED_BYTES_MAX: usize = 64 << 20;

/// A skill whose text was repaired as far as it could be.
#[derive(Debug)]
pub struct Fixed {
    /// The skill with its new text.
    pub skill: Skill,
    /// What each applied fix did, in order: its title.
    pub applied: Vec<String>,
}

/// Applies every fix of at most that `applicability`, pass by pass until none is left.
///
/// `lint` gives the findings of a skill; those that are waived must not be among them. A text
/// that was not UTF-8, or not read to its end, stays as it is, and so does one that lies outside
/// the skill's folder, behind a link: somebody else's file is not for a skill to change.
pub fn fix(
    skill: Skill,
    applicability: Applicability,
    lint: impl Fn(&Skill) -> Vec<Diagnostic>,
) -> Fixed {
    let mut fixed = Fixed { skill, applied: Vec::new() };
    if !fixed.skill.is_whole_text() || lies_outside(&fixed.skill) {
        return fixed;
    }
    for _ in 0..passes_max(&fixed.skill) {
        let diagnostics = lint(&fixed.skill);
        let chosen = compatible(&diagnostics, applicability);
        if chosen.is_empty() {
            break;
        }
        let text = apply(fixed.skill.source.text(), &chosen);
        fixed.applied.extend(chosen.iter().map(|fix| fix.title.clone()));
        // A skill has few faults, and one with more has very many: 100 at a time, each time over
        // the whole text, would take work that grows with the square of it.
        fixed.skill = fixed.skill.with_text_and_all_faults(text);
    }
    if !fixed.applied.is_empty() {
        let text = fixed.skill.source.text().to_owned();
        fixed.skill = fixed.skill.with_text(text);
    }
    fixed
}

fn lies_outside(skill: &Skill) -> bool {
    let file = skill.bundle.file(&skill.bundle.skill_file);
    file.is_some_and(|file| matches!(file.kind, FileKind::LinkOutside(_)))
}

/// A small text can be gone over often, and a large one has to stop some time.
fn passes_max(skill: &Skill) -> usize {
    let resources = skill.resources.iter().map(|resource| resource.source.text().len());
    let bytes = skill.source.text().len() + resources.sum::<usize>();
    (PASSED_BYTES_MAX / bytes.max(1)).clamp(PASSES_MIN, PASSES_MAX)
}

/// The fixes that can be applied together: where two touch the same bytes, the first one.
fn compatible(diagnostics: &[Diagnostic], applicability: Applicability) -> Vec<&Fix> {
    let mut chosen: Vec<&Fix> = Vec::new();
    let mut taken: BTreeSet<Span> = BTreeSet::new();
    let fixes = diagnostics.iter().filter_map(|diagnostic| diagnostic.fix.as_ref());
    for fix in fixes.filter(|fix| fix.applicability <= applicability) {
        let collides = |edit: &Edit| {
            // They are in order and do not overlap, so that the last ones end last.
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

/// Overlapping counts, and so do two insertions at one point: their order would be a guess.
fn touches(a: Span, b: Span) -> bool {
    a.overlaps(b) || (a.is_empty() || b.is_empty()) && a.start <= b.end && b.start <= a.end
}

fn apply(text: &str, fixes: &[&Fix]) -> String {
    let mut edits: Vec<&Edit> = fixes.iter().flat_map(|fix| &fix.edits).collect();
    edits.sort_by_key(|edit| edit.span);
    let mut out = String::with_capacity(text.len() + 64);
    let mut at = 0;
    for edit in edits {
        out.push_str(&text[at..edit.span.start]);
        out.push_str(&edit.text);
        at = edit.span.end;
    }
    out.push_str(&text[at..]);
    out
}
