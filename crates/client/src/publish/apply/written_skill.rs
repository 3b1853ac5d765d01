//! A skill after it was written.

use super::stored_result::{SkillResult, StoredResult};
use crate::publish::publisher::PublishError;
use dibber_skill::contract::SkillId;

/// A skill after it was written.
pub(super) struct WrittenSkill {
    pub(super) skill_id: SkillId,
    pub(super) content_hash: String,
    /// The hash of its preview, if it is another one than that of the draft.
    pub(super) server_hash: Option<String>,
    /// What the server has of it.
    pub(super) stored: StoredResult,
    /// Whether an interrupted run has created it, and it was archived since.
    pub(super) is_archived: bool,
}

impl WrittenSkill {
    pub(super) fn result(&self) -> SkillResult {
        if self.is_archived {
            return Err(PublishError::ArchivedSinceCreation(self.skill_id.clone()));
        }
        self.stored.result(&self.skill_id)
    }
}
