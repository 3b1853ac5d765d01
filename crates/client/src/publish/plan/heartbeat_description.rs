//! What a server says of a heartbeat before it is changed.
//!
//! Servers of another make may describe new heartbeats only, or in other words than they list. A
//! heartbeat that was not changed is up to date all the same.

use super::heartbeat_content::{is_recorded_words, schedule};
use crate::client::Client;
use crate::error::ClientError;
use crate::publish::published::PublishedHeartbeat;
use dibber_skill::contract::{
    DescribedWarning, ErrorCode, HeartbeatCreate, HeartbeatDescription, HeartbeatListItem,
    HeartbeatUpdate, HeartbeatWarning,
};

/// Returns `true` if the server says the same of the schedule as it did, where it does not list the
/// time zone. What is recorded decides: it is not the same if the server describes the recorded
/// schedule as it did, and lists other words now. Words that it describes otherwise, too, may change
/// by themselves. Without a record, the words and the next fire that it describes decide.
pub(super) async fn has_same_words(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
    known: Option<&PublishedHeartbeat>,
    client: &Client,
) -> Result<bool, ClientError> {
    if listed.tz.is_some()
        || known.is_some_and(|known| is_recorded_words(&listed.cadence_text, known))
    {
        return Ok(true);
    }
    let description = match client.describe_update(&schedule(create, listed)).await {
        Err(error) if known.is_some() && may_not_describe(&error, listed) => return Ok(true),
        description => description?,
    };
    if let Some(known) = known.filter(|known| known.fields.contains_key("tz")) {
        return Ok(!is_recorded_words(&description.cadence_text, known));
    }
    Ok(fires_alike(&description, listed))
}

fn fires_alike(description: &HeartbeatDescription, listed: &HeartbeatListItem) -> bool {
    description.cadence_text == listed.cadence_text
        && (!listed.enabled || description.next_fire_at == listed.next_run_at)
}

/// What a server that does not list which skill a heartbeat runs says of it in a description.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum DescribedRun {
    /// It runs the skill of the one that it is compared with, at the same times.
    Same,
    /// It runs at the same times. Which skill is not known.
    Unknown,
    /// It runs another skill, or at other times.
    Other,
}

/// Compares a heartbeat with what the server says of a listed one that has its name and schedule.
pub(super) async fn described_run(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
    client: &Client,
) -> Result<DescribedRun, ClientError> {
    let (description, is_of_listed) = match client.describe_update(&schedule(create, listed)).await
    {
        Err(error) if may_not_describe(&error, listed) => {
            (client.describe_create(create).await?, false)
        }
        description => (description?, true),
    };
    let skill_id = &description.preview.skill_id;
    Ok(if listed.tz.is_none() && !fires_alike(&description, listed) {
        DescribedRun::Other
    } else if !is_of_listed || skill_id.as_str().is_empty() {
        DescribedRun::Unknown
    } else if *skill_id == create.run_skill_id {
        DescribedRun::Same
    } else {
        DescribedRun::Other
    })
}

/// Returns what the server says of a heartbeat as it is after a change; of one that describes new
/// heartbeats only, what it says of one like that.
pub(super) async fn describe(
    update: &HeartbeatUpdate,
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
    client: &Client,
) -> Result<HeartbeatDescription, ClientError> {
    let error = match client.describe_update(update).await {
        Err(error) if may_not_describe(&error, listed) => error,
        description => return description,
    };
    let mut description = client.describe_create(create).await.map_err(|_| error)?;
    // They are about the heartbeat itself.
    let is_own = |warning: &DescribedWarning| {
        let own = [HeartbeatWarning::AlreadyAssigned, HeartbeatWarning::Duplicate];
        matches!(warning, DescribedWarning::Known(known) if own.contains(known))
    };
    description.warnings.retain(|warning| !is_own(warning));
    Ok(description)
}

/// Asks the server whether a heartbeat can be cancelled, if it describes changes.
pub(super) async fn check_cancellation(
    cancel: &HeartbeatUpdate,
    listed: &HeartbeatListItem,
    client: &Client,
) -> Result<(), ClientError> {
    match client.describe_update(cancel).await {
        Err(error) if may_not_describe(&error, listed) => Ok(()),
        description => description.map(|_| ()),
    }
}

/// Returns `true` if an error may mean that a server of another make does not describe changes.
fn may_not_describe(error: &ClientError, listed: &HeartbeatListItem) -> bool {
    let is_refusal = match error {
        ClientError::Refused(refusal) => refusal.code != ErrorCode::PermissionDenied,
        ClientError::Failed { .. } | ClientError::Protocol(_) | ClientError::NoTool(_) => true,
        _ => false,
    };
    is_refusal && listed.content_hash.is_none()
}
