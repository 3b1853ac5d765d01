//! The texts of a skill, one after the other: its `SKILL.md` and the files beside it.

use crate::diagnostic::Place;
use crate::skill::Skill;
use crate::text::{Source, Span};

/// One text of a skill.
#[derive(Clone, Copy, Debug)]
pub(super) struct Text<'a> {
    /// Its words.
    pub(super) source: &'a Source,
    /// Its index among the resources; none for `SKILL.md`.
    pub(super) resource: Option<usize>,
}

impl Text<'_> {
    /// The place of some bytes of it.
    pub(super) const fn place(self, span: Span) -> Place {
        match self.resource {
            None => Place::SkillFile(span),
            Some(index) => Place::Resource(index, span),
        }
    }
}

/// Every text of the skill, its `SKILL.md` first.
pub(super) fn texts(skill: &Skill) -> impl Iterator<Item = Text<'_>> {
    let resources = skill.resources.iter().enumerate();
    let resources =
        resources.map(|(index, file)| Text { source: &file.source, resource: Some(index) });
    std::iter::once(Text { source: &skill.source, resource: None }).chain(resources)
}
