//! What interrupted runs have left of heartbeats that are cancelled with a skill.

use std::path::Path;

use crate::publish::heartbeat_journal::{cancelled_ids, heartbeat_subject};
use crate::publish::lock_files::LockFiles;
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::contract::SkillId;

/// The directory whose lock has the records of heartbeats that are cancelled by their ids.
pub(super) const LOCK_DIRECTORY: &str = ".";

/// Removes the records of heartbeats that the server does not list any more: an interrupted run may
/// have ended their cancellations before it has removed them.
pub(super) async fn forget_ended(
    skill_id: &SkillId,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    let directory = Path::new(LOCK_DIRECTORY);
    let mut recorded = locks.heartbeats_of_skill(directory, skill_id)?;
    if recorded.is_empty() {
        return Ok(());
    }
    let listed = publisher.client.all_heartbeats().await?.require_readable()?;
    let ids = || listed.items.iter().map(|item| &item.heartbeat_id);
    recorded.retain(|known| ids().all(|id| *id != known.heartbeat_id));
    recorded.retain(|known| !locks.is_never_listed(known, ids()));
    for known in recorded {
        locks.forget_heartbeat(directory, &known.heartbeat_id)?;
    }
    Ok(())
}

/// Ends the cancellations that interrupted runs have begun, of heartbeats that the server does not
/// list any more. No plan has these heartbeats, so that nothing else would end them.
pub(super) async fn end_cancellations(
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<(), PublishError> {
    let begun = cancelled_ids(&publisher.unfinished()?);
    if begun.is_empty() {
        return Ok(());
    }
    let listed = publisher.client.all_heartbeats().await?.require_readable()?;
    for id in begun {
        if matches!(listed.find(&id), Ok(None)) {
            locks.forget_heartbeat(Path::new(LOCK_DIRECTORY), &id)?;
            publisher.discard_unfinished(&heartbeat_subject(&id))?;
        }
    }
    Ok(())
}
