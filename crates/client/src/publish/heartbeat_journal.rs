//! The writes of heartbeats in the journal.

use std::collections::BTreeMap;

use super::heartbeat_forms::is_same_name;
use super::publisher::{PublishError, Publisher};
use crate::error::{ClientError, JournalError};
use crate::journal::{BegunBy, Intent, Repeat, Unfinished, UnfinishedDetails};
use crate::late_effect::seconds_in_flight;
use dibber_skill::contract::{
    HEARTBEAT_CREATE, HEARTBEAT_UPDATE, HeartbeatChange, HeartbeatCreate, HeartbeatId,
    HeartbeatListItem, HeartbeatUpdate, SkillId,
};
use dibber_text::escape_line;

/// What the state ends with that the cancellation of a push starts from, in the entries of earlier
/// versions.
const OF_PUSH: &str = "push";

/// Returns a heartbeat as a subject of the journal.
pub(super) fn heartbeat_subject(id: &HeartbeatId) -> String {
    format!("heartbeat {id}")
}

/// Returns `true` if a cancellation of a heartbeat was begun and has not ended.
pub fn is_cancel_unfinished(
    id: &HeartbeatId,
    publisher: Publisher<'_>,
) -> Result<bool, JournalError> {
    let unfinished = publisher.unfinished()?.remove(&heartbeat_subject(id)).unwrap_or_default();
    Ok(unfinished.iter().any(is_cancellation))
}

/// Returns `true` if a write cancels a heartbeat.
pub(super) fn is_cancellation(unfinished: &Unfinished) -> bool {
    argument(unfinished, "action") == Some("cancel")
}

/// Returns `true` if a write cancels a heartbeat, and a push has begun it: to make another one in its
/// place, or as `sprout.yaml` does not contain it.
pub(super) fn is_cancellation_of_push(unfinished: &Unfinished) -> bool {
    is_cancellation(unfinished) && unfinished.details.as_ref().is_some_and(is_of_push)
}

/// Returns `true` if a push has begun a change of a heartbeat.
fn is_of_push(details: &UnfinishedDetails) -> bool {
    let parts = || serde_json::from_str::<Vec<serde_json::Value>>(&details.base);
    details.begun_by == BegunBy::Push
        || parts().is_ok_and(|parts| parts.last().is_some_and(|last| last == OF_PUSH))
}

/// Returns the heartbeats of which a cancellation was begun and has not ended.
pub(super) fn cancelled_ids(unfinished: &BTreeMap<String, Vec<Unfinished>>) -> Vec<HeartbeatId> {
    let cancelled = unfinished.values().flatten().filter(|write| is_cancellation(write));
    let ids = cancelled.filter_map(|write| argument(write, "heartbeatId"));
    ids.map(|id| HeartbeatId::from(id.to_owned())).collect()
}

/// Returns an argument of a write.
fn argument<'a>(write: &'a Unfinished, name: &str) -> Option<&'a str> {
    write.details.as_ref()?.arguments.get(name)?.as_str()
}

/// A change of a heartbeat that was begun and has not ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InterruptedChange {
    /// The heartbeat.
    pub heartbeat_id: HeartbeatId,
    /// Its name as it was listed before.
    pub name: String,
    /// Whether a push has begun it, and not a command that names the heartbeat.
    pub is_of_push: bool,
    /// The id of its entry in the journal.
    pub entry: String,
}

/// Returns the change that was begun with one of `changes` and has not ended, of the heartbeat with this
/// id or name, in any case, or that was typed in the same way then. None if there are several
/// heartbeats.
pub fn find_interrupted_change(
    typed: &str,
    changes: &[HeartbeatChange],
    publisher: Publisher<'_>,
) -> Result<Option<InterruptedChange>, JournalError> {
    let unfinished = publisher.unfinished()?;
    let begun = unfinished.values().flatten().filter_map(|write| {
        let details = write.details.as_ref().filter(|write| write.tool == HEARTBEAT_UPDATE)?;
        let heartbeat_id = HeartbeatId::from(argument(write, "heartbeatId")?.to_owned());
        let is_typed_again = details.name.as_deref() == Some(typed);
        let name = state_name(&details.base);
        let name = name.or_else(|| is_typed_again.then(|| typed.to_owned()))?;
        let is_it = is_typed_again || heartbeat_id.as_str() == typed || is_same_name(typed, &name);
        let is_same = |change: &HeartbeatChange| {
            let (heartbeat_id, change) = (heartbeat_id.clone(), change.clone());
            let sent = serde_json::json!(HeartbeatUpdate { heartbeat_id, change });
            sent.as_object() == Some(&details.arguments)
        };
        let is_same = is_it && changes.iter().any(is_same);
        let (is_of_push, entry) = (is_of_push(details), write.id.clone());
        is_same.then_some(InterruptedChange { heartbeat_id, name, is_of_push, entry })
    });
    let mut found: Vec<_> = begun.collect();
    found.dedup_by(|a, b| a.heartbeat_id == b.heartbeat_id);
    Ok(if found.len() == 1 { found.pop() } else { None })
}

