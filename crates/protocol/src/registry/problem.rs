//! What is wrong with the directories of skills.

use std::path::PathBuf;

use dibber_text::Message;

use crate::refusal::shown;
use crate::skill::LoadError;

/// What a problem means for the skill.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ProblemEffect {
    /// It is not served, or nothing below the directory is.
    Skipped,
    /// It is served all the same.
    Served,
}

/// Something that is wrong with a directory.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct IndexProblem {
    /// The directory.
    pub path: PathBuf,
    /// What is wrong, as a sentence fragment.
    pub reason: String,
    /// What to do about it.
    pub help: String,
    /// What it means.
    pub effect: ProblemEffect,
}

impl IndexProblem {
    /// Creates the problem of a directory that is left out.
    pub(super) fn skipped(path: PathBuf, reason: &Message, help: &Message) -> Self {
        let effect = ProblemEffect::Skipped;
        Self { path, reason: shown(reason), help: shown(help), effect }
    }

    /// Creates the problem of a directory that is served.
    pub(super) fn served(path: PathBuf, reason: &Message, help: &Message) -> Self {
        Self { effect: ProblemEffect::Served, ..Self::skipped(path, reason, help) }
    }
}

impl From<&LoadError> for IndexProblem {
    fn from(error: &LoadError) -> Self {
        Self::skipped(error.directory.clone(), &error.message(), &error.help())
    }
}
