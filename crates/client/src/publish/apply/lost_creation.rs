//! Finding the skill that an attempt without an answer has created on a server of another make.

use crate::client::Client;
use crate::error::ClientError;
use crate::journal::Operation;
use crate::listing::Listed;
use crate::publish::listed_skills::ListedSkills;
use crate::publish::lock_files::LockFiles;
use crate::stored_form::has_content_of;
use crate::typed::Commit;
use crate::unreadable_item::UnreadableItem;
use dibber_skill::contract::{SkillListItem, SkillWrite};
use dibber_skill::label::label_key;

/// A creation of which an attempt may have taken effect.
pub(super) struct LostCreation<'a> {
    /// The skill as it was sent.
    pub(super) sent: &'a SkillWrite,
    pub(super) operation: &'a Operation,
    pub(super) client: &'a Client,
    pub(super) locks: &'a LockFiles,
    /// The keys of the labels of the skills that the same push creates, which appear as well.
    pub(super) new_labels: &'a [String],
}

/// What a skill is that was not there before the first attempt.
enum Appeared {
    /// It has the content that was sent.
    Same,
    /// It has another content, which may be the form in which the server has stored what was sent.
    MayBeSame,
    /// It is archived, or gone again.
    Other,
}

impl LostCreation<'_> {
    /// Returns the skill that was created, if it was. `before` are the skills that the server had
    /// when this run listed them; none if it is a server of this program.
    ///
    /// # Errors
    /// If it is not known whether it was: to send it again could create a second one.
    pub(super) async fn find(
        &self,
        before: Option<Result<&Listed<SkillListItem>, ClientError>>,
    ) -> Result<Option<Commit>, ClientError> {
        let Some(before) = before.transpose()? else { return Ok(None) };
        let listed = ListedSkills::new(self.client);
        let now = listed.get().await?;
        let (mut same, mut others) = (Vec::new(), Vec::new());
        let is_candidate =
            |item: &&SkillListItem| self.is_new(item.skill_id.as_str()) && !self.is_other_new(item);
        for item in now.items.iter().filter(is_candidate) {
            match self.compare(item).await? {
                Appeared::Same => same.push(item.skill_id.clone()),
                Appeared::MayBeSame => others.push(item.skill_id.to_string()),
                Appeared::Other => {}
            }
        }
        if let [skill_id] = &same[..] {
            return Ok(Some(Commit { skill_id: skill_id.clone(), content_hash: None }));
        }
        let is_new = |item: &&UnreadableItem| match &item.id {
            Some(id) => self.is_new(id),
            None => !before.unreadable.contains(item),
        };
        let unreadable = now.unreadable.iter().filter(is_new);
        let unreadable = unreadable.map(|item| item.id.clone().or_else(|| item.label.clone()));
        let unreadable = unreadable.map(|name| name.unwrap_or_else(|| "an item without id".into()));
        let items: Vec<_> =
            same.iter().map(ToString::to_string).chain(others).chain(unreadable).collect();
        if items.is_empty() {
            return Ok(None);
        }
        Err(ClientError::MayBeCreated { items, entry: self.operation.id() })
    }

    /// Returns `true` if the server did not have this skill before, and no directory is recorded as
    /// it.
    fn is_new(&self, id: &str) -> bool {
        !self.operation.existed_before(id) && !self.locks.is_recorded(&id.into())
    }

    /// Returns `true` for one that has the label of another skill that is created.
    fn is_other_new(&self, item: &SkillListItem) -> bool {
        let label = label_key(&item.name);
        label != label_key(&self.sent.name) && self.new_labels.contains(&label)
    }

    async fn compare(&self, item: &SkillListItem) -> Result<Appeared, ClientError> {
        if item.is_archived() {
            return Ok(Appeared::Other);
        }
        match self.client.active_skill(&item.skill_id).await {
            Ok(Some(stored)) if has_content_of(self.sent, &stored) => Ok(Appeared::Same),
            Ok(Some(_)) | Err(ClientError::Protocol(_)) => Ok(Appeared::MayBeSame),
            Ok(None) => Ok(Appeared::Other),
            Err(error) => Err(error),
        }
    }
}
