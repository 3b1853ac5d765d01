//! Creating a heartbeat, once however often it is tried.

use std::cell::Cell;

use super::heartbeat_update::{arguments_of, find_listed};
use crate::client::Client;
use crate::creation::{Created as _, EXISTED_BEFORE};
use crate::error::ClientError;
use crate::journal::{Intent, Operation};
use crate::publish::heartbeat_forms::is_same_cron;
use crate::publish::lock_files::LockFiles;
use crate::publish::plan::{
    ForeignChanges, HeartbeatKey, is_as_sent, new_heartbeats, published_as_sent, read_created,
};
use crate::publish::published::PublishedHeartbeat;
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::contract::{
    ChatId, HEARTBEAT_CREATE, HeartbeatCreate, HeartbeatCreated, HeartbeatId, HeartbeatListItem,
};
use dibber_skill::label::label_key;

/// The outcome of a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HeartbeatOutcome {
    /// It was created, and has this id.
    Created(HeartbeatId),
    /// It was changed.
    Changed,
    /// It was cancelled.
    Cancelled,
    /// Nothing was done.
    Unchanged,
}

/// A heartbeat that is created.
#[derive(Clone, Copy)]
pub(super) struct NewHeartbeat<'a> {
    /// The arguments.
    pub(super) create: &'a HeartbeatCreate,
    /// Where it is recorded, if it is one of `sprout.yaml`.
    pub(super) key: Option<&'a HeartbeatKey>,
    /// The heartbeats that the server has already.
    pub(super) existing: &'a [&'a str],
    /// What happens if an interrupted run has created it, and another writer has cancelled it since.
    pub(super) foreign_changes: ForeignChanges,
    /// The one that it takes the place of, which is cancelled. A server may give its id to the new
    /// one, or list both.
    pub(super) replaced: Option<&'a HeartbeatId>,
}

/// Creates a heartbeat, and records it.
pub(super) async fn create(
    new: NewHeartbeat<'_>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<HeartbeatOutcome, PublishError> {
    let (NewHeartbeat { create, key, existing, .. }, client) = (new, publisher.client);
    let is_own = client.is_server_of_dibber().await?;
    let subject = key.map(HeartbeatKey::subject);
    let arguments = arguments_of(create);
    let intent = Intent {
        subject: subject.as_deref(),
        keeps_arguments: true,
        existing,
        ..Intent::new(publisher.server, HEARTBEAT_CREATE, &arguments)
    };
    let (is_changed, is_cancelled) = (Cell::new(false), Cell::new(false));
    let is_answer_known = Cell::new(false);
    let known = &*locks;
    let send = async |operation: &Operation| {
        if let Some(id) = operation.answered() {
            is_answer_known.set(true);
            return Ok(answer(id.to_owned().into(), ChatId::default(), String::new()));
        }
        let find = async || find_created(new, operation, client, known).await;
        client.create_or_find((HEARTBEAT_CREATE, create), operation, find).await
    };
    let has_effect = async |created: &HeartbeatCreated| {
        // A heartbeat that was paused or changed since is still the one that was created.
        let item = find_listed(&created.heartbeat_id, client).await?;
        // What `sprout.yaml` calls another name is compared by the next push.
        let has_other_name = |item: &HeartbeatListItem| {
            key.is_none() && label_key(&item.name) != label_key(&create.name)
        };
        let is_other = |item: &HeartbeatListItem| {
            !is_same_cron(&create.cron, &item.cron) || has_other_name(item)
        };
        is_changed.set(item.as_ref().is_some_and(is_other));
        if item.is_some() || !client.honours_keys(HEARTBEAT_CREATE).await? {
            return Ok(true);
        }
        // It was created and is gone, unless it was never listed.
        is_cancelled.set(new.foreign_changes == ForeignChanges::Block && !is_answer_known.get());
        Ok(is_cancelled.get())
    };
    let written = publisher.write(&intent, send, has_effect).await?;
    let id = written.answer.heartbeat_id.clone();
    let is_of_other = key.is_some_and(|key| key.is_of_other(&id, locks));
    if written.existed_before(id.as_str()) || is_of_other {
        // A later push would change or cancel it. The write remains in the journal.
        return Err(HeartbeatCreated::other_one(id.as_str(), EXISTED_BEFORE).into());
    }
    if let Some(key) = key {
        let is_unlisted = !is_own && !is_changed.get();
        let heartbeat = PublishedHeartbeat::new(id.clone(), create);
        key.record(PublishedHeartbeat { is_unlisted, ..heartbeat }, locks)?;
    }
    if is_cancelled.get() {
        // From now on, it is compared as one that is recorded; else, the same write finds it again.
        if key.is_some() {
            written.finish()?;
        }
        return Err(PublishError::CancelledSinceCreation(id));
    }
    let is_checked = !is_changed.get() && !is_own;
    let checked = if is_checked { check_created(new, &id, publisher, locks).await } else { Ok(()) };
    if let (None, Err(PublishError::UnlistedHeartbeat { heartbeat_id, .. })) = (key, &checked) {
        // Nothing else records it: the same command must not create another one.
        let entry = Some(written.keep_answer(heartbeat_id.as_str())?);
        return Err(PublishError::UnlistedHeartbeat { heartbeat_id: id, entry });
    }
    written.finish()?;
    if is_changed.get() {
        return Err(PublishError::ChangedSinceCreation(id));
    }
    checked?;
    Ok(HeartbeatOutcome::Created(id))
}

