//! The skills that a server lists.

use tokio::sync::OnceCell;

use crate::client::Client;
use crate::error::ClientError;
use crate::listing::Listed;
use crate::unreadable_item::UnreadableItem;
use dibber_skill::contract::{
    ErrorCode, SkillFound, SkillId, SkillListArguments, SkillListItem, StoredSkill, ToolError,
};
use dibber_skill::label::label_key;

/// The most skills of a server that are listed.
pub const SKILLS_MAX: usize = 10_000;

/// What to do about a skill that a server does not list.
const NOT_LISTED_HELP: &str = "`dibber skill list` lists the skills; `dibber push --new PATH` \
                               publishes the one of a folder as another one";

/// The skills of a server, which are listed when they are needed for the first time.
pub struct ListedSkills<'a> {
    client: &'a Client,
    /// The list, or why there is none: a server that does not answer is asked once.
    listed: OnceCell<Result<Listed<SkillListItem>, ClientError>>,
}

impl<'a> ListedSkills<'a> {
    /// The skills of the server of this client.
    pub const fn new(client: &'a Client) -> Self {
        Self { client, listed: OnceCell::const_new() }
    }

    pub(super) const fn client(&self) -> &'a Client {
        self.client
    }

    /// Returns the skills, with the archived ones if the server lists them.
    pub async fn get(&self) -> Result<&Listed<SkillListItem>, ClientError> {
        let listed = self.listed.get_or_init(|| Box::pin(list(self.client))).await;
        listed.as_ref().map_err(Clone::clone)
    }

    /// Returns `true` if they were listed before.
    pub fn is_listed(&self) -> bool {
        self.listed().is_some()
    }

    /// Returns the skills if they were listed before.
    pub(super) fn listed(&self) -> Option<&Listed<SkillListItem>> {
        self.listed.get()?.as_ref().ok()
    }

    /// Returns a skill as `skill_get` does, archived or not; none if the server does not have it.
    pub async fn find(&self, skill_id: &SkillId) -> Result<Option<SkillFound>, ClientError> {
        match self.client.skill_get(skill_id).await {
            Ok(found) => Ok(Some(found)),
            Err(error) => match self.explain(error, skill_id).await {
                ClientError::Refused(error) if error.code == ErrorCode::DomainNotFound => Ok(None),
                error => Err(error),
            },
        }
    }

    /// Returns why a skill cannot be read, in the words of the contract: a tool of another one does not
    /// say why it failed.
    async fn explain(&self, error: ClientError, skill_id: &SkillId) -> ClientError {
        let (ClientError::Failed { message, .. } | ClientError::Rejected(message)) = &error else {
            return error;
        };
        if self.lists_none().await {
            let (skill_id, message) = (skill_id.clone(), message.clone());
            return ClientError::NoSkills { skill_id, message };
        }
        if self.lacks(skill_id).await {
            let message = format!("the server does not list {skill_id}, and answers: {message}");
            let code = ErrorCode::DomainNotFound;
            return ClientError::Refused(Box::new(ToolError::new(code, message, NOT_LISTED_HELP)));
        }
        error
    }

    /// Returns a skill, with whether it is archived from the list if `skill_get` does not say it.
    pub async fn read(&self, skill_id: &SkillId) -> Result<SkillFound, ClientError> {
        let mut found = match self.client.skill_get(skill_id).await {
            Ok(found) => found,
            Err(error) => return Err(self.explain(error, skill_id).await),
        };
        found.skill.archived = self.is_archived(&found.skill).await;
        Ok(found)
    }

    /// Returns whether a skill that was read is archived; none if neither that nor the list says it.
    pub async fn is_archived(&self, skill: &StoredSkill) -> Option<bool> {
        if skill.archived.is_some() {
            return skill.archived;
        }
        let listed = self.get().await.ok()?;
        listed.items.iter().find(|item| item.skill_id == skill.skill_id)?.archived
    }

    /// Returns `true` if the server has a skill, and does not say that it is archived.
    pub async fn is_active(&self, skill_id: &SkillId) -> Result<bool, ClientError> {
        match self.find(skill_id).await? {
            Some(found) => Ok(self.is_archived(&found.skill).await != Some(true)),
            None => Ok(false),
        }
    }

    /// Returns `true` if the server lists its skills, and not this one.
    async fn lacks(&self, skill_id: &SkillId) -> bool {
        self.get().await.is_ok_and(|listed| {
            listed.unreadable.is_empty()
                && listed.items.iter().all(|item| item.skill_id != *skill_id)
        })
    }

    /// Returns `true` if the server lists its skills, and there are none: that of another account may
    /// be as empty as one whose skills were removed.
    async fn lists_none(&self) -> bool {
        let is_empty = |listed: &Listed<_>| listed.items.is_empty() && listed.unreadable.is_empty();
        self.get().await.is_ok_and(is_empty)
    }
}

/// Returns the items of a list that cannot be read, and that may be a skill with this label.
pub fn unreadable_with_label<'a>(
    listed: &'a Listed<SkillListItem>,
    label: &str,
) -> impl Iterator<Item = &'a UnreadableItem> {
    let wanted = label_key(label);
    let may_be_it = move |item: &&UnreadableItem| {
        item.label.as_ref().is_none_or(|label| label_key(label) == wanted)
    };
    listed.unreadable.iter().filter(may_be_it)
}

async fn list(client: &Client) -> Result<Listed<SkillListItem>, ClientError> {
    let active = SkillListArguments::default();
    let all = SkillListArguments { include_archived: Some(true), ..active.clone() };
    // One more, since a server may ignore the limit of a page.
    let limit = SKILLS_MAX + 1;
    let is_complete = |listed: &Listed<SkillListItem>| {
        listed.next_cursor.is_none() && listed.items.len() <= SKILLS_MAX
    };
    match client.all_skills(&all, limit).await {
        Ok(listed) if is_complete(&listed) => return Ok(listed),
        // Without the archived ones they may be few enough, or be permitted.
        Ok(_) | Err(ClientError::Refused(_) | ClientError::Rejected(_)) => {}
        Err(error) => return Err(error),
    }
    let listed = client.all_skills(&active, limit).await?;
    if is_complete(&listed) {
        Ok(listed)
    } else {
        Err(ClientError::TooManySkills { limit: SKILLS_MAX })
    }
}
