//! Archiving and unarchiving skills.

use std::path::Path;

use serde::Deserialize;
use serde_json::{Map, Value};

use super::archived_heartbeats::{LOCK_DIRECTORY, end_cancellations, forget_ended};
use super::heartbeat_update::{ChangeStart, write_and_check};
use super::skill_update::skill_subject;
use crate::client::Client;
use crate::error::ClientError;
use crate::journal::{BegunBy, Intent, Operation, Repeat};
use crate::listing::Listed;
use crate::publish::archival::Archival;
use crate::publish::current_heartbeats::check_same;
use crate::publish::heartbeat_journal::heartbeat_subject;
use crate::publish::listed_skills::ListedSkills;
use crate::publish::lock_file::LockFileError;
use crate::publish::lock_files::{LockFiles, MissingRecord};
use crate::publish::published::PublishedHeartbeat;
use crate::publish::publisher::{PublishError, Publisher};
use crate::tool_info::ToolInfo;
use dibber_skill::content_hash::ContentHash;
use dibber_skill::contract::{
    HeartbeatChange, HeartbeatId, HeartbeatListItem, HeartbeatUpdate, SKILL_ARCHIVE, Scope,
    SkillArchive, SkillFound, SkillId, StoredSkill, WireEnum,
};

/// The answer of `skill_archive`, which no contract describes: some servers send the id alone.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ArchiveAnswer {
    skill_id: SkillId,
    #[serde(default)]
    archived: Option<bool>,
}

/// Returns an error if a server has no tool that archives skills, or the token may not call it.
pub async fn check_can_archive(client: &Client) -> Result<(), ClientError> {
    let tools = client.tools().await?;
    if ToolInfo::find(&tools, SKILL_ARCHIVE).is_some() {
        return Ok(());
    }
    if !lacks_scope(client).await? {
        return Err(no_tool());
    }
    // The refusal says how to get the scope. Without it, and without arguments, nothing is archived.
    Err(client.call(SKILL_ARCHIVE, Map::new(), None).await.err().unwrap_or_else(no_tool))
}

/// Returns `true` if a tool that writes skills may not be listed because the token lacks its scope.
async fn lacks_scope(client: &Client) -> Result<bool, ClientError> {
    let whoami = match client.call("mcp_whoami", Map::new(), None).await {
        Ok(whoami) => whoami,
        // Not every server has this tool, or means the same by it.
        Err(ClientError::NoTool(_) | ClientError::Rejected(_) | ClientError::Failed { .. }) => {
            return Ok(false);
        }
        Err(error) => return Err(error),
    };
    let scopes = whoami.get("scopes").and_then(Value::as_array);
    Ok(scopes.is_some_and(|scopes| !scopes.iter().any(|it| it == Scope::SkillWrite.name())))
}

fn no_tool() -> ClientError {
    ClientError::NoTool(SKILL_ARCHIVE.to_owned())
}

/// A heartbeat that was cancelled before the skill that it runs was archived.
#[derive(Clone, Debug)]
pub struct CancelledHeartbeat {
    /// The heartbeat.
    pub heartbeat_id: HeartbeatId,
    /// Whether the server lists it all the same, paused.
    pub is_still_listed: bool,
}

/// What was done to archive a skill.
#[derive(Debug)]
pub struct ArchivedSkill {
    /// The heartbeats that were cancelled, whether or not the skill is archived.
    pub cancelled: Vec<CancelledHeartbeat>,
    /// Why it is not archived, if it is not.
    pub result: Result<(), PublishError>,
}

