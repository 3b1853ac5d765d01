//! What a server has of a skill after it was written.

use crate::error::ClientError;
use crate::publish::differing_fields::DifferingFields;
use crate::publish::publisher::PublishError;
use dibber_skill::contract::{SkillId, StoredSkill};

/// The outcome of a skill: its id, or why it was not published.
pub type SkillResult = Result<SkillId, PublishError>;

/// What the server has of a skill after it was written.
pub(super) struct WrittenSkill {
    pub(super) skill_id: SkillId,
    pub(super) content_hash: String,
    /// The hash of its preview, if it is another one than that of the draft.
    pub(super) server_hash: Option<String>,
    /// The skill, if the server does not say that it has what was sent.
    pub(super) stored: Option<Box<StoredSkill>>,
    /// The fields that are not stored as they were sent.
    pub(super) differing: DifferingFields,
    /// Why what the server has stored could not be read, if that was needed and failed.
    pub(super) unverified: Option<ClientError>,
}

impl WrittenSkill {
    pub(super) fn result(&self) -> SkillResult {
        let skill_id = self.skill_id.clone();
        match &self.unverified {
            Some(cause) => Err(PublishError::NotVerified { skill_id, cause: cause.clone() }),
            None if self.differing.is_empty() => Ok(skill_id),
            None => {
                let fields = self.differing.clone();
                Err(PublishError::StoredDifferently { skill_id, fields })
            }
        }
    }
}
