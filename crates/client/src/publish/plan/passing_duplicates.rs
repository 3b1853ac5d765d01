//! Warnings of a server about a heartbeat that does the same as one which the same plan changes, too.

use super::heartbeat_step::{HeartbeatEdit, HeartbeatStep, HeartbeatUnchanged, PlannedHeartbeat};
use super::possible_duplicates::does_the_same;
use dibber_skill::contract::{
    DescribedWarning, HeartbeatChange, HeartbeatListItem, HeartbeatWarning,
};

/// Removes the warnings that a heartbeat will do the same as another one, where that does something
/// else after the plan: a server compares each change with the heartbeats as they are before. `others`
/// are those of the server that belong to no step.
pub(super) fn remove_passing_duplicates(
    planned: &mut [PlannedHeartbeat],
    others: &[HeartbeatListItem],
) {
    let before: Vec<_> = planned.iter().map(|item| listed(&item.step)).collect();
    let after: Vec<_> = planned.iter().map(|item| planned_item(&item.step)).collect();
    for (index, planned) in planned.iter_mut().enumerate() {
        let (HeartbeatStep::Update(edit), Some(own)) = (&mut planned.step, &after[index]) else {
            continue;
        };
        let is_found = |items: &[Option<HeartbeatListItem>]| {
            let others = items.iter().enumerate().filter(|(other, _)| *other != index);
            others.filter_map(|(_, item)| item.as_ref()).any(|item| does_the_same(own, item))
        };
        let remains = is_found(&after) || others.iter().any(|item| does_the_same(own, item));
        if is_found(&before) && !remains {
            let duplicate = DescribedWarning::Known(HeartbeatWarning::Duplicate);
            edit.description.warnings.retain(|warning| *warning != duplicate);
        }
    }
}

/// Returns the heartbeat of a step as it is listed before.
fn listed(step: &HeartbeatStep) -> Option<HeartbeatListItem> {
    match step {
        HeartbeatStep::Unchanged(HeartbeatUnchanged { listed, .. }) => Some((**listed).clone()),
        step => step.changed().cloned(),
    }
}

/// Returns the heartbeat of a step as it is after the plan, if it remains.
fn planned_item(step: &HeartbeatStep) -> Option<HeartbeatListItem> {
    let HeartbeatStep::Update(HeartbeatEdit { updates, listed: before, .. }) = step else {
        let is_kept = matches!(step, HeartbeatStep::Unchanged(_));
        return listed(step).filter(|_| is_kept);
    };
    let mut item = (**before).clone();
    for (update, _) in updates {
        if let HeartbeatChange::EditSchedule { cron, tz } = &update.change {
            item.cron = cron.clone().unwrap_or(item.cron);
            item.tz = item.tz.map(|before| tz.clone().unwrap_or(before));
        }
    }
    Some(item)
}
