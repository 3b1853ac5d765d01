//! Writes of heartbeats, each of which takes effect once however often it is tried.

use std::cell::Cell;

use serde::Serialize;
use serde_json::Value;

use crate::client::Client;
use crate::error::{ClientError, JournalError};
use crate::journal::{Intent, Repeat};
use crate::key::IdempotencyKey;
use crate::publish::lock_files::LockFiles;
use crate::publish::plan::{
    HeartbeatCreation, HeartbeatEdit, HeartbeatKey, HeartbeatStep, HeartbeatUnchanged, Step,
};
use crate::publish::publisher::{PublishError, Publisher};
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
    /// Nothing was done.
    Unchanged,
}

/// Carries out the step of one heartbeat, and records it.
pub async fn apply_heartbeat<B>(
    step: &HeartbeatStep<B>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<HeartbeatOutcome, PublishError> {
    match step {
        Step::Create(creation) => create(creation, publisher, locks).await,
        Step::Update(HeartbeatEdit { updates, listed, .. }) => {
            for update in updates {
                update_heartbeat(update, Some(listed), publisher).await?;
            }
            Ok(HeartbeatOutcome::Changed)
        }
        Step::Unchanged(HeartbeatUnchanged { id, .. }) => {
            publisher.discard_unfinished(&heartbeat_subject(id))?;
            Ok(HeartbeatOutcome::Unchanged)
        }
        Step::Blocked(_) => Ok(HeartbeatOutcome::Unchanged),
    }
}

async fn create(
    creation: &HeartbeatCreation,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<HeartbeatOutcome, PublishError> {
    let HeartbeatCreation { create, key, .. } = creation;
    let client = publisher.client;
    let subject = key.as_ref().map(HeartbeatKey::subject);
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
        key.record(&written.answer.heartbeat_id, locks)?;
    }
    let id = written.finish()?.heartbeat_id;
    Ok(if has_other_schedule.get() && key.is_some() {
        HeartbeatOutcome::CreatedBefore(id)
    } else {
        HeartbeatOutcome::Created(id)
    })
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
    let client = publisher.client;
    let subject = heartbeat_subject(&update.heartbeat_id);
    let base = before.map(state).unwrap_or_default();
    let arguments = arguments_of(update);
    let intent = Intent {
        subject: Some(&subject),
        base: &base,
        repeat: Repeat::Sets,
        ..Intent::new(publisher.server, HEARTBEAT_UPDATE, &arguments)
    };
    let send = async |key: &IdempotencyKey| client.heartbeat_update(update, key).await;
    let has_effect = async |_: &HeartbeatUpdated| {
        let item = listed(&update.heartbeat_id, client).await?;
        Ok(has_effect(update, item.as_ref()))
    };
    Ok(publisher.write(&intent, send, has_effect).await?.finish()?)
}

/// Returns `true` if a cancellation of a heartbeat was begun and has not ended.
pub fn is_cancel_unfinished(
    id: &HeartbeatId,
    publisher: Publisher<'_>,
) -> Result<bool, JournalError> {
    let unfinished = publisher.unfinished()?.remove(&heartbeat_subject(id)).unwrap_or_default();
    let mut writes = unfinished.iter().filter_map(|unfinished| unfinished.details.as_ref());
    Ok(writes.any(|write| write.arguments.get("action") == Some(&"cancel".into())))
}

/// Returns a heartbeat as a subject of the journal.
pub fn heartbeat_subject(id: &HeartbeatId) -> String {
    format!("heartbeat {id}")
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
