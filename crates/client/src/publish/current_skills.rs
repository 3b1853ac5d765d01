//! The skills of a server right before the first one of a plan is created.

use std::collections::HashSet;
use std::sync::{Mutex, PoisonError};

use tokio::sync::OnceCell;

use super::listed_skills::ListedSkills;
use super::lock_files::LockFiles;
use super::lock_key::LockKey;
use crate::error::ClientError;
use crate::listing::Listed;
use dibber_skill::contract::{SkillId, SkillListItem};
use dibber_skill::label::label_key;

/// The skills of a server, which are listed once: right before the first one is created.
///
/// Without a second list, a skill could be created that another machine has created from the same
/// directory while a user was asked.
pub struct CurrentSkills<'a> {
    planned: &'a ListedSkills<'a>,
    now: ListedSkills<'a>,
    /// Those that are listed now, and were not for the plan.
    appeared: OnceCell<Vec<SkillListItem>>,
    /// Where the skills are recorded that were sent a second time.
    sent_again: Mutex<Vec<LockKey>>,
}

impl<'a> CurrentSkills<'a> {
    /// The skills of the server whose skills were listed for a plan.
    pub const fn new(planned: &'a ListedSkills<'a>) -> Self {
        let now = ListedSkills::new(planned.client());
        let appeared = OnceCell::const_new();
        Self { planned, now, appeared, sent_again: Mutex::new(Vec::new()) }
    }

    /// Returns where the skills are recorded that were created now although an earlier run had sent them:
    /// nothing was found that the first call had created, and it may still arrive.
    pub fn sent_again(&self) -> Vec<LockKey> {
        self.sent_again.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn note_sent_again(&self, key: &LockKey) {
        self.sent_again.lock().unwrap_or_else(PoisonError::into_inner).push(key.clone());
    }

    /// Returns the skills that were listed before the first one was created, if one was, and the
    /// server has listed them.
    pub fn before_creations(&self) -> Option<&Listed<SkillListItem>> {
        self.now.listed()
    }

    /// Lists the skills if they were listed for the plan. Why they are not listed now is reported by each
    /// creation.
    pub(super) async fn list_again(&self) {
        if self.planned.listed().is_some() {
            drop(self.get().await);
        }
    }

    pub(super) async fn get(&self) -> Result<&Listed<SkillListItem>, ClientError> {
        self.now.get().await
    }

    /// Fails if a skill with the label of a new one has appeared since the plan, and no directory is
    /// recorded as it. A plan without a list of the server's skills knows none.
    pub(super) async fn check_new(
        &self,
        label: &str,
        locks: &LockFiles,
    ) -> Result<(), ClientError> {
        let Some(planned) = self.planned.listed() else { return Ok(()) };
        let now = self.get().await?;
        let appeared = self.appeared.get_or_init(async || {
            let known: HashSet<&SkillId> = planned.items.iter().map(|it| &it.skill_id).collect();
            now.items.iter().filter(|it| !known.contains(&it.skill_id)).cloned().collect()
        });
        let wanted = label_key(label);
        let is_it = |item: &&SkillListItem| {
            !item.is_archived()
                && label_key(&item.name) == wanted
                && !locks.is_recorded(&item.skill_id)
        };
        match appeared.await.iter().find(is_it) {
            Some(item) => Err(ClientError::SkillAppeared(item.skill_id.clone())),
            None => Ok(()),
        }
    }
}
