//! Scanning the text files of a skill: `SKILL.md` and its resources.

use dibber_skill::diagnostic::{Finding, Place};
use dibber_skill::skill::Skill;
use dibber_text::{Source, Span, message};

/// The maximum number of findings of one rule in one file; the others are counted.
const FINDINGS_MAX: usize = 10;

/// A text file of a skill.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextFile<'a> {
    /// Its content.
    pub(crate) source: &'a Source,
    /// Its index among the resources; `None` for `SKILL.md`.
    pub(crate) resource: Option<usize>,
}

impl TextFile<'_> {
    /// Returns the place of a span in the file.
    pub(crate) const fn place(self, span: Span) -> Place {
        match self.resource {
            None => Place::SkillFile(span),
            Some(index) => Place::Resource(index, span),
        }
    }
}

/// Returns the text files of the skill, `SKILL.md` first.
pub(crate) fn text_files(skill: &Skill) -> impl Iterator<Item = TextFile<'_>> {
    let resources = skill.resources.iter().enumerate();
    let resources =
        resources.map(|(index, file)| TextFile { source: &file.source, resource: Some(index) });
    std::iter::once(TextFile { source: &skill.source, resource: None }).chain(resources)
}

/// Adds a finding for each of the first items found in a file, and one that counts the others.
pub(crate) fn push_first<T>(
    findings: &mut Vec<Finding>,
    found: &[T],
    to_finding: impl Fn(&T) -> Finding,
) {
    findings.extend(found.iter().take(FINDINGS_MAX).map(&to_finding));
    if let Some(next) = found.get(FINDINGS_MAX) {
        let Finding { rule, place, .. } = to_finding(next);
        let message = message![found.len() - FINDINGS_MAX, " more of these in this file"];
        findings.push(Finding::at(rule, place, message));
    }
}
