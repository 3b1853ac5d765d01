//! Writes of heartbeats, each of which takes effect once however often it is tried.

use std::cell::Cell;

use super::heartbeat_update::{
    arguments_of, check_cancelled, listed, update_heartbeat, write_update,
};
use crate::error::ClientError;
use crate::journal::Intent;
use crate::key::IdempotencyKey;
use crate::publish::heartbeat_journal::heartbeat_subject;
use crate::publish::lock_files::LockFiles;
use crate::publish::plan::{
    HeartbeatCreation, HeartbeatEdit, HeartbeatKey, HeartbeatStep, PlannedHeartbeat, as_it_was,
    read_back, read_created,
};
use crate::publish::published::PublishedHeartbeat;
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::contract::{
    HEARTBEAT_CREATE, HeartbeatChange, HeartbeatCreate, HeartbeatCreated, HeartbeatId,
    HeartbeatListItem, HeartbeatUpdate,
};

/// The outcome of a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeartbeatOutcome {
    /// It was created, and has this id.
    Created(HeartbeatId),
    /// It was created by an interrupted run, and has another schedule by now.
    CreatedBefore(HeartbeatId),
    /// It was changed.
    Changed,
    /// It was cancelled.
    Cancelled,
    /// Nothing was done.
    Unchanged,
}

