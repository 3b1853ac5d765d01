//! Single changes of a heartbeat that exists, each checked against what the server lists then.

use serde::Serialize;
use serde_json::Value;

use super::ended_creation::end_creation;
use crate::client::Client;
use crate::error::ClientError;
use crate::journal::{BegunBy, Intent, Operation, Repeat};
use crate::publish::current_heartbeats::CurrentHeartbeats;
use crate::publish::heartbeat_journal::{end_pause_of_id, heartbeat_subject, state};
use crate::publish::lock_files::LockFiles;
use crate::publish::plan::{HeartbeatKey, ignored_by};
use crate::publish::publisher::{PublishError, Publisher, Written};
use dibber_skill::contract::{
    HEARTBEAT_UPDATE, HeartbeatChange, HeartbeatId, HeartbeatListItem, HeartbeatUpdate,
    HeartbeatUpdated,
};

/// A heartbeat that was changed.
#[derive(Clone, Debug)]
pub struct ChangedHeartbeat {
    /// The outcome, in the words of the server.
    pub status: String,
    /// Whether it was cancelled, and the server lists it all the same, paused.
    pub is_still_listed: bool,
}

/// What a change starts from.
#[derive(Clone, Copy)]
pub(super) struct ChangeStart<'a> {
    /// The heartbeat as it was listed, if it was.
    pub(super) before: Option<&'a HeartbeatListItem>,
    pub(super) begun_by: BegunBy,
    /// What it was found by, if a person has named it.
    pub(super) typed: Option<&'a str>,
}

/// Changes a heartbeat. `before` is the heartbeat as it was listed, if it was, and `typed` what it was
/// found by.
///
/// # Errors
/// If the change fails, the heartbeat was changed on the server since it was listed, or the server
/// answers that it has made the change, and lists something else.
pub async fn update_heartbeat(
    update: &HeartbeatUpdate,
    (before, typed): (Option<&HeartbeatListItem>, &str),
    current: &CurrentHeartbeats<'_>,
    publisher: Publisher<'_>,
) -> Result<ChangedHeartbeat, PublishError> {
    let is_of_members = update.change.target_user_id().is_some();
    if let Some(before) = before.filter(|_| !is_of_members) {
        current.check_unchanged(before).await?;
    }
    let typed = Some(typed);
    let start = ChangeStart { before, begun_by: BegunBy::Command, typed };
    write_and_check(update, start, publisher).await
}

/// Changes a heartbeat, and checks that the server has stored the change.
pub(super) async fn write_and_check(
    update: &HeartbeatUpdate,
    start: ChangeStart<'_>,
    publisher: Publisher<'_>,
) -> Result<ChangedHeartbeat, PublishError> {
    let before = start.before;
    let answer = write_from(update, start, None, publisher).await?.finish()?;
    let mut is_still_listed = false;
    if matches!(update.change, HeartbeatChange::Cancel) {
        end_creation(&update.heartbeat_id, before, publisher)?;
        is_still_listed =
            check_cancelled(&update.heartbeat_id, before, publisher.client).await?.is_some();
    } else if before.is_none_or(|before| before.content_hash.is_none()) {
        check_stored(update, publisher.client).await?;
    }
    if matches!(
        update.change,
        HeartbeatChange::Pause | HeartbeatChange::Resume | HeartbeatChange::Cancel
    ) {
        end_pause_of_id(&update.heartbeat_id, publisher)?;
    }
    Ok(ChangedHeartbeat { status: answer.status, is_still_listed })
}

/// Checks that a change is stored: a server of another make may answer so without having stored it.
/// One that cannot be listed now has still answered.
async fn check_stored(update: &HeartbeatUpdate, client: &Client) -> Result<(), PublishError> {
    let heartbeat_id = update.heartbeat_id.clone();
    let Ok(Some(now)) = find_listed(&heartbeat_id, client).await else { return Ok(()) };
    let fields = ignored_by(&update.change, &now);
    if fields.is_empty() {
        Ok(())
    } else {
        Err(PublishError::IgnoredHeartbeat { heartbeat_id, fields })
    }
}