/// Archives a skill after the heartbeats that run it were cancelled, all of them as they were read
/// before. What an interrupted run has begun is finished. The records of the heartbeats are removed
/// from the lock of the current directory.
pub async fn archive_skill(
    skill: &StoredSkill,
    heartbeats: &[HeartbeatListItem],
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> ArchivedSkill {
    let mut cancelled = Vec::new();
    let archived = archive(skill, heartbeats, &mut cancelled, publisher, locks);
    ArchivedSkill { result: Box::pin(archived).await, cancelled }
}

async fn archive(
    skill: &StoredSkill,
    heartbeats: &[HeartbeatListItem],
    cancelled: &mut Vec<CancelledHeartbeat>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    let content = ContentHash::of_stored(skill);
    end_cancellations(publisher, locks).await?;
    let running = (heartbeats, Some(&content), BegunBy::Command);
    let forget = |done: &CancelledHeartbeat| {
        if !done.is_still_listed {
            locks.forget_heartbeat(Path::new(LOCK_DIRECTORY), &done.heartbeat_id)?;
        }
        Ok(())
    };
    cancel_running(&skill.skill_id, running, cancelled, publisher, forget).await?;
    set_archival(skill, Archival::Archived, publisher).await?;
    match forget_ended(&skill.skill_id, publisher, locks).await {
        // The skill is archived, and the records are removed by a run that can read the list.
        Err(PublishError::Call(_)) => Ok(()),
        ended => ended,
    }
}

/// Cancels the heartbeats that run a skill, as far as the server still lists them, once all are found
/// to be as they were shown, and so is the skill. `forget` removes the record of each.
async fn cancel_running(
    skill_id: &SkillId,
    (heartbeats, content, begun_by): (&[HeartbeatListItem], Option<&ContentHash>, BegunBy),
    cancelled: &mut Vec<CancelledHeartbeat>,
    publisher: Publisher<'_>,
    mut forget: impl FnMut(&CancelledHeartbeat) -> Result<(), LockFileError>,
) -> Result<(), PublishError> {
    if heartbeats.is_empty() {
        return Ok(());
    }
    let listed = check_archivable(skill_id, content, heartbeats, publisher.client).await?;
    for planned in heartbeats {
        let heartbeat_id = planned.heartbeat_id.clone();
        if listed.find(&heartbeat_id)?.is_none() {
            continue;
        }
        let change = HeartbeatChange::Cancel;
        let update = HeartbeatUpdate { heartbeat_id: heartbeat_id.clone(), change };
        let start = ChangeStart { before: Some(planned), begun_by, typed: None };
        let written = write_and_check(&update, start, publisher);
        let is_still_listed = Box::pin(written).await?.is_still_listed;
        let done = CancelledHeartbeat { heartbeat_id, is_still_listed };
        // After the end of the write, which is found again by what is recorded.
        let forgotten = forget(&done);
        cancelled.push(done);
        forgotten?;
    }
    Ok(())
}

/// Forgets the writes that were begun for a skill which is found to be as it should: an answer was
/// lost, or another client has done the same.
fn settle_archival(skill_id: &SkillId, publisher: Publisher<'_>) -> Result<(), PublishError> {
    Ok(publisher.discard_unfinished(&skill_subject(skill_id))?)
}

/// Archives or unarchives a skill, which is as it was read before, unless it is so already. It takes
/// effect once.
///
/// # Errors
/// If the skill was changed since it was read, the call fails, or the server answers that it has done
/// it, and has not.
pub async fn set_archival(
    before: &StoredSkill,
    archival: Archival,
    publisher: Publisher<'_>,
) -> Result<(), PublishError> {
    if archival.is_state_of(before) {
        return settle_archival(&before.skill_id, publisher);
    }
    let now = publisher.client.skill_get(&before.skill_id).await?.skill;
    check_content(&now, Some(&ContentHash::of_stored(before)))?;
    write_archival(&now, archival, publisher).await
}

/// Fails if a skill that is to be archived, or one of the heartbeats that are to be cancelled for that,
/// was changed since it was read; or if another heartbeat runs the skill by now. It returns those that
/// the server lists.
///
/// Nothing is cancelled before this: a cancelled heartbeat cannot be restored.
async fn check_archivable(
    skill_id: &SkillId,
    shown: Option<&ContentHash>,
    heartbeats: &[HeartbeatListItem],
    client: &Client,
) -> Result<Listed<HeartbeatListItem>, ClientError> {
    let skills = ListedSkills::new(client);
    if let Some(SkillFound { skill: now, .. }) = skills.find(skill_id).await?
        && skills.is_archived(&now).await != Some(true)
    {
        check_content(&now, shown)?;
    }
    // A write of a missing id is refused as one without permission, and a list has no such id.
    let listed = client.all_heartbeats().await?.require_readable()?;
    for planned in heartbeats {
        if let Some(now) = listed.find(&planned.heartbeat_id)? {
            check_same(planned, now)?;
        }
    }
    let is_known = |id: &HeartbeatId| heartbeats.iter().any(|known| known.heartbeat_id == *id);
    let is_new = |item: &&HeartbeatListItem| {
        item.run_skill_id.as_ref() == Some(skill_id) && !is_known(&item.heartbeat_id)
    };
    match listed.items.iter().find(is_new) {
        Some(item) => Err(ClientError::HeartbeatChanged(item.heartbeat_id.clone())),
        None => Ok(listed),
    }
}

/// Fails if a skill has another content than the one that was shown: no tool that archives a skill
/// compares it.
fn check_content(now: &StoredSkill, shown: Option<&ContentHash>) -> Result<(), ClientError> {
    if shown == Some(&ContentHash::of_stored(now)) {
        Ok(())
    } else {
        Err(ClientError::SkillChanged(now.skill_id.clone()))
    }
}

async fn write_archival(
    before: &StoredSkill,
    archival: Archival,
    publisher: Publisher<'_>,
) -> Result<(), PublishError> {
    let (client, skill_id) = (publisher.client, &before.skill_id);
    let archived = archival == Archival::Archived;
    let archive = SkillArchive { skill_id: skill_id.clone(), archived };
    let subject = skill_subject(skill_id);
    let arguments = serde_json::json!({"skillId": skill_id, "archived": archived});
    let intent = Intent {
        subject: Some(&subject),
        repeat: Repeat::Sets,
        ..Intent::new(publisher.server, SKILL_ARCHIVE, &arguments)
    };
    let is_made = async || Ok(is_archived(skill_id, client).await? == Some(archived));
    let send = async |operation: &Operation| {
        let done = || ArchiveAnswer { skill_id: skill_id.clone(), archived: Some(archived) };
        let find = async || Ok(is_made().await?.then(done));
        Box::pin(client.change_or_find((SKILL_ARCHIVE, &archive), operation, find)).await
    };
    let is_done = async |_: &ArchiveAnswer| is_made().await;
    let written = publisher.write(&intent, send, is_done).await?;
    let answered = &written.answer.skill_id;
    if answered != skill_id && !is_made().await.map_err(ClientError::with_unknown_outcome)? {
        // What it has changed is not known. The write remains in the journal.
        let verb = archival.verb();
        let cause = format!("it answers with `{answered}` to the {verb} of `{skill_id}`");
        return Err(ClientError::OutcomeUnknown(cause).into());
    }
    let answer = written.finish()?;
    // A server of another make may answer without having done it. One that cannot be read now, or
    // does not say it, has still answered.
    let read_back = async || is_archived(skill_id, client).await.ok().flatten();
    let is_trusted = before.content_hash.is_some() && answer.archived.is_some();
    let is_done = answer.archived.is_none_or(|it| it == archived)
        && (is_trusted || read_back().await.is_none_or(|it| it == archived));
    if is_done {
        Ok(())
    } else {
        Err(PublishError::NotArchived { skill_id: skill_id.clone(), archival })
    }
}

/// Returns whether a skill is archived now; none if the server does not say it.
async fn is_archived(skill_id: &SkillId, client: &Client) -> Result<Option<bool>, ClientError> {
    Ok(ListedSkills::new(client).read(skill_id).await?.skill.archived)
}

/// What was done to archive a skill whose directory is gone.
#[derive(Debug)]
pub struct PrunedSkill {
    /// The heartbeats that were cancelled.
    pub cancelled: Vec<HeartbeatId>,
    /// What became of the skill, or why it is not archived.
    pub result: Result<PruneOutcome, PublishError>,
}

/// What became of a skill whose directory is gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PruneOutcome {
    /// It is archived now.
    Archived,
    /// It was archived already.
    AlreadyArchived,
    /// The server does not have it.
    Missing,
}

