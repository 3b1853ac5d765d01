//! New heartbeats of a skill that may be a recorded one under another name.

use super::heartbeat_step::{HeartbeatBlocked, HeartbeatCreation, HeartbeatStep, PlannedHeartbeat};

/// Blocks the new heartbeats of each skill while one that its `sprout.yaml` no longer contains stays on
/// the server, because another writer has changed it: both would run.
pub(super) fn hold_back_new(planned: &mut [PlannedHeartbeat]) {
    let remaining = planned.iter().filter_map(|item| match &item.step {
        HeartbeatStep::Blocked(HeartbeatBlocked::ChangedElsewhere { wanted: None, .. }) => {
            Some((item.key.as_ref()?.skill.clone(), item.name.clone()))
        }
        _ => None,
    });
    let remaining: Vec<_> = remaining.collect();
    for item in planned {
        let skill = item.key.as_ref().map(|key| &key.skill);
        let is_new =
            matches!(item.step, HeartbeatStep::Create(HeartbeatCreation { replaced: None, .. }));
        let other = remaining.iter().find(|(of, _)| Some(of) == skill);
        if let Some((_, other)) = other.filter(|_| is_new) {
            item.step = HeartbeatStep::Blocked(HeartbeatBlocked::MayBeRenamed(other.clone()));
        }
    }
}