/// Checks that a heartbeat does not fire any more: a server of another make may answer that it has
/// cancelled it, and keep it. `before` is the heartbeat as it was listed, if it was. Returns it as it
/// is listed now, paused, if it is.
pub(super) async fn check_cancelled(
    id: &HeartbeatId,
    before: Option<&HeartbeatListItem>,
    client: &Client,
) -> Result<Option<HeartbeatListItem>, PublishError> {
    if before.is_some_and(|before| before.content_hash.is_some()) {
        return Ok(None);
    }
    // One that cannot be listed now is compared by the next push.
    match find_listed(id, client).await {
        Ok(Some(now)) if now.enabled => Err(PublishError::NotCancelled(id.clone())),
        now => Ok(now.unwrap_or_default()),
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
    let start = ChangeStart { before: Some(listed), begun_by: BegunBy::Push, typed: None };
    let written = write_from(&update, start, None, publisher).await?;
    let checked = check_cancelled(&listed.heartbeat_id, Some(listed), publisher.client).await;
    if let (Some(key), Ok(_)) = (key, &checked) {
        locks.remove_heartbeat(&key.skill, &listed.heartbeat_id)?;
    }
    written.finish()?;
    checked?;
    Ok(end_pause_of_id(&listed.heartbeat_id, publisher)?)
}

/// Changes a heartbeat. `target` is its content hash after the change, if it is known.
pub(super) async fn write_update(
    update: &HeartbeatUpdate,
    before: Option<&HeartbeatListItem>,
    target: Option<&str>,
    publisher: Publisher<'_>,
) -> Result<Written<HeartbeatUpdated>, PublishError> {
    let start = ChangeStart { before, begun_by: BegunBy::Command, typed: None };
    write_from(update, start, target, publisher).await
}

async fn write_from(
    update: &HeartbeatUpdate,
    ChangeStart { before, begun_by, typed }: ChangeStart<'_>,
    target: Option<&str>,
    publisher: Publisher<'_>,
) -> Result<Written<HeartbeatUpdated>, PublishError> {
    let client = publisher.client;
    let subject = heartbeat_subject(&update.heartbeat_id);
    let (base, arguments) = (before.map(state).unwrap_or_default(), arguments_of(update));
    let intent = Intent {
        subject: Some(&subject),
        base: &base,
        name: typed,
        target,
        repeat: Repeat::Sets,
        begun_by,
        ..Intent::new(publisher.server, HEARTBEAT_UPDATE, &arguments)
    };
    let is_made = async || {
        let item = find_listed(&update.heartbeat_id, client).await?;
        // One that was not listed before does not show that it is cancelled.
        Ok((before.is_some() || item.is_some()) && has_effect(update, item.as_ref()))
    };
    let send = async |operation: &Operation| {
        let (heartbeat_id, status) = (&update.heartbeat_id, "updated");
        let done =
            || HeartbeatUpdated { heartbeat_id: heartbeat_id.clone(), status: status.to_owned() };
        let find = async || Ok(is_made().await?.then(done));
        Box::pin(client.change_or_find((HEARTBEAT_UPDATE, update), operation, find)).await
    };
    let written =
        publisher.write(&intent, send, async |_: &HeartbeatUpdated| is_made().await).await?;
    let (id, answered) = (&update.heartbeat_id, &written.answer.heartbeat_id);
    if answered != id {
        check_effect(update, answered, client).await?;
    }
    Ok(written)
}

/// Checks that a change has taken effect although the answer is about another heartbeat. Otherwise
/// it is not known what has changed, and the write remains in the journal.
async fn check_effect(
    update: &HeartbeatUpdate,
    answered: &HeartbeatId,
    client: &Client,
) -> Result<(), ClientError> {
    let id = &update.heartbeat_id;
    let item = find_listed(id, client).await.map_err(ClientError::with_unknown_outcome)?;
    if has_effect(update, item.as_ref()) {
        return Ok(());
    }
    let cause = format!("it answers with `{answered}` to a change of `{id}`");
    Err(ClientError::OutcomeUnknown(cause))
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

/// Returns a heartbeat as the server lists it now, if it does.
pub(super) async fn find_listed(
    id: &HeartbeatId,
    client: &Client,
) -> Result<Option<HeartbeatListItem>, ClientError> {
    Ok(client.all_heartbeats().await?.require_readable()?.find(id)?.cloned())
}

/// Returns the arguments of a call, as the journal records them.
pub(super) fn arguments_of(call: &impl Serialize) -> Value {
    serde_json::to_value(call).expect("structs of strings are JSON")
}
