//! Writes of heartbeats, each of which takes effect once however often it is tried.

use std::cell::Cell;

use serde::Serialize;
use serde_json::Value;

use crate::client::Client;
use crate::error::ClientError;
use crate::journal::{Intent, Repeat};
use crate::key::IdempotencyKey;
use crate::publish::heartbeat_journal::heartbeat_subject;
use crate::publish::lock_files::LockFiles;
use crate::publish::plan::{
    HeartbeatCreation, HeartbeatEdit, HeartbeatKey, HeartbeatStep, PlannedHeartbeat, published,
};
use crate::publish::published::PublishedHeartbeat;
use crate::publish::publisher::{PublishError, Publisher, Written};
use dibber_skill::contract::{
    HEARTBEAT_CREATE, HEARTBEAT_UPDATE, HeartbeatChange, HeartbeatCreated, HeartbeatId,
    HeartbeatListItem, HeartbeatUpdate, HeartbeatUpdated,
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
            if let Some(replaced) = &creation.replaced {
                cancel(replaced, key, publisher, locks).await?;
            }
            create(creation, key, publisher, locks).await
        }
        HeartbeatStep::Update(edit) => {
            update(edit, key, publisher, locks).await?;
            Ok(HeartbeatOutcome::Changed)
        }
        HeartbeatStep::Cancel(listed) => {
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

async fn create(
    HeartbeatCreation { create, .. }: &HeartbeatCreation,
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
        key.record(published(&written.answer.heartbeat_id, create), locks)?;
    }
    let id = written.finish()?.heartbeat_id;
    Ok(if has_other_schedule.get() && key.is_some() {
        HeartbeatOutcome::CreatedBefore(id)
    } else {
        HeartbeatOutcome::Created(id)
    })
}

/// Makes the changes of a heartbeat, one after the other, and records each.
async fn update(
    edit: &HeartbeatEdit,
    key: Option<&HeartbeatKey>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    let HeartbeatEdit { updates, listed, .. } = edit;
    for (update, content_hash) in updates {
        let written =
            write_update(update, Some(listed), Some(content_hash.as_str()), publisher).await?;
        if let Some(key) = key {
            let heartbeat_id = listed.heartbeat_id.clone();
            let content_hash = Some(content_hash.clone());
            key.record(PublishedHeartbeat { heartbeat_id, content_hash }, locks)?;
        }
        written.finish()?;
    }
    Ok(())
}

/// Cancels a heartbeat for good, and removes its record.
pub(super) async fn cancel(
    listed: &HeartbeatListItem,
    key: Option<&HeartbeatKey>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    let heartbeat_id = listed.heartbeat_id.clone();
    let update = HeartbeatUpdate { heartbeat_id, change: HeartbeatChange::Cancel };
    let written = write_update(&update, Some(listed), None, publisher).await?;
    if let Some(key) = key {
        locks.remove_heartbeat(&key.skill, &listed.heartbeat_id)?;
    }
    written.finish()?;
    Ok(())
}

/// Returns the arguments of a call, as the journal records them.
fn arguments_of(call: &impl Serialize) -> Value {
    serde_json::to_value(call).expect("structs of strings are JSON")
}

/// Changes a heartbeat. `before` is the heartbeat as it was listed, if it was.
pub async fn update_heartbeat(
    update: &HeartbeatUpdate,
    before: Option<&HeartbeatListItem>,
    publisher: Publisher<'_>,
) -> Result<HeartbeatUpdated, PublishError> {
    Ok(write_update(update, before, None, publisher).await?.finish()?)
}

/// Changes a heartbeat. `target` is its content hash after the change, if it is known.
async fn write_update(
    update: &HeartbeatUpdate,
    before: Option<&HeartbeatListItem>,
    target: Option<&str>,
    publisher: Publisher<'_>,
) -> Result<Written<HeartbeatUpdated>, PublishError> {
    let client = publisher.client;
    let subject = heartbeat_subject(&update.heartbeat_id);
    let base = before.map(state).unwrap_or_default();
    let arguments = arguments_of(update);
    let intent = Intent {
        subject: Some(&subject),
        base: &base,
        target,
        repeat: Repeat::Sets,
        ..Intent::new(publisher.server, HEARTBEAT_UPDATE, &arguments)
    };
    let send = async |key: &IdempotencyKey| client.heartbeat_update(update, key).await;
    let has_effect = async |_: &HeartbeatUpdated| {
        let item = listed(&update.heartbeat_id, client).await?;
        Ok(has_effect(update, item.as_ref()))
    };
    publisher.write(&intent, send, has_effect).await
}

/// Returns what the list shows of a heartbeat that a change can start from.
fn state(item: &HeartbeatListItem) -> String {
    let HeartbeatListItem { name, cron, cadence_text, enabled, .. } = item;
    serde_json::json!([name, cron, cadence_text, enabled]).to_string()
}

/// Returns `true` if a heartbeat is visibly in the state that an update leads to. What the list
/// does not show, such as the members, is set again.
fn has_effect(update: &HeartbeatUpdate, item: Option<&HeartbeatListItem>) -> bool {
    match (&update.change, item) {
        (HeartbeatChange::Cancel, item) => item.is_none(),
        (HeartbeatChange::Pause, Some(item)) => !item.enabled,
        (HeartbeatChange::Resume, Some(item)) => item.enabled,
        (HeartbeatChange::EditName { name }, Some(item)) => *name == item.name,
        _ => false,
    }
}

async fn listed(
    id: &HeartbeatId,
    client: &Client,
) -> Result<Option<HeartbeatListItem>, ClientError> {
    let items = client.all_heartbeats().await?.items;
    Ok(items.into_iter().find(|item| item.heartbeat_id == *id))
}
