//! Archiving skills, and putting them to use again.

use super::heartbeats::update_heartbeat;
use crate::client::Client;
use crate::error::ClientError;
use crate::journal::{Intent, Repeat};
use crate::key::IdempotencyKey;
use crate::publish::lock_files::{LockFiles, UnusedRecord};
use crate::publish::publisher::{PublishError, Publisher};
use crate::tool_info::ToolInfo;
use dibber_skill::contract::{
    ErrorCode, HeartbeatChange, HeartbeatId, HeartbeatUpdate, SKILL_ARCHIVE, SkillArchive,
    SkillArchived, SkillId,
};

/// The reason of a server that refuses to change a heartbeat that is cancelled.
const HEARTBEAT_CANCELLED: &str = "HEARTBEAT_CANCELLED";

/// Whether a skill can be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Archival {
    /// It is put aside.
    Archived,
    /// It can be used.
    InUse,
}

/// Returns an error if a server has no tool that archives skills.
pub async fn check_can_archive(client: &Client) -> Result<(), ClientError> {
    let tools = client.tools().await?;
    match ToolInfo::find(&tools, SKILL_ARCHIVE) {
        Some(_) => Ok(()),
        None => Err(ClientError::NoTool(SKILL_ARCHIVE.to_owned())),
    }
}

/// Returns a skill as a subject of the journal.
fn subject(skill_id: &SkillId) -> String {
    format!("skill {skill_id}")
}

/// Forgets the writes that were begun for a skill which is found to be as it should: an answer was
/// lost, or another client has done the same.
pub fn settle_archival(skill_id: &SkillId, publisher: Publisher<'_>) -> Result<(), PublishError> {
    Ok(publisher.discard_unfinished(&subject(skill_id))?)
}

/// Archives a skill, or puts it to use again. It takes effect once.
pub async fn set_archival(
    skill_id: &SkillId,
    archival: Archival,
    publisher: Publisher<'_>,
) -> Result<(), PublishError> {
    let client = publisher.client;
    let archived = archival == Archival::Archived;
    let archive = SkillArchive { skill_id: skill_id.clone(), archived };
    let subject = subject(skill_id);
    let arguments = serde_json::json!({"skillId": skill_id, "archived": archived});
    let intent = Intent {
        subject: Some(&subject),
        repeat: Repeat::Sets,
        ..Intent::new(publisher.server, SKILL_ARCHIVE, &arguments)
    };
    let send = async |key: &IdempotencyKey| client.skill_archive(&archive, key).await;
    let has_effect =
        async |_: &SkillArchived| Ok(client.skill_get(skill_id).await?.skill.archived == archived);
    publisher.write(&intent, send, has_effect).await?.finish()?;
    Ok(())
}

/// Archives the skill of a directory that is gone, after its recorded heartbeats are cancelled, and
/// removes the record. What does not exist any more needs nothing.
pub async fn prune_skill(
    gone: &UnusedRecord,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    for heartbeat in gone.published.heartbeats.values() {
        unless_missing(cancel(&heartbeat.heartbeat_id, publisher).await)?;
    }
    let archived = set_archival(&gone.published.skill_id, Archival::Archived, publisher).await;
    unless_missing(archived)?;
    Ok(locks.remove(&gone.key)?)
}

async fn cancel(id: &HeartbeatId, publisher: Publisher<'_>) -> Result<(), PublishError> {
    let update = HeartbeatUpdate { heartbeat_id: id.clone(), change: HeartbeatChange::Cancel };
    update_heartbeat(&update, None, publisher).await.map(drop)
}

/// Turns the refusal of what is gone, or was cancelled by an interrupted run, into a success.
fn unless_missing(result: Result<(), PublishError>) -> Result<(), PublishError> {
    match result {
        Err(PublishError::Call(ClientError::Refused(error)))
            if error.code == ErrorCode::DomainNotFound
                || error.reason.as_deref() == Some(HEARTBEAT_CANCELLED) =>
        {
            Ok(())
        }
        result => result,
    }
}
