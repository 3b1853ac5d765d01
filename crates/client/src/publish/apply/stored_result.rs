//! What a server has of a skill after it was written.

use crate::client::Client;
use crate::error::ClientError;
use crate::publish::conflict::take_field;
use crate::publish::differing_fields::DifferingFields;
use crate::publish::listed_skills::ListedSkills;
use crate::publish::publisher::PublishError;
use dibber_skill::content_hash::{ContentHash, field_hashes};
use dibber_skill::contract::{SkillId, SkillWrite, StoredSkill};

/// The outcome of a skill: its id, or why it was not published.
pub type SkillResult = Result<SkillId, PublishError>;

/// A skill that was sent to a server.
pub(super) struct SentSkill<'a> {
    /// Its id.
    pub(super) skill_id: &'a SkillId,
    /// The skill as it is to be.
    pub(super) content: &'a SkillWrite,
    /// The skill as the server has shown it before.
    pub(super) previewed: Option<&'a SkillWrite>,
    /// The skill before it was changed; none for a new one.
    pub(super) before: Option<&'a StoredSkill>,
}

/// What a server has stored of a skill that was sent.
pub(super) struct StoredResult {
    /// The skill, if the server does not say that it has what was sent.
    pub(super) skill: Option<Box<StoredSkill>>,
    /// The fields that are not stored as they were sent.
    pub(super) differing: DifferingFields,
    /// Why what the server has stored could not be read, if that was needed and failed.
    unverified: Option<ClientError>,
}

impl StoredResult {
    const fn new(skill: Option<Box<StoredSkill>>, unverified: Option<ClientError>) -> Self {
        Self { skill, differing: DifferingFields::none(), unverified }
    }

    /// Reads what a server has of a skill, unless it has answered with this hash of the content: then
    /// it has stored what was sent. Another one may have normalized, ignored or replaced it.
    ///
    /// # Errors
    /// If the server does not have the skill.
    pub(super) async fn read(
        sent: SentSkill<'_>,
        answered: Option<&str>,
        client: &Client,
    ) -> Result<Self, PublishError> {
        if answered == Some(ContentHash::of_write(sent.content).as_str()) {
            return Ok(Self::new(None, None));
        }
        let stored = match ListedSkills::new(client).find(sent.skill_id).await {
            Ok(Some(found)) => found.skill,
            Ok(None) => return Err(PublishError::MissingSkill(sent.skill_id.clone())),
            Err(error) => return Ok(Self::new(None, Some(error))),
        };
        let contents = (sent.content, sent.previewed);
        let differing = match sent.before {
            Some(before) => DifferingFields::of(contents, before, &stored),
            None => DifferingFields::of(contents, &empty_skill(&stored), &stored),
        };
        Ok(Self { differing, ..Self::new(Some(Box::new(stored)), None) })
    }

    /// Returns `true` if nothing by which people recognise a skill is as it was sent: it is likely to
    /// be another one.
    pub(super) fn is_of_other(&self) -> bool {
        ["name", "prompt"].iter().all(|field| self.differing.contains(field))
    }

    /// Returns the id of the skill, or an error if it is not, or may not be, as it was sent.
    pub(super) fn result(&self, skill_id: &SkillId) -> SkillResult {
        let skill_id = skill_id.clone();
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

/// Returns a skill before it was created.
fn empty_skill(created: &StoredSkill) -> StoredSkill {
    let mut skill = created.clone();
    for field in field_hashes(created).keys() {
        take_field(field, &SkillWrite::default(), &mut skill);
    }
    skill
}
