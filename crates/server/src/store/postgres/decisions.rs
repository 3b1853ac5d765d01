//! Decisions about the planned times of heartbeats: hundreds of them with one statement each, since
//! thousands can be due at the same moment, and a statement waits for the server.

use serde_json::{Value, json};

use super::session::Session;
use super::value::{
    escape, id as read_id, integer, optional_id, optional_integer, optional_text, values,
};
use crate::store::error::{StoreError, StoreResult};
use crate::store::families::FamilyId;
use crate::store::heartbeats::Heartbeat;
use crate::store::resource::Resource;
use crate::store::runs::{Decision, FiredRun, RecentRuns};
use dibber_skill::contract::{HeartbeatId, Id, RunId, WireEnum};

/// The rows of a JSON array are in its order.
const RECENT: &str = "SELECT last.planned_at, last.planned_local,
         (SELECT COUNT(*) FROM runs
             WHERE runs.family_id = asked.family AND runs.heartbeat_id = asked.heartbeat
                 AND runs.planned_at > $2 - 86400000 AND runs.decided_at > $2
                 AND runs.state <> 'skipped')
     FROM ROWS FROM (json_to_recordset($1::json) AS (family TEXT, heartbeat TEXT))
         WITH ORDINALITY AS asked (family, heartbeat, position)
     LEFT JOIN LATERAL (SELECT planned_at, planned_local FROM runs
         WHERE runs.family_id = asked.family AND runs.heartbeat_id = asked.heartbeat
             AND runs.state <> 'skipped'
         ORDER BY runs.planned_at DESC LIMIT 1) AS last ON TRUE
     ORDER BY asked.position";

const ADD_RUNS: &str = "INSERT INTO runs (family_id, id, heartbeat_id, skill_id, planned_at,
         planned_local, decided_at, state, due_at, attempt, ended_at, reason, may_have_repeated)
     SELECT family, id, heartbeat, skill, planned_at, planned_local, decided_at, state, due_at, 0,
         ended_at, reason, 0
     FROM json_to_recordset($1::json) AS decided (family TEXT, id TEXT, heartbeat TEXT, skill TEXT,
         planned_at BIGINT, planned_local TEXT, decided_at BIGINT, state TEXT, due_at BIGINT,
         ended_at BIGINT, reason TEXT)
     ON CONFLICT (family_id, heartbeat_id, planned_at) DO NOTHING
     RETURNING family_id, heartbeat_id, id";

const PUT_DECIDED: &str = "UPDATE heartbeats SET decided_until = decided.until,
         next_fire_at = decided.next, is_next_fire_known = 1
     FROM json_to_recordset($1::json)
         AS decided (family TEXT, heartbeat TEXT, until BIGINT, next BIGINT)
     WHERE heartbeats.family_id = decided.family AND heartbeats.id = decided.heartbeat";

const CHILDREN: &str = "SELECT heartbeats.family_id, heartbeats.id, heartbeats.child_id
     FROM json_to_recordset($1::json) AS changed (family TEXT, heartbeat TEXT)
     JOIN heartbeats ON heartbeats.family_id = changed.family AND heartbeats.id = changed.heartbeat";

/// Returns for each heartbeat what is known of its runs.
pub(super) fn recent_runs(
    session: &Session<'_>,
    heartbeats: &[(FamilyId, Heartbeat)],
    since: i64,
) -> StoreResult<Vec<RecentRuns>> {
    let asked = heartbeats
        .iter()
        .map(|(family, heartbeat)| json!({"family": id(family), "heartbeat": id(&heartbeat.id)}));
    session.all(RECENT, values![&rows(asked), since], |row| {
        let last = optional_integer(row, 0)?.zip(optional_text(row, 1)?);
        let count = usize::try_from(integer(row, 2)?).unwrap_or_default();
        Ok(RecentRuns { last, count })
    })
}

/// Records decisions, and returns the ids of the runs that were added.
pub(super) fn add(session: &Session<'_>, decisions: &[Decision]) -> StoreResult<Vec<RunId>> {
    let runs = decisions
        .iter()
        .flat_map(|decision| decision.runs.iter().map(|run| decided_run(&decision.family, run)));
    let added = session.all(ADD_RUNS, values![&rows(runs)], |row| {
        Ok(((read_id(row, 0)?, read_id(row, 1)?), read_id(row, 2)?))
    })?;
    let (mut changed, added): (Vec<_>, Vec<_>) = added.into_iter().unzip();
    // A heartbeat can have several runs.
    changed.sort();
    changed.dedup();
    record_heartbeat_changes(session, &changed)?;
    let decided = decisions.iter().map(|decision| {
        json!({
            "family": id(&decision.family),
            "heartbeat": id(&decision.heartbeat),
            "until": decision.decided_until,
            "next": decision.next_fire_at,
        })
    });
    match session.execute(PUT_DECIDED, values![&rows(decided)])? {
        changed if changed == decisions.len() => Ok(added),
        _ => Err(StoreError::NotFound),
    }
}

/// Records that the runs of heartbeats have changed, and with them the days of the children that they
/// are for.
fn record_heartbeat_changes(
    session: &Session<'_>,
    changed: &[(FamilyId, HeartbeatId)],
) -> StoreResult<()> {
    let asked = changed
        .iter()
        .map(|(family, heartbeat)| json!({"family": id(family), "heartbeat": id(heartbeat)}));
    let found = session.all(CHILDREN, values![&rows(asked)], |row| {
        Ok((read_id(row, 0)?, read_id(row, 1)?, optional_id(row, 2)?))
    })?;
    let mut resources: Vec<(FamilyId, Resource)> = Vec::new();
    for (family, heartbeat, child) in found {
        resources.extend(child.map(|child| (family.clone(), Resource::Today(child))));
        resources.push((family, Resource::Heartbeat(heartbeat)));
    }
    session.record_changes(resources)
}

/// Returns a run that nothing has claimed yet.
fn decided_run(family: &FamilyId, run: &FiredRun) -> Value {
    json!({
        "family": id(family),
        "id": id(&run.id),
        "heartbeat": id(&run.heartbeat_id),
        "skill": id(&run.skill_id),
        "planned_at": run.planned_at,
        "planned_local": escape(&run.planned_local),
        "decided_at": run.decided_at,
        "state": run.state.name(),
        "due_at": run.due_at,
        "ended_at": run.ended_at,
        "reason": run.reason.as_deref().map(escape),
    })
}

/// Returns an id as it is stored.
fn id<K>(id: &Id<K>) -> Value {
    escape(id.as_str()).into()
}

fn rows(rows: impl Iterator<Item = Value>) -> String {
    Value::Array(rows.collect()).to_string()
}
