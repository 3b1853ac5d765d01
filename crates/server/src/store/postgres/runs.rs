//! Runs of heartbeats.

use postgres::Row;
use serde_json::{Map, Value};

use super::checked_table::{CheckedTable, id_column};
use super::decisions;
use super::heartbeats::{HEARTBEAT_COLUMNS, heartbeat};
use super::session::Session;
use super::value::{
    Parsed, flag, from_json, from_word, id, integer, optional_integer, optional_json, optional_str,
    optional_text, optional_time, text, time, values,
};
use crate::store::error::StoreResult;
use crate::store::families::FamilyId;
use crate::store::heartbeats::Heartbeat;
use crate::store::listed::Listed;
use crate::store::runs::{
    Decision, FiredRun, NextWork, ReadRuns, RecentRuns, RunList, RunsOf, WriteRuns,
};
use crate::store::versions::WriteVersions;
use dibber_skill::contract::{HeartbeatId, RunId, RunState, WireEnum};

/// The columns of a run, in the order of [`run`].
macro_rules! columns {
    () => {
        "id, heartbeat_id, skill_id, planned_at, planned_local, decided_at, state, due_at, attempt, \
         claimed_by, lease_until, started_at, ended_at, reason, may_have_repeated, prompt_hash, \
         result"
    };
}

/// The number of [`columns`], after which those of another table can follow.
const COLUMN_COUNT: usize = 17;

/// The table, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] = &[CheckedTable {
    name: "runs",
    columns: columns!(),
    parse: |row| run(row).map(drop),
    id: id_column,
}];

/// The beginning of every statement that reads runs of a family.
macro_rules! select {
    ($rest:literal) => {
        concat!("SELECT ", columns!(), " FROM runs WHERE family_id = $1 AND ", $rest)
    };
}

/// The statement that lists runs before the one with the id `$2`, the newest first.
const ALL: &str = select!(
    "seq < CASE WHEN $2 IS NULL THEN 9223372036854775807 \
     ELSE (SELECT seq FROM runs WHERE family_id = $1 AND id = $2) END \
     ORDER BY seq DESC"
);

const OF_HEARTBEAT: &str = select!(
    "heartbeat_id = $3 AND seq < CASE WHEN $2 IS NULL THEN 9223372036854775807 \
     ELSE (SELECT seq FROM runs WHERE family_id = $1 AND id = $2) END \
     ORDER BY seq DESC"
);

