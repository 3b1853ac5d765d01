//! What a push has done.

use super::apply::Outcome;
use super::heartbeats::SkillHeartbeats;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;

/// What was done with the items of a push.
#[derive(Default)]
pub(super) struct Done {
    /// What became of each skill; empty until something was written.
    pub(super) outcomes: Vec<Outcome>,
    /// The heartbeats of each skill.
    pub(super) heartbeats: Vec<SkillHeartbeats>,
    /// The errors that belong to none of them.
    pub(super) errors: Vec<CommandError>,
}

impl Done {
    /// How the run ends because of it.
    pub(super) fn exit(&self) -> Exit {
        let failed = self.outcomes.iter().flatten().filter_map(|outcome| outcome.as_ref().err());
        let failed = failed.chain(&self.errors).map(CommandError::exit_code);
        let heartbeats = self.heartbeats.iter().map(SkillHeartbeats::exit);
        failed.chain(heartbeats).fold(Exit::Done, Exit::worst)
    }
}
