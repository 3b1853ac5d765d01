//! Finding the skills of a server that have the content of a draft, and that no directory is
//! recorded as: an interrupted push has created them, or the record was lost.

use crate::error::ClientError;
use crate::publish::listed_skills::{ListedSkills, label_key};
use crate::publish::lock_file::LockFileError;
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::LockKey;
use crate::publish::published::Published;
use crate::stored_form::{in_form_of, is_same_text};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{ErrorCode, SkillId, SkillListItem, SkillWrite};

/// The skills of a server, which are listed when the first of them is searched for.
pub(super) struct SkillSearch<'a> {
    skills: &'a ListedSkills<'a>,
    /// The skills that were found for other drafts.
    taken: Vec<SkillId>,
}

impl<'a> SkillSearch<'a> {
    pub(super) const fn new(skills: &'a ListedSkills<'a>) -> Self {
        Self { skills, taken: Vec::new() }
    }

    /// Excludes a skill from what is found.
    pub(super) fn take(&mut self, skill_id: &SkillId) {
        self.taken.push(skill_id.clone());
    }

    /// Returns the skills with the label and the content of a draft, in the form in which the
    /// server stores it. Archived skills are not among them, nor those that are taken or recorded.
    pub(super) async fn find_same_content(
        &self,
        draft: &SkillWrite,
        locks: &LockFiles,
    ) -> Result<Vec<Published>, ClientError> {
        let listed = self.skills.get().await?;
        let is_candidate = |item: &&SkillListItem| {
            !item.archived
                && is_same_text(&item.name, &draft.name)
                && !locks.is_recorded(&item.skill_id)
                && !self.taken.contains(&item.skill_id)
        };
        let wanted = ContentHash::of_write(draft);
        let mut found = Vec::new();
        for item in listed.items.iter().filter(is_candidate) {
            let Some(stored) = self.skills.client().active_skill(&item.skill_id).await? else {
                continue;
            };
            if ContentHash::of_stored(&in_form_of(draft, &stored)) == wanted {
                found.push(Published {
                    skill_id: stored.skill_id.clone(),
                    content_hash: Some(ContentHash::of_stored(&stored).to_string()),
                    ..Published::default()
                });
            }
        }
        Ok(found)
    }

    /// Returns the skills with this label that are not archived or taken, and that no directory
    /// with a skill other than `key` is recorded as.
    pub(super) async fn find_same_label(
        &self,
        label: &str,
        key: &LockKey,
        locks: &mut LockFiles,
    ) -> Result<Vec<SkillId>, LockFileError> {
        // Why there is no list is known from the search by content.
        let Ok(listed) = self.skills.get().await else { return Ok(Vec::new()) };
        let wanted = label_key(label);
        let is_candidate = |item: &&SkillListItem| {
            !item.archived
                && label_key(&item.name) == wanted
                && !self.taken.contains(&item.skill_id)
        };
        let mut found = Vec::new();
        for item in listed.items.iter().filter(is_candidate) {
            if !locks.others_of(key, &item.skill_id)?.iter().any(LockKey::has_skill) {
                found.push(item.skill_id.clone());
            }
        }
        Ok(found)
    }
}

/// Returns `true` if the server does not have this tool, or not for this client.
pub(super) fn is_not_permitted(error: &ClientError) -> bool {
    match error {
        ClientError::NoTool(_) => true,
        ClientError::Refused(error) => error.code == ErrorCode::PermissionDenied,
        _ => false,
    }
}
