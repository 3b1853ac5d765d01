//! The heartbeats of a family that fire.

use crate::failure::Failure;
use crate::store::{FamilyId, Heartbeat, HeartbeatList, HeartbeatState, Reader};

/// The heartbeats that are read from the store at once.
const READ_AT_ONCE: usize = 500;

/// Returns the heartbeats of a family that fire.
pub(super) fn active_heartbeats(
    store: &dyn Reader,
    family: &FamilyId,
) -> Result<Vec<Heartbeat>, Failure> {
    let mut active = Vec::new();
    let mut after = None;
    loop {
        let page = store.heartbeats(family, &HeartbeatList { after, limit: READ_AT_ONCE })?;
        let Some(last) = page.last() else { return Ok(active) };
        after = Some(last.id.clone());
        active.extend(page.into_iter().filter(|it| it.state == HeartbeatState::Active));
    }
}