/// Fails if another write was to create a heartbeat of the same name for the same skill, and may still
/// take effect: this one could be a second one. `own` is the subject of this one.
pub(super) fn check_no_creation_in_flight(
    create: &HeartbeatCreate,
    own: Option<&str>,
    publisher: Publisher<'_>,
) -> Result<(), PublishError> {
    let now = (publisher.clock)();
    for (subject, writes) in publisher.unfinished()? {
        let others = writes.iter().filter(|_| own != Some(&*subject));
        for write in others.filter(|write| creates_same_name(write, create)) {
            let sent = write.details.as_ref().map(|details| details.sent);
            if let Some(seconds) = sent.and_then(|sent| seconds_in_flight(now.duration_since(sent)))
            {
                let name = escape_line(&create.name);
                let cause = format!("another run has sent `{name}` {seconds} s ago");
                return Err(ClientError::MayBeCreatedLater(cause).into());
            }
        }
    }
    Ok(())
}

/// Returns `true` if a write creates a heartbeat of this name for the same skill.
fn creates_same_name(write: &Unfinished, create: &HeartbeatCreate) -> bool {
    creates_for(write, &create.run_skill_id)
        && argument(write, "name").is_some_and(|name| is_same_name(name, &create.name))
}

/// Returns `true` if a write creates a heartbeat that runs this skill.
pub(super) fn creates_for(write: &Unfinished, skill: &SkillId) -> bool {
    let is_creation = write.details.as_ref().is_some_and(|write| write.tool == HEARTBEAT_CREATE);
    is_creation && argument(write, "runSkillId") == Some(skill.as_str())
}

/// Returns what the list shows of a heartbeat that a change can start from.
pub(super) fn state(item: &HeartbeatListItem) -> String {
    let HeartbeatListItem { name, cron, cadence_text, enabled, .. } = item;
    serde_json::json!([name, cron, cadence_text, enabled]).to_string()
}

/// Returns the name of a heartbeat in such a state.
fn state_name(state: &str) -> Option<String> {
    let parts: Vec<serde_json::Value> = serde_json::from_str(state).ok()?;
    parts.first()?.as_str().map(str::to_owned)
}

/// What the subjects of pauses begin with.
const PAUSE: &str = "pause of ";

/// Returns the pause of a heartbeat that takes the place of a paused one as a subject of the journal.
/// `heartbeat` is the subject of its creation.
fn pause_subject(heartbeat: &str) -> String {
    format!("{PAUSE}{heartbeat}")
}

/// Begins the pause of a heartbeat that takes the place of a paused one, before that is cancelled, and
/// again when the new one has an id. Until it ends, every plan leads to a paused heartbeat: of that
/// id, or else of that subject.
pub(super) fn begin_pause(
    heartbeat: &str,
    id: Option<&HeartbeatId>,
    publisher: Publisher<'_>,
) -> Result<(), JournalError> {
    let subject = pause_subject(heartbeat);
    let arguments = match id {
        Some(id) => serde_json::json!({"heartbeatId": id, "action": "pause"}),
        None => serde_json::json!({"action": "pause"}),
    };
    let intent = Intent {
        subject: Some(&subject),
        repeat: Repeat::Never,
        ..Intent::new(publisher.server, HEARTBEAT_UPDATE, &arguments)
    };
    publisher.journal.begin(&intent, (publisher.clock)()).map(drop)
}

/// Returns `true` if a heartbeat is still to be paused. `heartbeat` is the subject of its creation,
/// `id` that of the one that exists.
pub(super) fn is_pause_unfinished(
    unfinished: &BTreeMap<String, Vec<Unfinished>>,
    heartbeat: &str,
    id: Option<&HeartbeatId>,
) -> bool {
    let is_it = |(subject, pause): (&str, &Unfinished)| match paused_id(pause) {
        Some(paused) => id.is_some_and(|id| id.as_str() == paused),
        None => subject == pause_subject(heartbeat),
    };
    pauses(unfinished).any(is_it)
}

/// Ends the pause that was begun for the creation of this subject.
pub(super) fn end_pause(heartbeat: &str, publisher: Publisher<'_>) -> Result<(), JournalError> {
    publisher.discard_unfinished(&pause_subject(heartbeat))
}

/// Ends the writes of a heartbeat that is in the wanted state already.
pub fn end_heartbeat_writes(
    id: &HeartbeatId,
    publisher: Publisher<'_>,
) -> Result<(), JournalError> {
    publisher.discard_unfinished(&heartbeat_subject(id))?;
    end_pause_of_id(id, publisher)
}

/// Ends the pause of a heartbeat that was paused, resumed or cancelled since.
pub(super) fn end_pause_of_id(
    id: &HeartbeatId,
    publisher: Publisher<'_>,
) -> Result<(), JournalError> {
    let unfinished = publisher.unfinished()?;
    let mut ended = pauses(&unfinished).filter(|(_, pause)| paused_id(pause) == Some(id.as_str()));
    ended.try_for_each(|(_, pause)| publisher.journal.discard(pause))
}

/// Returns the pauses among unfinished writes, with their subjects.
fn pauses(
    unfinished: &BTreeMap<String, Vec<Unfinished>>,
) -> impl Iterator<Item = (&str, &Unfinished)> {
    let pauses = unfinished.iter().filter(|(subject, _)| subject.starts_with(PAUSE));
    pauses.flat_map(|(subject, begun)| begun.iter().map(|pause| (subject.as_str(), pause)))
}

/// Returns the id of the heartbeat of a pause, if it was known then.
fn paused_id(pause: &Unfinished) -> Option<&str> {
    argument(pause, "heartbeatId")
}
