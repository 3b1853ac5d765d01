//! A finding that is reported, before it has lines and columns.

use std::borrow::Cow;

use crate::levels::EffectiveLevel;
use dibber_skill::diagnostic::{Finding, Place};
use dibber_skill::skill::Skill;
use dibber_text::{Source, Span};

/// A finding with its file and its level there.
#[derive(Debug)]
pub(super) struct Judged {
    pub(super) finding: Finding,
    /// The path of the file, as it is shown.
    pub(super) path: String,
    pub(super) level: EffectiveLevel,
}

impl Judged {
    /// Returns the file and the bytes that the finding is about, unless it is about a file as a
    /// whole.
    pub(super) fn source_and_span<'a>(&self, skill: &'a Skill) -> Option<(&'a Source, Span)> {
        match self.finding.place {
            Place::SkillFile(span) => Some((&skill.source, span)),
            Place::Resource(index, span) => Some((&skill.resources[index].source, span)),
            Place::File(_) => None,
        }
    }
}

/// Returns the path, as it is shown, of the file that a place is in.
pub(super) fn path_of<'a>(skill: &'a Skill, place: &Place) -> Cow<'a, str> {
    match place {
        Place::SkillFile(_) => Cow::Borrowed(skill.source.path()),
        Place::Resource(index, _) => Cow::Borrowed(skill.resources[*index].source.path()),
        Place::File(file) => Cow::Owned(skill.bundle.path_of(file)),
    }
}
