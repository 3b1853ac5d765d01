//! Recording what happens in a family, in the transaction in which it happens.

use serde_json::{Map, Value};

use super::family_limits::FAMILY_EVENTS_MAX;
use super::store::{Event, FamilyId, StoreResult, Writer};
use super::tool::Call;
use dibber_skill::contract::{ActivityRefs, ActivityType, HeartbeatId, SkillId};

/// Records an event; it takes the place of the oldest one if the family has too many.
pub(super) fn record(store: &dyn Writer, family: &FamilyId, event: &Event) -> StoreResult<()> {
    store.add_event(family, event, FAMILY_EVENTS_MAX)
}

/// Records several events.
pub(super) fn record_all(store: &dyn Writer, events: &[(FamilyId, Event)]) -> StoreResult<()> {
    store.add_events(events, FAMILY_EVENTS_MAX)
}

/// Records that the caller did something, which needs no details.
pub(super) fn record_call(
    call: &Call,
    store: &dyn Writer,
    kind: ActivityType,
    refs: ActivityRefs,
) -> StoreResult<()> {
    record_call_with(call, store, kind, refs, Map::new())
}

/// Records that the caller did something.
pub(super) fn record_call_with(
    call: &Call,
    store: &dyn Writer,
    kind: ActivityType,
    refs: ActivityRefs,
    payload: Map<String, Value>,
) -> StoreResult<()> {
    let actor = Some(call.caller.user_id.clone());
    let event = Event { kind, actor, refs, payload, at: call.millisecond() };
    record(store, &call.caller.family, &event)
}

/// Returns what an event about a skill refers to.
pub(super) fn of_skill(id: &SkillId) -> ActivityRefs {
    ActivityRefs { skill_id: Some(id.clone()), ..ActivityRefs::default() }
}

/// Returns what an event about a heartbeat refers to.
pub(super) fn of_heartbeat(id: &HeartbeatId) -> ActivityRefs {
    ActivityRefs { heartbeat_id: Some(id.clone()), ..ActivityRefs::default() }
}