/// Archives the skill of a directory that is gone, after the heartbeats of its plan are cancelled,
/// and removes the record. What was cancelled or archived before, or does not exist any more, needs
/// nothing. `content` is that of the skill when it was planned.
pub async fn prune_skill(
    missing: &MissingRecord,
    (heartbeats, content): (&[HeartbeatListItem], Option<&ContentHash>),
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> PrunedSkill {
    let mut cancelled = Vec::new();
    let planned = (heartbeats, content);
    let result = Box::pin(prune(missing, planned, &mut cancelled, publisher, locks)).await;
    let cancelled = cancelled.into_iter().map(|done| done.heartbeat_id).collect();
    PrunedSkill { cancelled, result }
}

async fn prune(
    missing: &MissingRecord,
    (heartbeats, content): (&[HeartbeatListItem], Option<&ContentHash>),
    cancelled: &mut Vec<CancelledHeartbeat>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<PruneOutcome, PublishError> {
    let skill_id = &missing.published.skill_id;
    let running = (heartbeats, content, BegunBy::Push);
    let forget =
        |done: &CancelledHeartbeat| locks.remove_heartbeat(&missing.key, &done.heartbeat_id);
    cancel_running(skill_id, running, cancelled, publisher, forget).await?;
    for PublishedHeartbeat { heartbeat_id: id, .. } in missing.published.distinct_heartbeats() {
        if !cancelled.iter().any(|done| done.heartbeat_id == *id) {
            publisher.discard_unfinished(&heartbeat_subject(id))?;
            locks.remove_heartbeat(&missing.key, id)?;
        }
    }
    let outcome = archive_existing(skill_id, content, publisher).await?;
    locks.remove(&missing.key)?;
    Ok(outcome)
}

/// Archives a skill unless it is archived or does not exist.
async fn archive_existing(
    skill_id: &SkillId,
    content: Option<&ContentHash>,
    publisher: Publisher<'_>,
) -> Result<PruneOutcome, PublishError> {
    let skills = ListedSkills::new(publisher.client);
    let Some(SkillFound { skill, .. }) = skills.find(skill_id).await? else {
        settle_archival(skill_id, publisher)?;
        return Ok(PruneOutcome::Missing);
    };
    if skills.is_archived(&skill).await == Some(true) {
        settle_archival(skill_id, publisher)?;
        return Ok(PruneOutcome::AlreadyArchived);
    }
    check_content(&skill, content)?;
    write_archival(&skill, Archival::Archived, publisher).await?;
    Ok(PruneOutcome::Archived)
}
