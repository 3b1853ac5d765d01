//! What an interrupted push has published already, which one that publishes everything once more has
//! to know: the same command, run again, would publish it twice.

use super::heartbeat_journal::creates_for;
use super::lock_key::LockKey;
use super::publisher::Publisher;
use crate::error::JournalError;
use crate::journal::Unfinished;
use dibber_skill::contract::{SKILL_WRITE, SkillId};

/// A push that was interrupted, as far as it concerns some skills, by their positions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterruptedPush {
    /// The skills whose creation has not ended.
    pub unfinished: Vec<usize>,
    /// The skills that are recorded, and that the same push may have published.
    pub published: Vec<usize>,
}

impl Publisher<'_> {
    /// Returns the push that was interrupted after it may have published one of these skills, each with
    /// the id that is recorded for it.
    pub fn find_interrupted_push(
        &self,
        skills: &[(LockKey, Option<SkillId>)],
    ) -> Result<Option<InterruptedPush>, JournalError> {
        let writes = self.unfinished()?;
        let is_creation = |write: &Unfinished| {
            write.details.as_ref().is_some_and(|details| details.tool == SKILL_WRITE)
        };
        let is_unfinished = |key: &LockKey| {
            writes.get(&key.subject()).is_some_and(|writes| writes.iter().any(is_creation))
        };
        let has_unfinished_heartbeat =
            |id: &SkillId| writes.values().flatten().any(|write| creates_for(write, id));
        let (mut unfinished, mut published) = (Vec::new(), Vec::new());
        for (index, (key, _)) in skills.iter().enumerate() {
            if is_unfinished(key) {
                unfinished.push(index);
            }
        }
        for (index, (_, recorded)) in skills.iter().enumerate() {
            if let Some(id) = recorded
                && !unfinished.contains(&index)
                && (!unfinished.is_empty() || has_unfinished_heartbeat(id))
            {
                published.push(index);
            }
        }
        Ok((!published.is_empty()).then_some(InterruptedPush { unfinished, published }))
    }
}
