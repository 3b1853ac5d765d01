//! What runs of the times that a heartbeat has missed, as a server lists it. Servers of another make may
//! not list it, or not know it.

use crate::publish::published::PublishedHeartbeat;
use dibber_skill::content_hash::field_hash;
use dibber_skill::contract::{HeartbeatCreate, HeartbeatListItem, MissedFires, OpenEnum};

/// The field of what runs of the times that were missed.
pub(super) const MISSED_FIRES: &str = "missedFires";

/// Returns what a server lists of what runs of missed times.
pub(super) fn listed_missed_fires(listed: &HeartbeatListItem) -> Option<MissedFires> {
    match listed.missed_fires {
        Some(OpenEnum::Known(missed_fires)) => Some(missed_fires),
        Some(OpenEnum::Other(_)) | None => None,
    }
}

/// Returns `true` if a server does not list something else of what runs of missed times.
pub(super) fn lists_missed_fires(missed_fires: MissedFires, listed: &HeartbeatListItem) -> bool {
    listed_missed_fires(listed).is_none_or(|there| there == missed_fires)
}

/// Returns `true` if the same missed times run of a heartbeat here and on the server; where the server
/// does not list it, if it is as it is recorded.
pub(super) fn has_equal_missed_fires(
    create: &HeartbeatCreate,
    listed: &HeartbeatListItem,
    known: Option<&PublishedHeartbeat>,
) -> bool {
    let missed_fires = create.missed_fires.unwrap_or_default();
    match listed_missed_fires(listed) {
        Some(there) => there == missed_fires,
        None => known
            .and_then(|known| known.fields.get(MISSED_FIRES))
            .is_none_or(|recorded| *recorded == field_hash(&missed_fires)),
    }
}
