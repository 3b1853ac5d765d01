//! Writes of heartbeats, each of which takes effect once however often it is tried.

use std::cell::Cell;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use dibber_client::publish::{LockFiles, LockKey};
use dibber_client::{Client, ClientError, Intent, Repeat, Unfinished};
use dibber_skill::contract::{
    HEARTBEAT_CREATE, HEARTBEAT_UPDATE, HeartbeatChange, HeartbeatCreate, HeartbeatCreated,
    HeartbeatListItem, HeartbeatUpdate, HeartbeatUpdated,
};

/// Where a heartbeat of `sprout.yaml` is recorded.
pub(super) struct Place<'a> {
    pub(super) key: &'a LockKey,
    /// Its name there.
    pub(super) name: &'a str,
}

impl Place<'_> {
    /// The heartbeat as a subject of the journal.
    pub(super) fn subject(&self) -> String {
        format!("heartbeat `{}` of {}", self.name, self.key.subject())
    }

    /// Records the heartbeat with that id.
    pub(super) fn record(&self, id: &str, locks: &mut LockFiles) -> Result<(), CommandError> {
        locks.record_heartbeat(self.key, self.name, id)?;
        Ok(())
    }
}

/// Makes a heartbeat, and records it if it is one of `sprout.yaml`.
pub(super) fn create(
    create: &HeartbeatCreate,
    place: Option<&Place>,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<HeartbeatCreated, CommandError> {
    let subject = place.map(Place::subject);
    let arguments = serde_json::to_value(create).expect("a heartbeat is an object");
    let intent = Intent {
        subject: subject.as_deref(),
        ..Intent::new(session.server.name(), HEARTBEAT_CREATE, &arguments)
    };
    let is_changed = Cell::new(false);
    let made = session.write(
        &intent,
        async |key| session.client.heartbeat_create(create, key).await,
        async |made| {
            // A heartbeat that was paused or changed since is still the one that was made.
            let item = listed(&made.heartbeat_id, &session.client).await?;
            is_changed.set(item.as_ref().is_some_and(|item| item.cron != create.cron));
            Ok(item.is_some())
        },
        |made| place.map_or(Ok(()), |place| place.record(&made.heartbeat_id, locks)),
    )?;
    if is_changed.get() && place.is_some() {
        let message = "it was made by an interrupted run, and has another schedule by now";
        return Err(CommandError::new(message)
            .help("run the same command again to give it the schedule of sprout.yaml")
            .exit(Exit::BadInput));
    }
    Ok(made)
}

/// Returns the id of the heartbeat that an interrupted run has made: the only one with the name and
/// the schedule that were sent.
pub(super) fn find_made<'a>(
    begun: &Unfinished,
    present: &'a [HeartbeatListItem],
) -> Option<&'a HeartbeatListItem> {
    let sent = &begun.details.as_ref()?.arguments;
    let is_sent = |key: &str, value: &str| sent.get(key).and_then(|it| it.as_str()) == Some(value);
    let mut found =
        present.iter().filter(|item| is_sent("name", &item.name) && is_sent("cron", &item.cron));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Changes a heartbeat. `was` is how the list showed it; none if the list does not have it.
pub(super) fn update(
    update: &HeartbeatUpdate,
    was: Option<&HeartbeatListItem>,
    session: &Session,
) -> Result<HeartbeatUpdated, CommandError> {
    let (subject, base) = (subject(&update.heartbeat_id), was.map(state).unwrap_or_default());
    let arguments = serde_json::to_value(update).expect("an update is an object");
    let intent = Intent {
        subject: Some(&subject),
        base: &base,
        repeat: Repeat::Sets,
        ..Intent::new(session.server.name(), HEARTBEAT_UPDATE, &arguments)
    };
    session.write(
        &intent,
        async |key| session.client.heartbeat_update(update, key).await,
        async |_| {
            let item = listed(&update.heartbeat_id, &session.client).await?;
            Ok(has_effect(update, item.as_ref()))
        },
        |_| Ok(()),
    )
}

/// Returns `true` if a cancel of a heartbeat was begun and has not ended.
pub(super) fn is_cancel_unfinished(id: &str, session: &Session) -> Result<bool, CommandError> {
    let unfinished = session.unfinished()?.remove(&subject(id)).unwrap_or_default();
    let mut writes = unfinished.iter().filter_map(|unfinished| unfinished.details.as_ref());
    Ok(writes.any(|write| write.arguments.get("action") == Some(&"cancel".into())))
}

/// The heartbeat as a subject of the journal.
pub(super) fn subject(heartbeat_id: &str) -> String {
    format!("heartbeat {heartbeat_id}")
}

/// What the list shows of a heartbeat that a change can start from.
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

async fn listed(id: &str, client: &Client) -> Result<Option<HeartbeatListItem>, ClientError> {
    let items = client.all_heartbeats().await?;
    Ok(items.into_iter().find(|item| item.heartbeat_id == id))
}