/// Returns the answer to a creation.
const fn answer(
    heartbeat_id: HeartbeatId,
    chat_id: ChatId,
    next_fire_at: String,
) -> HeartbeatCreated {
    HeartbeatCreated { heartbeat_id, chat_id, next_fire_at, ignored_inputs: Vec::new() }
}

/// Returns what an attempt without an answer has created; none if it has created nothing.
///
/// # Errors
/// If it is not known whether it has: to send it again could create a second one.
async fn find_created(
    new: NewHeartbeat<'_>,
    operation: &Operation,
    client: &Client,
    locks: &LockFiles,
) -> Result<Option<HeartbeatCreated>, ClientError> {
    let listed = client.all_heartbeats().await?.require_readable()?;
    let existed = |id: &str| {
        operation.existed_before(id) || new.replaced.is_some_and(|replaced| replaced.as_str() == id)
    };
    let mut found = new_heartbeats(existed, &listed.items, locks);
    let same: Vec<_> = found.extract_if(.., |item| is_as_sent(new.create, item)).collect();
    if let [item] = same[..] {
        let next_fire_at = item.next_run_at.clone().unwrap_or_default();
        return Ok(Some(answer(item.heartbeat_id.clone(), item.chat_id.clone(), next_fire_at)));
    }
    // The server may have stored it in another form, but one that it creates fires: those that are
    // paused were cancelled, and are still listed.
    let in_other_form = found.into_iter().filter(|item| item.enabled);
    let items: Vec<_> =
        same.into_iter().chain(in_other_form).map(|item| item.heartbeat_id.to_string()).collect();
    let ids = listed.items.iter().map(|item| &item.heartbeat_id);
    if items.is_empty() && !locks.has_never_listed(ids) {
        return Ok(None);
    }
    Err(ClientError::MayBeCreated { items, entry: operation.id() })
}

/// Compares a heartbeat that was created with what the server lists: one of another make may have
/// stored it in its own form, or not at all.
async fn check_created(
    new: NewHeartbeat<'_>,
    heartbeat_id: &HeartbeatId,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    let Ok(items) = publisher.client.all_heartbeats().await else {
        // The next push compares it with what was sent.
        let sent = published_as_sent(heartbeat_id.clone(), new.create);
        return record_stored((sent, Vec::new()), new.key, locks);
    };
    let item = items.items.iter().find(|item| item.heartbeat_id == *heartbeat_id);
    let unlisted =
        || PublishError::UnlistedHeartbeat { heartbeat_id: heartbeat_id.clone(), entry: None };
    record_stored(read_created(new.create, item.ok_or_else(unlisted)?), new.key, locks)
}

/// Records a heartbeat as a server of another make has stored it after a write.
///
/// # Errors
/// If it has ignored some fields.
pub(super) fn record_stored(
    (stored, ignored): (PublishedHeartbeat, Vec<&'static str>),
    key: Option<&HeartbeatKey>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    let heartbeat_id = stored.heartbeat_id.clone();
    if let Some(key) = key {
        key.record(stored, locks)?;
    }
    if ignored.is_empty() {
        Ok(())
    } else {
        Err(PublishError::IgnoredHeartbeat { heartbeat_id, fields: ignored })
    }
}
