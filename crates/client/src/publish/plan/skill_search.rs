//! Finding the skills of a server that have the content of a draft, and that no directory is
//! recorded as: an interrupted push has created them, or the record was lost.

use super::skill_step::SkillBlocked;
use crate::client::Client;
use crate::error::ClientError;
use crate::listing::Listed;
use crate::publish::listed_skills::{ListedSkills, unreadable_with_label};
use crate::publish::lock_file::LockFileError;
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::LockKey;
use crate::publish::published::{Published, to_recorded_fields};
use crate::stored_form::{has_content_of, is_same_text};
use dibber_skill::content_hash::{ContentHash, field_hashes_of_write};
use dibber_skill::contract::{ErrorCode, SkillId, SkillListItem, SkillWrite, StoredSkill};
use dibber_skill::label::label_key;

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

    /// Returns the skills of [`find_same_content`] that are neither taken nor recorded.
    pub(super) async fn find_same_content(
        &self,
        draft: &SkillWrite,
        locks: &LockFiles,
    ) -> Result<Vec<Published>, ClientError> {
        let is_candidate = |id: &SkillId| !locks.is_recorded(id) && !self.taken.contains(id);
        let (listed, client) = (self.skills.get().await?, self.skills.client());
        let found = find_same_content(draft, listed, is_candidate, client).await?;
        let published = |stored: StoredSkill| Published {
            content_hash: Some(ContentHash::of_stored(&stored).to_string()),
            fields: to_recorded_fields(field_hashes_of_write(draft)),
            skill_id: stored.skill_id,
            ..Published::default()
        };
        Ok(found.into_iter().map(published).collect())
    }

    /// Returns the only skill that an interrupted run may have created from this draft, and that another
    /// writer has edited since, as it was sent: one with its label that did not exist before, and that
    /// is neither archived, taken nor recorded. A server of another make may give away the id of
    /// something else.
    pub(super) async fn find_edited(
        &self,
        sent: &SkillWrite,
        existed: impl Fn(&str) -> bool,
        locks: &LockFiles,
    ) -> Result<Option<Published>, ClientError> {
        if !self.skills.client().is_server_of_dibber().await? {
            return Ok(None);
        }
        let wanted = label_key(&sent.name);
        let is_candidate = |item: &&SkillListItem| {
            let id = &item.skill_id;
            let is_free = !locks.is_recorded(id) && !self.taken.contains(id);
            label_key(&item.name) == wanted
                && !item.is_archived()
                && is_free
                && !existed(id.as_str())
        };
        let mut found = self.skills.get().await?.items.iter().filter(is_candidate);
        let (Some(only), None) = (found.next(), found.next()) else { return Ok(None) };
        Ok(Some(Published {
            content_hash: Some(ContentHash::of_write(sent).to_string()),
            fields: to_recorded_fields(field_hashes_of_write(sent)),
            skill_id: only.skill_id.clone(),
            ..Published::default()
        }))
    }

    /// Returns why a draft that is new may be a skill that the server has: one with its label that is
    /// not archived or taken, and that no directory with a skill other than `key` is recorded as.
    /// Where the list has items that cannot be read, it may be one of those.
    pub(super) async fn find_same_label(
        &self,
        label: &str,
        key: &LockKey,
        locks: &mut LockFiles,
    ) -> Result<Option<SkillBlocked>, LockFileError> {
        // Why there is no list is known from the search by content.
        let Ok(listed) = self.skills.get().await else { return Ok(None) };
        let wanted = label_key(label);
        let is_candidate = |item: &&SkillListItem| {
            !item.is_archived()
                && label_key(&item.name) == wanted
                && !self.taken.contains(&item.skill_id)
        };
        let mut is_free = |id: &SkillId| -> Result<bool, LockFileError> {
            Ok(!locks.others_of(key, id)?.iter().any(LockKey::has_skill))
        };
        let mut skill_ids = Vec::new();
        for item in listed.items.iter().filter(is_candidate) {
            if is_free(&item.skill_id)? {
                skill_ids.push(item.skill_id.clone());
            }
        }
        if !skill_ids.is_empty() {
            return Ok(Some(SkillBlocked::SameLabel { skill_ids }));
        }
        let mut items = Vec::new();
        for item in unreadable_with_label(listed, label) {
            if item.id.as_deref().map_or(Ok(true), |id| is_free(&id.into()))? {
                items.push(item.clone());
            }
        }
        Ok((!items.is_empty()).then_some(SkillBlocked::Unreadable { items }))
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

/// Returns the listed skills with the label and the content of a draft, in the form in which the
/// server stores it. Archived skills are not among them, nor those that are no candidates.
async fn find_same_content(
    draft: &SkillWrite,
    listed: &Listed<SkillListItem>,
    is_candidate: impl Fn(&SkillId) -> bool,
    client: &Client,
) -> Result<Vec<StoredSkill>, ClientError> {
    let has_label = |item: &&SkillListItem| {
        !item.is_archived() && is_same_text(&item.name, &draft.name) && is_candidate(&item.skill_id)
    };
    let mut found = Vec::new();
    for item in listed.items.iter().filter(has_label) {
        let stored = client.active_skill(&item.skill_id).await?;
        found.extend(stored.filter(|stored| has_content_of(draft, stored)));
    }
    Ok(found)
}
