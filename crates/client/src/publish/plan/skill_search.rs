//! Finding the skills of a server that have the content of a draft, and that no directory is
//! recorded as: an interrupted push has created them, or the record was lost.

use crate::client::Client;
use crate::error::ClientError;
use crate::publish::lock_files::LockFiles;
use crate::publish::published::Published;
use crate::stored_form::{in_form_of, is_same_text};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{SkillId, SkillListArguments, SkillListItem, SkillWrite};

/// The most skills of a server that are searched.
const SKILLS_MAX: usize = 10_000;

/// The skills of a server, which are listed when the first of them is searched for.
pub(super) struct SkillSearch<'a> {
    client: &'a Client,
    /// The list, or why there is none: a server that does not answer is asked once.
    listed: Option<Result<Vec<SkillListItem>, ClientError>>,
    /// The skills that were found for other drafts.
    taken: Vec<SkillId>,
}

impl<'a> SkillSearch<'a> {
    pub(super) const fn new(client: &'a Client) -> Self {
        Self { client, listed: None, taken: Vec::new() }
    }

    /// Excludes a skill from what is found.
    pub(super) fn take(&mut self, skill_id: &SkillId) {
        self.taken.push(skill_id.clone());
    }

    /// Returns the skills with the label and the content of a draft, in the form in which the
    /// server stores it. Archived skills are not among them, nor those that are taken or recorded.
    pub(super) async fn find_same_content(
        &mut self,
        draft: &SkillWrite,
        locks: &LockFiles,
    ) -> Result<Vec<Published>, ClientError> {
        let listed = if let Some(listed) = self.listed.take() {
            listed
        } else {
            let all = SkillListArguments::default();
            let listed = self.client.all_skills(&all, SKILLS_MAX).await;
            listed.and_then(|listed| {
                if listed.next_cursor.is_none() {
                    return Ok(listed.items);
                }
                let cause = format!("it lists more than {SKILLS_MAX} skills");
                Err(ClientError::Protocol(cause))
            })
        };
        let listed = self.listed.insert(listed).as_deref().map_err(Clone::clone)?;
        let is_candidate = |item: &&SkillListItem| {
            is_same_text(&item.name, &draft.name)
                && !locks.is_recorded(&item.skill_id)
                && !self.taken.contains(&item.skill_id)
        };
        let wanted = ContentHash::of_write(draft);
        let mut found = Vec::new();
        for item in listed.iter().filter(is_candidate) {
            let Some(stored) = self.client.active_skill(&item.skill_id).await? else { continue };
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
}
