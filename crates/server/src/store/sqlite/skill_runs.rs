//! Runs of skills and of code.

use rusqlite::{Row, params};

use super::checked_table::{CheckedTable, id_column};
use super::session::{Session, from_word, id, time};
use crate::store::error::StoreResult;
use crate::store::families::FamilyId;
use crate::store::listed::Listed;
use crate::store::skill_runs::{
    INTERRUPTED, INTERRUPTED_SUMMARY, ReadSkillRuns, RunProgram, SkillRun, SkillRunList,
    UNFINISHED, WriteSkillRuns,
};
use dibber_skill::contract::skills_protocol::RunStatus;
use dibber_skill::contract::{Id, WireEnum};

/// The columns of a run, in the order of [`run`].
macro_rules! columns {
    () => {
        "id, user_id, skill, skill_version, status, error_type, started_at, milliseconds, summary"
    };
}

/// The tables, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] = &[CheckedTable {
    name: "skill_runs",
    columns: columns!(),
    parse: |row| run(row).map(drop),
    id: id_column,
}];

/// A statement that lists runs before the one with the id `?2`. `seq` is in the order of the
/// commits, as that of skills is.
macro_rules! listing {
    ($filter:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM skill_runs WHERE family_id = ?1",
            $filter,
            " AND seq < CASE WHEN ?2 IS NULL THEN 9223372036854775807 \
             ELSE (SELECT seq FROM skill_runs WHERE family_id = ?1 AND id = ?2) END \
             ORDER BY seq DESC"
        )
    };
}

const ALL: &str = listing!("");
const FAILED: &str = listing!(" AND status = 'failed'");

/// The statements that list runs, from which a page is read up to its limit.
pub const SKILL_RUN_LISTINGS: [&str; 2] = [ALL, FAILED];

impl ReadSkillRuns for Session<'_> {
    fn skill_runs(&self, family: &FamilyId, list: &SkillRunList) -> StoreResult<Listed<SkillRun>> {
        let statement = if list.only_failed { FAILED } else { ALL };
        let after = list.after.as_ref().map(Id::as_str);
        self.list(statement, (family.as_str(), after), list.limit, run)
    }

    fn has_old_skill_runs(&self, family: &FamilyId, before: i64, kept: usize) -> StoreResult<bool> {
        let statement = "SELECT 1 FROM skill_runs WHERE family_id = ?1 AND started_at < ?2 LIMIT 1";
        if self.one(statement, (family.as_str(), before), |_| Ok(()))?.is_some() {
            return Ok(true);
        }
        let statement = "SELECT 1 FROM skill_runs WHERE family_id = ?1
             ORDER BY seq DESC LIMIT 1 OFFSET ?2";
        let kept = i64::try_from(kept).unwrap_or(i64::MAX);
        Ok(self.one(statement, (family.as_str(), kept), |_| Ok(()))?.is_some())
    }

    fn has_unfinished_skill_runs(&self, family: &FamilyId, before: i64) -> StoreResult<bool> {
        let statement = "SELECT 1 FROM skill_runs
             WHERE family_id = ?1 AND started_at < ?2 AND error_type = ?3 LIMIT 1";
        let values = (family.as_str(), before, UNFINISHED);
        Ok(self.one(statement, values, |_| Ok(()))?.is_some())
    }
}

impl WriteSkillRuns for Session<'_> {
    fn add_skill_run(&self, family: &FamilyId, run: &SkillRun) -> StoreResult<()> {
        let (skill, version) = match &run.program {
            RunProgram::Skill { name, version } => (Some(name), Some(version)),
            RunProgram::Code => (None, None),
        };
        self.execute_one(
            "INSERT INTO skill_runs (family_id, id, user_id, skill, skill_version, status,
             error_type, started_at, milliseconds, summary)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
            params![
                family.as_str(),
                run.id.as_str(),
                run.user_id.as_str(),
                skill,
                version,
                run.status.name(),
                run.error_type,
                run.started_at,
                run.milliseconds,
                run.summary,
            ],
        )
    }

    fn end_skill_run(&self, family: &FamilyId, run: &SkillRun) -> StoreResult<bool> {
        let ended = self.execute(
            "UPDATE skill_runs SET status = ?3, error_type = ?4, milliseconds = ?5, summary = ?6
             WHERE family_id = ?1 AND id = ?2",
            params![
                family.as_str(),
                run.id.as_str(),
                run.status.name(),
                run.error_type,
                run.milliseconds,
                run.summary,
            ],
        )?;
        Ok(ended > 0)
    }

    fn interrupt_skill_runs(&self, family: &FamilyId, before: i64) -> StoreResult<usize> {
        let statement = "UPDATE skill_runs SET error_type = ?4, summary = ?5
             WHERE family_id = ?1 AND started_at < ?2 AND error_type = ?3";
        let values = (family.as_str(), before, UNFINISHED, INTERRUPTED, INTERRUPTED_SUMMARY);
        self.execute(statement, values)
    }

    fn remove_old_skill_runs(
        &self,
        family: &FamilyId,
        before: i64,
        kept: usize,
    ) -> StoreResult<usize> {
        let statement = "DELETE FROM skill_runs WHERE family_id = ?1 AND started_at < ?2";
        let old = self.execute(statement, (family.as_str(), before))?;
        let statement = "DELETE FROM skill_runs WHERE family_id = ?1 AND seq <= (
             SELECT seq FROM skill_runs WHERE family_id = ?1 ORDER BY seq DESC LIMIT 1 OFFSET ?2)";
        let kept = i64::try_from(kept).unwrap_or(i64::MAX);
        Ok(old + self.execute(statement, (family.as_str(), kept))?)
    }
}

fn run(row: &Row<'_>) -> rusqlite::Result<SkillRun> {
    let program = match (row.get(2)?, row.get(3)?) {
        (Some(name), Some(version)) => RunProgram::Skill { name, version },
        (None, None) => RunProgram::Code,
        _ => return Err(rusqlite::Error::IntegralValueOutOfRange(3, 0)),
    };
    Ok(SkillRun {
        id: id(row, 0)?,
        user_id: id(row, 1)?,
        program,
        status: from_word(row, 4, RunStatus::from_name)?,
        error_type: row.get(5)?,
        started_at: time(row, 6)?,
        milliseconds: row.get(7)?,
        summary: row.get(8)?,
    })
}
