//! Skills of a server that are the same as a linked one: the call of an earlier run has arrived after
//! it was sent again, or another machine has published the same directory.

use super::listed_skills::ListedSkills;
use super::lock_files::LockFiles;
use super::publisher::Publisher;
use crate::error::ClientError;
use crate::stored_form::{has_content_of, is_same_text};
use dibber_skill::contract::{
    SKILL_WRITE, SkillId, SkillListItem, SkillWrite, SkillWriteArguments,
};

/// A skill that is the same as another one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuplicateSkill {
    /// The skill that a directory is linked to.
    pub linked: SkillId,
    /// The other one, which no directory is linked to.
    pub skill_id: SkillId,
}

impl Publisher<'_> {
    /// Returns the skills that were sent again within the last day, as they were sent first.
    pub fn repeated_creations(&self) -> Vec<SkillWrite> {
        let sent = self.journal.repeated_creations(self.server, SKILL_WRITE, (self.clock)());
        let sent = sent.into_iter().map(serde_json::from_value::<SkillWriteArguments>);
        sent.filter_map(|sent| Some(sent.ok()?.skill)).collect()
    }
}

/// Returns the skills of the server that are not archived, that no directory is recorded as, and that
/// have the label of a linked one, and its content or one that was sent. A skill that cannot be read is
/// not among them.
pub async fn find_duplicate_skills(
    linked: &[SkillId],
    sent: &[SkillWrite],
    (skills, locks): (&ListedSkills<'_>, &LockFiles),
) -> Result<Vec<DuplicateSkill>, ClientError> {
    let items = &skills.get().await?.items[..];
    let is_other = |item: &&SkillListItem| {
        let id = &item.skill_id;
        !item.is_archived() && !locks.is_recorded(id) && !linked.contains(id)
    };
    let others: Vec<_> = items.iter().filter(is_other).collect();
    let mut found = Vec::new();
    for own in items.iter().filter(|item| linked.contains(&item.skill_id)) {
        let same_label: Vec<_> =
            others.iter().filter(|other| is_same_text(&other.name, &own.name)).collect();
        if same_label.is_empty() {
            continue;
        }
        let Ok(Some(stored)) = skills.client().active_skill(&own.skill_id).await else { continue };
        let stored = SkillWrite::from(&stored);
        for other in same_label {
            let Ok(Some(content)) = skills.client().active_skill(&other.skill_id).await else {
                continue;
            };
            let mut contents = std::iter::once(&stored).chain(sent);
            if contents.any(|one| has_content_of(one, &content)) {
                let (linked, skill_id) = (own.skill_id.clone(), other.skill_id.clone());
                found.push(DuplicateSkill { linked, skill_id });
            }
        }
    }
    Ok(found)
}
