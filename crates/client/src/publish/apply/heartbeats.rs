//! Carrying out the steps of heartbeats.

use super::heartbeat_creation::{HeartbeatOutcome, record_stored};
use super::heartbeat_replacement::create_or_replace;
use super::heartbeat_update::{cancel, find_listed, write_update};
use crate::publish::current_heartbeats::CurrentHeartbeats;
use crate::publish::heartbeat_journal::{end_pause, end_pause_of_id, heartbeat_subject};
use crate::publish::lock_files::LockFiles;
use crate::publish::plan::{
    HeartbeatEdit, HeartbeatKey, HeartbeatStep, PlannedHeartbeat, read_back,
};
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::contract::HeartbeatId;

/// Carries out the step of one heartbeat, and records it.
///
/// # Errors
/// If something fails, or since it was planned, the heartbeat was changed on the server, or one that
/// may be the same as a new one has appeared there.
pub async fn apply_heartbeat<B>(
    planned: &PlannedHeartbeat<B>,
    current: &CurrentHeartbeats<'_>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<HeartbeatOutcome, PublishError> {
    let key = planned.key.as_ref();
    if let Some(changed) = planned.step.changed() {
        current.check_unchanged(changed).await?;
    }
    match &planned.step {
        HeartbeatStep::Create(creation) => {
            current.check_new(creation, locks).await?;
            Box::pin(create_or_replace(creation, key, publisher, locks)).await
        }
        HeartbeatStep::Update(edit) => {
            Box::pin(update(edit, key, publisher, locks)).await?;
            end_pauses(key, &edit.listed.heartbeat_id, publisher)?;
            Ok(HeartbeatOutcome::Changed)
        }
        HeartbeatStep::Cancel(listed, _) => {
            cancel(listed, key, publisher, locks).await?;
            Ok(HeartbeatOutcome::Cancelled)
        }
        HeartbeatStep::Unchanged(unchanged) => {
            if let (Some(key), Some(published)) = (key, &unchanged.unrecorded) {
                key.record(published.clone(), locks)?;
            }
            let id = &unchanged.listed.heartbeat_id;
            publisher.discard_unfinished(&heartbeat_subject(id))?;
            end_pauses(key, id, publisher)?;
            Ok(HeartbeatOutcome::Unchanged)
        }
        HeartbeatStep::Forget(id) => {
            if let Some(key) = key {
                locks.remove_heartbeat(&key.skill, id)?;
            }
            publisher.discard_unfinished(&heartbeat_subject(id))?;
            end_pause_of_id(id, publisher)?;
            Ok(HeartbeatOutcome::Unchanged)
        }
        HeartbeatStep::Unlisted(_) | HeartbeatStep::Blocked(_) => Ok(HeartbeatOutcome::Unchanged),
    }
}

/// Ends the pause that an interrupted run has begun: the heartbeat is paused.
fn end_pauses(
    key: Option<&HeartbeatKey>,
    id: &HeartbeatId,
    publisher: Publisher<'_>,
) -> Result<(), PublishError> {
    if let Some(key) = key {
        end_pause(&key.subject(), publisher)?;
    }
    Ok(end_pause_of_id(id, publisher)?)
}

/// Makes the changes of a heartbeat, one after the other, and records each.
async fn update(
    edit: &HeartbeatEdit,
    key: Option<&HeartbeatKey>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    let HeartbeatEdit { updates, listed, .. } = edit;
    for (update, published) in updates {
        let target = published.content_hash.as_deref();
        let written = write_update(update, Some(listed), target, publisher).await?;
        if let Some(key) = key {
            key.record(published.clone(), locks)?;
        }
        written.finish()?;
    }
    if listed.content_hash.is_some() {
        return Ok(());
    }
    // A server of another make may have stored it in its own form, or not at all.
    let now = find_listed(&listed.heartbeat_id, publisher.client).await?;
    let stored = now.and_then(|now| read_back(updates, &now));
    stored.map_or(Ok(()), |stored| record_stored(stored, key, locks))
}
