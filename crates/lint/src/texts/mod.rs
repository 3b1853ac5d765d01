//! The texts of a skill, one after the other: its `SKILL.md` and the files beside it.
//!
//! The modules below find what may stand anywhere in such a text, whatever kind of file it is.

pub(super) mod downloads;
pub(super) mod hidden_characters;
pub(super) mod secrets;
pub(super) mod word_finder;

use dibber_skill::diagnostic::{Finding, Place};
use dibber_skill::skill::Skill;
use dibber_text::{Source, Span};

/// The most findings of one rule in one text; the rest is counted.
const FINDINGS_MAX: usize = 10;

/// One text of a skill.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Text<'a> {
    /// Its words.
    pub(crate) source: &'a Source,
    /// Its index among the resources; none for `SKILL.md`.
    pub(crate) resource: Option<usize>,
}

impl Text<'_> {
    /// The place of some bytes of it.
    pub(crate) const fn place(self, span: Span) -> Place {
        match self.resource {
            None => Place::SkillFile(span),
            Some(index) => Place::Resource(index, span),
        }
    }
}

/// Every text of the skill, its `SKILL.md` first.
pub(crate) fn texts(skill: &Skill) -> impl Iterator<Item = Text<'_>> {
    let resources = skill.resources.iter().enumerate();
    let resources =
        resources.map(|(index, file)| Text { source: &file.source, resource: Some(index) });
    std::iter::once(Text { source: &skill.source, resource: None }).chain(resources)
}

/// Adds a finding for each of the first things found in a text, and one that counts the rest.
pub(crate) fn push_first<T>(
    findings: &mut Vec<Finding>,
    found: &[T],
    to_finding: impl Fn(&T) -> Finding,
) {
    findings.extend(found.iter().take(FINDINGS_MAX).map(&to_finding));
    if let Some(next) = found.get(FINDINGS_MAX) {
        let Finding { rule, place, .. } = to_finding(next);
        let message = format!("{} more of these in this file", found.len() - FINDINGS_MAX);
        findings.push(Finding::at(rule, place, message));
    }
}