/// Runs that can be claimed at `$1`, up to `$2`, which match a filter. Each half is found by its index.
macro_rules! claimable {
    ($filter:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            ", family_id FROM (
                 SELECT * FROM (SELECT *, due_at AS since FROM runs
                     WHERE state = 'due' AND due_at <= $1",
            $filter,
            "        ORDER BY due_at LIMIT $2) AS due
                 UNION ALL
                 SELECT * FROM (SELECT *, lease_until AS since FROM runs
                     WHERE state IN ('claimed', 'running') AND lease_until <= $1",
            $filter,
            "        ORDER BY lease_until LIMIT $2) AS leased) AS claimable
             ORDER BY since LIMIT $2"
        )
    };
}

const CLAIMABLE: &str = claimable!("");
const CLAIMABLE_OF_FAMILY: &str = claimable!(" AND family_id = $3");
const CLAIMABLE_OF_HEARTBEAT: &str = claimable!(" AND family_id = $3 AND heartbeat_id = $4");

impl ReadRuns for Session<'_> {
    fn run(&self, family: &FamilyId, id: &RunId) -> StoreResult<Option<FiredRun>> {
        self.one(select!("id = $2"), values![family, id], run)
    }

    fn runs(&self, family: &FamilyId, list: &RunList) -> StoreResult<Listed<FiredRun>> {
        let after = list.after.as_ref();
        match &list.heartbeat {
            None => self.page(ALL, values![family, after], list.limit, run),
            Some(heartbeat) => {
                let parameters = values![family, after, heartbeat];
                self.page(OF_HEARTBEAT, parameters, list.limit, run)
            }
        }
    }

    fn open_runs(
        &self,
        family: &FamilyId,
        heartbeat: &HeartbeatId,
    ) -> StoreResult<Listed<FiredRun>> {
        let statement = select!(
            "heartbeat_id = $2 AND state IN ('due', 'claimed', 'running') ORDER BY planned_at"
        );
        self.list(statement, values![family, heartbeat], run)
    }

    fn recent_runs(
        &self,
        heartbeats: &[(FamilyId, Heartbeat)],
        since: i64,
    ) -> StoreResult<Vec<RecentRuns>> {
        decisions::recent_runs(self, heartbeats, since)
    }

    fn claimable(
        &self,
        of: RunsOf<'_>,
        now: i64,
        limit: usize,
    ) -> StoreResult<Listed<(FamilyId, FiredRun)>> {
        let read = |row: &Row| Ok((id(row, COLUMN_COUNT)?, run(row)?));
        let count = clamp(limit);
        match of {
            RunsOf::All => self.list(CLAIMABLE, values![now, count], read),
            RunsOf::Family(family) => {
                self.list(CLAIMABLE_OF_FAMILY, values![now, count, family], read)
            }
            RunsOf::Heartbeat(family, heartbeat) => {
                self.list(CLAIMABLE_OF_HEARTBEAT, values![now, count, family, heartbeat], read)
            }
        }
    }

    fn due_heartbeats(
        &self,
        family: Option<&FamilyId>,
        now: i64,
        limit: usize,
    ) -> StoreResult<Listed<(FamilyId, Heartbeat)>> {
        let statement = format!(
            "SELECT {HEARTBEAT_COLUMNS}, family_id FROM (
                 SELECT * FROM (SELECT * FROM heartbeats
                     WHERE state = 'active' AND is_next_fire_known = 0
                         AND ($2 IS NULL OR family_id = $2)
                     ORDER BY seq LIMIT $3) AS unknown
                 UNION ALL
                 SELECT * FROM (SELECT * FROM heartbeats
                     WHERE state = 'active' AND next_fire_at IS NOT NULL AND next_fire_at <= $1
                         AND ($2 IS NULL OR family_id = $2)
                     ORDER BY next_fire_at LIMIT $3) AS fires) AS heartbeats
             LIMIT $3"
        );
        let parameters = values![now, family, clamp(limit)];
        self.list(&statement, parameters, |row| Ok((id(row, row.len() - 1)?, heartbeat(row)?)))
    }

    fn next_work(&self) -> StoreResult<NextWork> {
        let statement = "SELECT
             CASE WHEN EXISTS (SELECT 1 FROM heartbeats
                     WHERE state = 'active' AND is_next_fire_known = 0) THEN 0
                 ELSE (SELECT MIN(next_fire_at) FROM heartbeats
                     WHERE state = 'active' AND next_fire_at IS NOT NULL) END,
             (SELECT MIN(due_at) FROM runs WHERE state = 'due'),
             (SELECT MIN(lease_until) FROM runs WHERE state IN ('claimed', 'running')),
             (SELECT MIN(decided_at) FROM runs
                 WHERE state IN ('completed', 'failed', 'skipped'))";
        let found = self.one(statement, &[], |row| {
            let times = [optional_integer(row, 1)?, optional_integer(row, 2)?];
            Ok(NextWork {
                fire_at: optional_integer(row, 0)?,
                claim_at: times.into_iter().flatten().min(),
                removable_since: optional_integer(row, 3)?,
            })
        })?;
        Ok(found.unwrap_or_default())
    }

    fn is_decided_after(&self, time: i64) -> StoreResult<bool> {
        let statement =
            "SELECT 1 FROM heartbeats WHERE state = 'active' AND decided_until > $1 LIMIT 1";
        Ok(self.one(statement, values![time], |_| Ok(()))?.is_some())
    }

    fn tzdb_version(&self) -> StoreResult<Option<String>> {
        Ok(self.one("SELECT tzdb_version FROM server", &[], |row| optional_text(row, 0))?.flatten())
    }
}

