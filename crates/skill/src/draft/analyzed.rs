//! A draft with what is wrong with it, so that each skill is drafted and analyzed once.

use super::analyze::{DraftProblem, analyze};
use super::build::Draft;
use super::unpublished::{self, unpublished_files};
use crate::names::Roster;
use crate::skill::Skill;

/// A draft, and everything that is wrong with its arguments, and with what they leave out.
#[derive(Clone, Debug)]
pub struct AnalyzedDraft {
    /// The draft.
    pub draft: Draft,
    /// What is wrong with its arguments.
    pub problems: Vec<DraftProblem>,
}

impl AnalyzedDraft {
    /// Drafts a skill, and analyzes the draft.
    pub fn new(skill: &Skill, roster: &Roster) -> Self {
        let draft = Draft::new(skill);
        let mut problems = analyze(draft.best_effort(), roster);
        problems.extend(unpublished::mentioned(&draft, &unpublished_files(skill, &draft)));
        Self { draft, problems }
    }
}
