//! What others learn of runs: the activity of the family, and cards in its inbox.

use jiff::Timestamp;
use serde_json::{Map, Value, json};

use crate::activity;
use crate::inbox::{self, NewCard};
use crate::store::{
    Event, FamilyId, FiredRun, Heartbeat, MemberRole, StoreError, StoreResult, Writer, attempt,
};
use dibber_skill::contract::{ActivityRefs, ActivityType, CardKind, RESULT_SUMMARY, UserId};

/// Records what became of a run. If the activity of the family is damaged, its runs end all the same,
/// so that they do not hold up those of others.
pub(super) fn record(
    store: &dyn Writer,
    family: &FamilyId,
    run: &FiredRun,
    kind: ActivityType,
    now: Timestamp,
) -> StoreResult<()> {
    match activity::record(store, family, &event(run, kind, now)) {
        Err(cause @ StoreError::Damaged) => {
            let run = run.id.as_str();
            tracing::error!(%cause, run, "what became of a run is not in the activity");
            Ok(())
        }
        recorded => recorded,
    }
}

/// Records that runs are due, for home agents that wait for them.
pub(super) fn record_due(
    store: &dyn Writer,
    due: &[(&FamilyId, &FiredRun)],
    now: Timestamp,
) -> StoreResult<()> {
    if due.is_empty() {
        return Ok(());
    }
    let kind = ActivityType::HeartbeatDue;
    let events = due.iter().map(|(family, run)| ((*family).clone(), event(run, kind, now)));
    let events: Vec<_> = events.collect();
    match attempt(store, || activity::record_all(store, &events)) {
        // The activity of one family that is damaged leaves out no run of another.
        Err(StoreError::Damaged) => {
            due.iter().try_for_each(|(family, run)| record(store, family, run, kind, now))
        }
        recorded => recorded,
    }
}

fn event(run: &FiredRun, kind: ActivityType, now: Timestamp) -> Event {
    let refs = ActivityRefs {
        skill_id: Some(run.skill_id.clone()),
        heartbeat_id: Some(run.heartbeat_id.clone()),
        run_id: Some(run.id.clone()),
        ..ActivityRefs::default()
    };
    Event { kind, actor: None, refs, payload: Map::new(), at: now.as_millisecond() }
}

/// Posts the result of a run to the chat of its heartbeat.
pub(super) fn post_result(
    store: &dyn Writer,
    family: &FamilyId,
    heartbeat: &Heartbeat,
    run: &FiredRun,
    now: Timestamp,
) -> StoreResult<()> {
    let result = run.result.clone().unwrap_or_default();
    post(store, family, (heartbeat, run), CardKind::Result, result, now)
}

/// Posts that a heartbeat was paused because its runs fail.
pub(super) fn post_pause(
    store: &dyn Writer,
    family: &FamilyId,
    heartbeat: &Heartbeat,
    run: &FiredRun,
    now: Timestamp,
) -> StoreResult<()> {
    let name = &heartbeat.name;
    let reason = run.reason.as_deref().unwrap_or("it failed");
    let summary = format!(
        "\"{name}\" failed {} times in a row and is paused. The last time: {reason}",
        heartbeat.failed_in_row
    );
    let result = Map::from_iter([(RESULT_SUMMARY.to_owned(), json!(summary))]);
    post(store, family, (heartbeat, run), CardKind::Notice, result, now)
}

fn post(
    store: &dyn Writer,
    family: &FamilyId,
    (heartbeat, run): (&Heartbeat, &FiredRun),
    kind: CardKind,
    result: Map<String, Value>,
    now: Timestamp,
) -> StoreResult<()> {
    // A heartbeat without an owner is damaged, and its runs end all the same.
    let Some(user_id) = owner(store, family, heartbeat)? else { return Ok(()) };
    let card = NewCard {
        skill_id: run.skill_id.clone(),
        thread_id: heartbeat.chat_id.clone(),
        user_id,
        actor: None,
        heartbeat_id: Some(heartbeat.id.clone()),
        run_id: Some(run.id.clone()),
        kind,
        result,
        at: now.as_millisecond(),
    };
    inbox::post(store, family, card).map(drop)
}

fn owner(
    store: &dyn Writer,
    family: &FamilyId,
    heartbeat: &Heartbeat,
) -> StoreResult<Option<UserId>> {
    let members = store.members(family, &heartbeat.id)?.rows;
    let owner = members.into_iter().find(|member| member.role == MemberRole::Owner);
    Ok(owner.map(|owner| owner.user_id))
}