/// Carries out the step of one heartbeat, and records it.
pub async fn apply_heartbeat<B>(
    planned: &PlannedHeartbeat<B>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<HeartbeatOutcome, PublishError> {
    let key = planned.key.as_ref();
    match &planned.step {
        HeartbeatStep::Create(creation) => {
            let Some(replaced) = &creation.replaced else {
                return Box::pin(create(&creation.create, key, publisher, locks)).await;
            };
            let created =
                Box::pin(replace(replaced, &creation.create, key, publisher, locks)).await?;
            Box::pin(keep_paused(creation, &created, publisher)).await?;
            Ok(created)
        }
        HeartbeatStep::Update(edit) => {
            Box::pin(update(edit, key, publisher, locks)).await?;
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
            publisher.discard_unfinished(&heartbeat_subject(&unchanged.listed.heartbeat_id))?;
            Ok(HeartbeatOutcome::Unchanged)
        }
        HeartbeatStep::Blocked(_) => Ok(HeartbeatOutcome::Unchanged),
    }
}

/// Cancels a heartbeat and creates the one that takes its place. If that is refused, the old one is
/// created again, as far as the server lists what it was.
async fn replace(
    replaced: &HeartbeatListItem,
    wanted: &HeartbeatCreate,
    key: Option<&HeartbeatKey>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<HeartbeatOutcome, PublishError> {
    cancel(replaced, key, publisher, locks).await?;
    let cause = match Box::pin(create(wanted, key, publisher, locks)).await {
        // It was created, in whatever form.
        Err(
            cause @ (PublishError::IgnoredHeartbeat { .. } | PublishError::UnlistedHeartbeat(_)),
        ) => return Err(cause),
        Err(cause) => Box::new(cause),
        created => return created,
    };
    let old = as_it_was(wanted, replaced).filter(|_| is_refusal(&cause));
    let restored = match &old {
        Some(old) => Some(Box::pin(create(old, key, publisher, locks)).await),
        None => None,
    };
    let Some(
        Ok(HeartbeatOutcome::Created(heartbeat_id))
        | Err(PublishError::IgnoredHeartbeat { heartbeat_id, .. }),
    ) = restored
    else {
        let cancelled = replaced.heartbeat_id.clone();
        return Err(PublishError::NotReplaced { cancelled, cause });
    };
    if !replaced.enabled {
        let (heartbeat_id, change) = (heartbeat_id.clone(), HeartbeatChange::Pause);
        let pause = HeartbeatUpdate { heartbeat_id, change };
        Box::pin(update_heartbeat(&pause, None, publisher)).await?;
    }
    Err(PublishError::Restored { heartbeat_id, cause })
}

/// Returns `true` if a write has failed for certain, and was not carried out.
const fn is_refusal(error: &PublishError) -> bool {
    matches!(
        error,
        PublishError::Call(
            ClientError::Refused(_)
                | ClientError::Rejected(_)
                | ClientError::Failed { may_have_applied: false, .. }
        )
    )
}

async fn create(
    create: &HeartbeatCreate,
    key: Option<&HeartbeatKey>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<HeartbeatOutcome, PublishError> {
    let client = publisher.client;
    let subject = key.map(HeartbeatKey::subject);
    let arguments = arguments_of(create);
    let intent = Intent {
        subject: subject.as_deref(),
        ..Intent::new(publisher.server, HEARTBEAT_CREATE, &arguments)
    };
    let has_other_schedule = Cell::new(false);
    let send = async |key: &IdempotencyKey| client.heartbeat_create(create, key).await;
    let has_effect = async |created: &HeartbeatCreated| {
        // A heartbeat that was paused or changed since is still the one that was created.
        let item = listed(&created.heartbeat_id, client).await?;
        has_other_schedule.set(item.as_ref().is_some_and(|item| item.cron != create.cron));
        Ok(item.is_some())
    };
    let written = publisher.write(&intent, send, has_effect).await?;
    if let Some(key) = key {
        let heartbeat_id = written.answer.heartbeat_id.clone();
        key.record(PublishedHeartbeat::new(heartbeat_id, create), locks)?;
    }
    let id = written.finish()?.heartbeat_id;
    if has_other_schedule.get() && key.is_some() {
        return Ok(HeartbeatOutcome::CreatedBefore(id));
    }
    if !has_other_schedule.get() && !client.is_server_of_dibber().await? {
        check_created(create, &id, key, publisher, locks).await?;
    }
    Ok(HeartbeatOutcome::Created(id))
}

/// Compares a heartbeat that was created with what the server lists: one of another make may have
/// stored it in its own form, or not at all.
async fn check_created(
    create: &HeartbeatCreate,
    heartbeat_id: &HeartbeatId,
    key: Option<&HeartbeatKey>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    // One that cannot be listed now is compared by the next push.
    let Ok(items) = publisher.client.all_heartbeats().await else { return Ok(()) };
    let item = items.items.iter().find(|item| item.heartbeat_id == *heartbeat_id);
    let heartbeat_id = heartbeat_id.clone();
    let Some(item) = item else { return Err(PublishError::UnlistedHeartbeat(heartbeat_id)) };
    let (left, fields) = read_created(create, item);
    if let Some(key) = key {
        key.record(left, locks)?;
    }
    if fields.is_empty() {
        Ok(())
    } else {
        Err(PublishError::IgnoredHeartbeat { heartbeat_id, fields })
    }
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
    let heartbeat_id = listed.heartbeat_id.clone();
    let Some(now) = self::listed(&heartbeat_id, publisher.client).await? else { return Ok(()) };
    let (left, fields) = read_back(updates, &now);
    if let (Some(key), Some(left)) = (key, left) {
        key.record(left, locks)?;
    }
    if fields.is_empty() {
        Ok(())
    } else {
        Err(PublishError::IgnoredHeartbeat { heartbeat_id, fields })
    }
}

/// Cancels a heartbeat for good, and removes its record, unless the server still has it.
pub(super) async fn cancel(
    listed: &HeartbeatListItem,
    key: Option<&HeartbeatKey>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    let heartbeat_id = listed.heartbeat_id.clone();
    let update = HeartbeatUpdate { heartbeat_id, change: HeartbeatChange::Cancel };
    let written = write_update(&update, Some(listed), None, publisher).await?;
    let checked = check_cancelled(&listed.heartbeat_id, Some(listed), publisher.client).await;
    if let (Some(key), Ok(())) = (key, &checked) {
        locks.remove_heartbeat(&key.skill, &listed.heartbeat_id)?;
    }
    written.finish()?;
    checked
}

/// Pauses a heartbeat that was created in the place of a paused one.
async fn keep_paused(
    creation: &HeartbeatCreation,
    outcome: &HeartbeatOutcome,
    publisher: Publisher<'_>,
) -> Result<(), PublishError> {
    let HeartbeatOutcome::Created(created) = outcome else { return Ok(()) };
    if creation.replaced.as_ref().is_none_or(|replaced| replaced.enabled) {
        return Ok(());
    }
    let (heartbeat_id, created) = (created.clone(), created.clone());
    let pause = HeartbeatUpdate { heartbeat_id, change: HeartbeatChange::Pause };
    let paused = update_heartbeat(&pause, None, publisher).await;
    paused.map_err(|cause| PublishError::NotPaused { created, cause: Box::new(cause) })?;
    Ok(())
}
