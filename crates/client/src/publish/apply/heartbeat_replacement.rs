//! Replacing a heartbeat whose differences no change can make, and keeping it paused.

use super::heartbeat_creation::{HeartbeatOutcome, NewHeartbeat, create};
use super::heartbeat_update::{ChangeStart, cancel, write_and_check};
use crate::error::ClientError;
use crate::journal::BegunBy;
use crate::publish::heartbeat_journal::{begin_pause, check_no_creation_in_flight};
use crate::publish::lock_files::LockFiles;
use crate::publish::plan::{HeartbeatCreation, HeartbeatKey, as_it_was};
use crate::publish::publisher::{PublishError, Publisher};
use dibber_skill::contract::{
    HEARTBEAT_CREATE, HeartbeatChange, HeartbeatId, HeartbeatListItem, HeartbeatUpdate,
};

/// Creates a heartbeat, which may take the place of another one, or be paused then.
///
/// The pause is in the journal before anything is cancelled: what an interrupted run has created
/// fires until the next one has paused it.
pub(super) async fn create_or_replace(
    creation: &HeartbeatCreation,
    key: Option<&HeartbeatKey>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<HeartbeatOutcome, PublishError> {
    let HeartbeatCreation { create: wanted, replaced, existing, .. } = creation;
    let replaced = replaced.as_deref();
    let is_other =
        |id: &&HeartbeatId| replaced.is_none_or(|replaced| replaced.heartbeat_id != **id);
    let existing: Vec<_> = existing.iter().filter(is_other).map(HeartbeatId::as_str).collect();
    let replaced_id = replaced.map(|replaced| &replaced.heartbeat_id);
    let new = NewHeartbeat {
        create: wanted,
        key,
        existing: &existing,
        foreign_changes: creation.foreign_changes,
        replaced: replaced_id,
    };
    if !publisher.client.honours_keys(HEARTBEAT_CREATE).await? {
        let own = key.map(HeartbeatKey::subject);
        check_no_creation_in_flight(wanted, own.as_deref(), publisher)?;
    }
    let pause = key.filter(|_| creation.is_paused).map(HeartbeatKey::subject);
    let pause = pause.as_deref();
    if let Some(pause) = pause {
        begin_pause(pause, None, publisher)?;
    }
    let created = match replaced {
        Some(replaced) => Box::pin(replace(replaced, new, pause, publisher, locks)).await?,
        None => Box::pin(create(new, publisher, locks)).await?,
    };
    if let (Some(subject), HeartbeatOutcome::Created(id)) = (pause, &created) {
        let paused = Box::pin(pause_created(id, subject, publisher)).await;
        paused.map_err(|cause| {
            let (created, cause) = (id.clone(), Box::new(cause));
            PublishError::NotPaused { created, cause }
        })?;
    }
    Ok(created)
}

/// Cancels a heartbeat and creates the one that takes its place. If that is refused, the old one is
/// created again, as far as the server lists what it was. `pause` is the heartbeat in the journal if
/// it is to be paused.
async fn replace(
    replaced: &HeartbeatListItem,
    new: NewHeartbeat<'_>,
    pause: Option<&str>,
    publisher: Publisher<'_>,
    locks: &mut LockFiles,
) -> Result<HeartbeatOutcome, PublishError> {
    cancel(replaced, new.key, publisher, locks).await?;
    let cause = match Box::pin(create(new, publisher, locks)).await {
        // It was created, in whatever form.
        Err(
            cause @ (PublishError::IgnoredHeartbeat { .. }
            | PublishError::UnlistedHeartbeat { .. }
            | PublishError::ChangedSinceCreation(_)
            | PublishError::CancelledSinceCreation(_)),
        ) => return Err(cause),
        Err(cause) => Box::new(cause),
        created => return created,
    };
    let old = as_it_was(new.create, replaced).filter(|_| is_refusal(&cause));
    let restored = match &old {
        Some(old) => {
            Some(Box::pin(create(NewHeartbeat { create: old, ..new }, publisher, locks)).await)
        }
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
    let paused = match pause {
        Some(subject) => Box::pin(pause_created(&heartbeat_id, subject, publisher)).await,
        None => Ok(()),
    };
    let not_paused = paused.err().map(Box::new);
    Err(PublishError::Restored { heartbeat_id, not_paused, cause })
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

/// Pauses a heartbeat that was created. `subject` is that of its creation in the journal.
async fn pause_created(
    id: &HeartbeatId,
    subject: &str,
    publisher: Publisher<'_>,
) -> Result<(), PublishError> {
    begin_pause(subject, Some(id), publisher)?;
    let pause = HeartbeatUpdate { heartbeat_id: id.clone(), change: HeartbeatChange::Pause };
    let start = ChangeStart { before: None, begun_by: BegunBy::Command, typed: None };
    write_and_check(&pause, start, publisher).await.map(drop)
}
