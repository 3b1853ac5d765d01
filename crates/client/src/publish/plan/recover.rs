//! Finding what an interrupted run has created.
//!
//! Until the end of a write is known, it is not known whether the server has such a skill, and
//! another call would create a second one. The skill is looked for by what was sent, so nothing is
//! written before it was shown and agreed to. From then on it is one that was published, like any
//! other.

use super::created_heartbeat::{is_as_sent, new_heartbeats};
use super::heartbeat_content::{published_as_sent, read_created};
use super::heartbeat_step::HeartbeatKey;
use super::skill_search::SkillSearch;
use crate::error::ClientError;
use crate::journal::{Unfinished, UnfinishedDetails};
use crate::publish::heartbeat_forms::{is_same_cron, is_same_name};
use crate::publish::heartbeat_journal::{
    heartbeat_subject, is_cancellation, is_cancellation_of_push,
};
use crate::publish::lock_files::LockFiles;
use crate::publish::lock_key::LockKey;
use crate::publish::published::Published;
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    HeartbeatCreate, HeartbeatId, HeartbeatListItem, SKILL_WRITE, SkillWriteArguments,
};

/// Returns the skill that the latest of these writes has created, if it has; several, if others have
/// the same content.
pub(super) async fn created_skill(
    unfinished: &[Unfinished],
    search: &SkillSearch<'_>,
    locks: &LockFiles,
) -> Result<Vec<Published>, ClientError> {
    let details = unfinished.iter().rev().filter_map(|unfinished| unfinished.details.as_ref());
    let Some(creation) = details.into_iter().find(|write| write.tool == SKILL_WRITE) else {
        return Ok(Vec::new());
    };
    let sent = serde_json::from_value(creation.arguments.clone().into());
    let Ok(SkillWriteArguments { skill, spec_hash, .. }) = sent else { return Ok(Vec::new()) };
    let mut found = search.find_same_content(&skill, locks).await?;
    if found.is_empty() {
        let existed = |id: &str| creation.existing.iter().any(|existing| existing == id);
        found.extend(search.find_edited(&skill, existed, locks).await?);
    }
    let spec_hash = spec_hash.unwrap_or_default();
    for published in &mut found {
        published.spec_hash.clone_from(&spec_hash);
    }
    Ok(found)
}

/// A heartbeat that an interrupted run has created.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecoveredHeartbeat {
    /// Its name in `sprout.yaml`, which may be another one by now.
    pub name: String,
    /// Its id.
    pub heartbeat_id: HeartbeatId,
}

/// Finds the heartbeats of these skills that interrupted runs have created, and records them; and
/// removes the records of those that interrupted pushes have cancelled. Ends the writes of both, those
/// of heartbeats that other interrupted runs have cancelled, and those of heartbeats that were recorded before a run was interrupted.
pub async fn recover_heartbeats(
    skills: &[LockKey],
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<Vec<RecoveredHeartbeat>, PublishError> {
    let mut recovered = Vec::new();
    let unfinished = publisher.unfinished()?;
    if unfinished.is_empty() {
        return Ok(recovered);
    }
    let (mut created, mut cancelled) = (Vec::new(), Vec::new());
    for skill in skills {
        let Some(recorded) = locks.get(skill)? else { continue };
        for (subject, begun) in &unfinished {
            let key = HeartbeatKey::of_subject(subject, skill);
            created.extend(key.zip(begun.last()));
        }
        for known in recorded.heartbeats.into_values() {
            let begun = unfinished.get(&heartbeat_subject(&known.heartbeat_id));
            let begun = begun.map_or(&[][..], Vec::as_slice);
            if begun.iter().any(is_cancellation) {
                let is_of_push = begun.iter().any(is_cancellation_of_push);
                cancelled.push((skill, known.heartbeat_id, is_of_push));
            }
        }
    }
    if created.is_empty() && cancelled.is_empty() {
        return Ok(recovered);
    }
    let listed = publisher.client.all_heartbeats().await?.require_readable()?;
    for (skill, id, is_of_push) in cancelled {
        if matches!(listed.find(&id), Ok(None)) {
            // Without its record, a push would make one again that was cancelled by name.
            if is_of_push {
                locks.remove_heartbeat(skill, &id)?;
            }
            publisher.discard_unfinished(&heartbeat_subject(&id))?;
        }
    }
    for (key, begun) in created {
        let Some((create, write)) = sent_creation(begun) else { continue };
        if is_recorded(&key, &create, &listed.items, locks)? {
            publisher.discard_unfinished(&key.subject())?;
            continue;
        }
        let existed = |id: &str| write.existing.iter().any(|existing| existing == id);
        let mut found = new_heartbeats(existed, &listed.items, locks);
        let edited = only_edited(&create, &found).map(|item| item.heartbeat_id.clone());
        found.retain(|item| is_as_sent(&create, item));
        if let (true, Some(heartbeat_id)) = (found.is_empty(), edited) {
            // What another writer has changed is compared with what was sent.
            key.record(published_as_sent(heartbeat_id.clone(), &create), locks)?;
            publisher.discard_unfinished(&key.subject())?;
            recovered.push(RecoveredHeartbeat { name: key.name, heartbeat_id });
            continue;
        }
        // Among several that do the same, it does not matter which it is: the plan names the others.
        let do_the_same = found.iter().all(|item| item.run_skill_id.is_some());
        let item = match found[..] {
            [item] => item,
            [item, ..] if do_the_same => item,
            _ => continue,
        };
        let heartbeat_id = item.heartbeat_id.clone();
        key.record(read_created(&create, item).0, locks)?;
        publisher.discard_unfinished(&key.subject())?;
        recovered.push(RecoveredHeartbeat { name: key.name, heartbeat_id });
    }
    Ok(recovered)
}

/// Returns the arguments that a heartbeat was to be created with, and the details of that write.
fn sent_creation(begun: &Unfinished) -> Option<(HeartbeatCreate, &UnfinishedDetails)> {
    let details = begun.details.as_ref()?;
    let create = serde_json::from_value(details.arguments.clone().into()).ok()?;
    Some((create, details))
}

/// Returns the only new heartbeat that may be the one that was created, and edited since: it runs the
/// same skill, and has the same name or schedule. A server without content hashes may have stored what
/// was sent in another form.
fn only_edited<'a>(
    create: &HeartbeatCreate,
    found: &[&'a HeartbeatListItem],
) -> Option<&'a HeartbeatListItem> {
    let is_it = |item: &&&HeartbeatListItem| {
        item.content_hash.is_some()
            && item.run_skill_id.as_ref() == Some(&create.run_skill_id)
            && (is_same_name(&item.name, &create.name) || is_same_cron(&item.cron, &create.cron))
    };
    let mut edited = found.iter().filter(is_it);
    edited.next().copied().filter(|_| edited.next().is_none())
}

/// Returns `true` if a heartbeat is recorded as it was created with these arguments, and was not
/// cancelled since.
fn is_recorded(
    key: &HeartbeatKey,
    create: &HeartbeatCreate,
    listed: &[HeartbeatListItem],
    locks: &mut LockFiles,
) -> Result<bool, PublishError> {
    let skill = locks.get(&key.skill)?;
    let known = skill.as_ref().and_then(|skill| skill.heartbeats.get(&key.name));
    let content = ContentHash::of_heartbeat(create);
    Ok(known.is_some_and(|known| {
        let mut listed = listed.iter().filter(|item| item.heartbeat_id == known.heartbeat_id);
        let has_content = known.content_hash.as_deref() == Some(content.as_str());
        listed.any(|item| has_content || is_as_sent(create, item))
    }))
}
