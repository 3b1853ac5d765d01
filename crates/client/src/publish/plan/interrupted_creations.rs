//! The skills of a server that interrupted pushes have created, and that are not recorded yet.

use super::recover::created_skill;
use super::skill_search::SkillSearch;
use crate::publish::listed_skills::ListedSkills;
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::LockKey;
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::contract::SkillId;

/// A skill that an interrupted push has created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterruptedCreation {
    /// The directory that was published.
    pub key: LockKey,
    /// The skill, which the next push of that directory records.
    pub skill_id: SkillId,
}

/// Finds the skills that interrupted pushes of directories in the same projects as `keys` have
/// created, as the next push of each finds it. The server is asked only if there are such pushes; a
/// skill that cannot be searched for is not found.
pub async fn find_interrupted_creations(
    keys: &[LockKey],
    publisher: Publisher<'_>,
    (locks, skills): (&mut LockFiles, &ListedSkills<'_>),
) -> Result<Vec<InterruptedCreation>, PublishError> {
    let mut search = SkillSearch::new(skills);
    let mut found = Vec::new();
    for (subject, writes) in publisher.unfinished()? {
        let Some(key) = keys.iter().find_map(|key| key.with_subject(&subject)) else { continue };
        if !key.has_skill() || locks.get(&key)?.is_some() {
            continue;
        }
        let Ok(created) = created_skill(&writes, &search, locks).await else { continue };
        if let [only] = &created[..] {
            search.take(&only.skill_id);
            found.push(InterruptedCreation { key, skill_id: only.skill_id.clone() });
        }
    }
    Ok(found)
}
