//! Finding what an interrupted run has created.
//!
//! Until the end of a write is known, it is not known whether the server has such a skill, and
//! another call would create a second one. The skill is looked for by what was sent, so nothing is
//! written before it was shown and agreed to. From then on it is one that was published, like any
//! other.

use crate::error::ClientError;
use crate::journal::Unfinished;
use crate::publish::lock::{Published, format_time};
use crate::publish::lock_files::LockFiles;
use crate::publish::publisher::Publisher;
use crate::typed::SPEC_HASH;
use dibber_skill::contract::{
    HeartbeatListItem, SKILL_WRITE, SkillId, SkillListArguments, SkillListItem,
};

/// The most skills of a server that are searched.
const SKILLS_MAX: usize = 10_000;

/// Returns the skill that the latest of these writes has created, if it has. Skills that are
/// recorded for another directory, or in `taken`, are not considered.
pub(super) async fn created_skill(
    unfinished: &[Unfinished],
    taken: &[SkillId],
    publisher: Publisher<'_>,
    locks: &LockFiles,
) -> Result<Option<Published>, ClientError> {
    let details = unfinished.iter().rev().filter_map(|unfinished| unfinished.details.as_ref());
    let Some(creation) = details.into_iter().find(|write| write.tool == SKILL_WRITE) else {
        return Ok(None);
    };
    let label = creation.arguments.get("name").and_then(|name| name.as_str());
    let client = publisher.client;
    let all = client.all_skills(&SkillListArguments::default(), SKILLS_MAX).await?.items;
    let is_candidate = |item: &&SkillListItem| {
        Some(item.name.as_str()) == label
            && !locks.is_recorded(&item.skill_id)
            && !taken.contains(&item.skill_id)
    };
    for item in all.iter().filter(is_candidate) {
        let content = client.active_content(&item.skill_id).await?;
        let content_hash = content.map(|content| content.to_string());
        if content_hash.is_some() && content_hash == creation.target {
            let spec_hash = creation.arguments.get(SPEC_HASH).and_then(|hash| hash.as_str());
            return Ok(Some(Published {
                skill_id: item.skill_id.clone(),
                spec_hash: spec_hash.unwrap_or_default().to_owned(),
                content_hash,
                time: format_time((publisher.clock)()),
                ..Published::default()
            }));
        }
    }
    Ok(None)
}

/// Returns the heartbeat that an interrupted run has created: the only one with the name and the
/// schedule that were sent.
pub(super) fn created_heartbeat<'a>(
    begun: &Unfinished,
    listed: &'a [HeartbeatListItem],
) -> Option<&'a HeartbeatListItem> {
    let sent = &begun.details.as_ref()?.arguments;
    let is_sent = |key: &str, value: &str| sent.get(key).and_then(|it| it.as_str()) == Some(value);
    let mut found =
        listed.iter().filter(|item| is_sent("name", &item.name) && is_sent("cron", &item.cron));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}