impl WriteRuns for Session<'_> {
    fn add_run(&self, family: &FamilyId, run: &FiredRun) -> StoreResult<bool> {
        let statement = concat!(
            "INSERT INTO runs (family_id, ",
            columns!(),
            ") VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17,
                 $18)
             ON CONFLICT (family_id, heartbeat_id, planned_at) DO NOTHING"
        );
        let changed = self.execute(
            statement,
            values![
                family,
                &run.id,
                &run.heartbeat_id,
                &run.skill_id,
                run.planned_at,
                &run.planned_local,
                run.decided_at,
                run.state.name(),
                run.due_at,
                run.attempt,
                &run.claimed_by,
                run.lease_until,
                run.started_at,
                run.ended_at,
                &run.reason,
                run.may_have_repeated,
                &run.prompt_hash,
                optional_json(run.result.as_ref())?,
            ],
        )?;
        if changed == 1 {
            self.record_heartbeat_change(family, &run.heartbeat_id)?;
        }
        Ok(changed == 1)
    }

    fn add_decisions(&self, decisions: &[Decision]) -> StoreResult<Vec<RunId>> {
        decisions::add(self, decisions)
    }

    fn put_run(&self, family: &FamilyId, run: &FiredRun, attempt: i64) -> StoreResult<bool> {
        let statement = "UPDATE runs SET state = $4, due_at = $5, attempt = $6, claimed_by = $7,
             lease_until = $8, started_at = $9, ended_at = $10, reason = $11,
             may_have_repeated = $12, prompt_hash = $13, result = $14
             WHERE family_id = $1 AND id = $2 AND attempt = $3
                 AND state IN ('due', 'claimed', 'running')";
        let changed = self.execute(
            statement,
            values![
                family,
                &run.id,
                attempt,
                run.state.name(),
                run.due_at,
                run.attempt,
                &run.claimed_by,
                run.lease_until,
                run.started_at,
                run.ended_at,
                &run.reason,
                run.may_have_repeated,
                &run.prompt_hash,
                optional_json(run.result.as_ref())?,
            ],
        )?;
        if changed == 1 {
            self.record_heartbeat_change(family, &run.heartbeat_id)?;
        }
        Ok(changed == 1)
    }

    fn put_lease(
        &self,
        family: &FamilyId,
        id: &RunId,
        attempt: i64,
        until: i64,
    ) -> StoreResult<bool> {
        let statement = "UPDATE runs SET lease_until = $4
             WHERE family_id = $1 AND id = $2 AND attempt = $3
                 AND state IN ('claimed', 'running')";
        Ok(self.execute(statement, values![family, id, attempt, until])? == 1)
    }

    fn put_last_run(&self, family: &FamilyId, heartbeat: &HeartbeatId, at: i64) -> StoreResult<()> {
        let statement = "UPDATE heartbeats SET last_run_at = $3 WHERE family_id = $1 AND id = $2";
        self.execute(statement, values![family, heartbeat, at])?;
        self.record_heartbeat_change(family, heartbeat)
    }

    fn put_failed_in_row(
        &self,
        family: &FamilyId,
        heartbeat: &HeartbeatId,
        count: i64,
    ) -> StoreResult<()> {
        let statement = "UPDATE heartbeats SET failed_in_row = $3 WHERE family_id = $1 AND id = $2";
        self.execute(statement, values![family, heartbeat, count]).map(drop)
    }

    fn reset_next_fires(&self, tzdb_version: &str) -> StoreResult<()> {
        self.execute("UPDATE heartbeats SET next_fire_at = NULL, is_next_fire_known = 0", &[])?;
        self.execute_one("UPDATE server SET tzdb_version = $1", values![tzdb_version])
    }

    fn forget_decisions_after(&self, now: i64) -> StoreResult<()> {
        self.execute(
            "DELETE FROM runs WHERE planned_at > $1
                 AND (state = 'skipped' OR state = 'due' AND attempt = 0)",
            values![now],
        )?;
        let statement = "UPDATE heartbeats
             SET decided_until = $1, next_fire_at = NULL, is_next_fire_known = 0
             WHERE decided_until > $1";
        self.execute(statement, values![now]).map(drop)
    }

    fn remove_runs_before(&self, decided_at: i64, limit: usize) -> StoreResult<usize> {
        let statement = "DELETE FROM runs WHERE seq IN (SELECT seq FROM runs
             WHERE state IN ('completed', 'failed', 'skipped') AND decided_at < $1
             ORDER BY decided_at LIMIT $2)";
        self.execute(statement, values![decided_at, clamp(limit)])
    }
}

/// Returns a limit as PostgreSQL takes it.
fn clamp(limit: usize) -> i64 {
    i64::try_from(limit).unwrap_or(i64::MAX)
}

fn run(row: &Row) -> Parsed<FiredRun> {
    let result = match optional_str(row, 16)? {
        None => None,
        _ => Some(from_json::<Map<String, Value>>(row, 16)?),
    };
    Ok(FiredRun {
        id: id(row, 0)?,
        heartbeat_id: id(row, 1)?,
        skill_id: id(row, 2)?,
        planned_at: time(row, 3)?,
        planned_local: text(row, 4)?,
        decided_at: time(row, 5)?,
        state: from_word(row, 6, RunState::from_name)?,
        due_at: time(row, 7)?,
        attempt: integer(row, 8)?,
        claimed_by: optional_text(row, 9)?,
        lease_until: optional_time(row, 10)?,
        started_at: optional_time(row, 11)?,
        ended_at: optional_time(row, 12)?,
        reason: optional_text(row, 13)?,
        may_have_repeated: flag(row, 14)?,
        prompt_hash: optional_text(row, 15)?,
        result,
    })
}
