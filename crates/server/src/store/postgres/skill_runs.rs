//! Runs of skills and of code.

use postgres::Row;

use super::checked_table::{CheckedTable, id_column};
use super::session::Session;
use super::value::{
    DamagedColumn, Parsed, from_word, id, integer, optional_text, text, time, values,
};
use crate::store::error::StoreResult;
use crate::store::families::FamilyId;
use crate::store::listed::Listed;
use crate::store::skill_runs::{
    INTERRUPTED, INTERRUPTED_SUMMARY, ReadSkillRuns, RunProgram, SkillRun, SkillRunList,
    UNFINISHED, WriteSkillRuns,
};
use dibber_skill::contract::WireEnum;
use dibber_skill::contract::skills_protocol::RunStatus;

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

/// A statement that lists runs before the one with the id `$2`. `seq` is in the order of the
/// commits, as that of skills is.
macro_rules! listing {
    ($filter:literal) => {
        concat!(
            "SELECT ",
            columns!(),
            " FROM skill_runs WHERE family_id = $1",
            $filter,
            " AND seq < CASE WHEN $2 IS NULL THEN 9223372036854775807 \
             ELSE (SELECT seq FROM skill_runs WHERE family_id = $1 AND id = $2) END \
             ORDER BY seq DESC"
        )
    };
}

const ALL: &str = listing!("");
const FAILED: &str = listing!(" AND status = 'failed'");

impl ReadSkillRuns for Session<'_> {
    fn skill_runs(&self, family: &FamilyId, list: &SkillRunList) -> StoreResult<Listed<SkillRun>> {
        let statement = if list.only_failed { FAILED } else { ALL };
        let after = list.after.as_ref();
        self.page(statement, values![family, after], list.limit, run)
    }

    fn has_old_skill_runs(&self, family: &FamilyId, before: i64, kept: usize) -> StoreResult<bool> {
        let statement = "SELECT 1 FROM skill_runs WHERE family_id = $1 AND started_at < $2 LIMIT 1";
        if self.one(statement, values![family, before], |_| Ok(()))?.is_some() {
            return Ok(true);
        }
        let statement = "SELECT 1 FROM skill_runs WHERE family_id = $1
             ORDER BY seq DESC LIMIT 1 OFFSET $2";
        let kept = i64::try_from(kept).unwrap_or(i64::MAX);
        Ok(self.one(statement, values![family, kept], |_| Ok(()))?.is_some())
    }

    fn has_unfinished_skill_runs(&self, family: &FamilyId, before: i64) -> StoreResult<bool> {
        let statement = "SELECT 1 FROM skill_runs
             WHERE family_id = $1 AND started_at < $2 AND error_type = $3 LIMIT 1";
        let values = values![family, before, UNFINISHED];
        Ok(self.one(statement, values, |_| Ok(()))?.is_some())
    }
}

impl WriteSkillRuns for Session<'_> {
    fn add_skill_run(&self, family: &FamilyId, run: &SkillRun) -> StoreResult<()> {
        let (skill, version) = match &run.program {
            RunProgram::Skill { name, version } => (Some(name.as_str()), Some(version.as_str())),
            RunProgram::Code => (None, None),
        };
        self.execute_one(
            "INSERT INTO skill_runs (family_id, id, user_id, skill, skill_version, status,
             error_type, started_at, milliseconds, summary)
             VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
            values![
                family,
                &run.id,
                &run.user_id,
                skill,
                version,
                run.status.name(),
                &run.error_type,
                run.started_at,
                run.milliseconds,
                &run.summary,
            ],
        )
    }

    fn end_skill_run(&self, family: &FamilyId, run: &SkillRun) -> StoreResult<bool> {
        let ended = self.execute(
            "UPDATE skill_runs SET status = $3, error_type = $4, milliseconds = $5, summary = $6
             WHERE family_id = $1 AND id = $2",
            values![
                family,
                &run.id,
                run.status.name(),
                &run.error_type,
                run.milliseconds,
                &run.summary,
            ],
        )?;
        Ok(ended > 0)
    }

    fn interrupt_skill_runs(&self, family: &FamilyId, before: i64) -> StoreResult<usize> {
        let statement = "UPDATE skill_runs SET error_type = $4, summary = $5
             WHERE family_id = $1 AND started_at < $2 AND error_type = $3";
        let values = values![family, before, UNFINISHED, INTERRUPTED, INTERRUPTED_SUMMARY];
        self.execute(statement, values)
    }

    fn remove_old_skill_runs(
        &self,
        family: &FamilyId,
        before: i64,
        kept: usize,
    ) -> StoreResult<usize> {
        let statement = "DELETE FROM skill_runs WHERE family_id = $1 AND started_at < $2";
        let old = self.execute(statement, values![family, before])?;
        let statement = "DELETE FROM skill_runs WHERE family_id = $1 AND seq <= (
             SELECT seq FROM skill_runs WHERE family_id = $1 ORDER BY seq DESC LIMIT 1 OFFSET $2)";
        let kept = i64::try_from(kept).unwrap_or(i64::MAX);
        Ok(old + self.execute(statement, values![family, kept])?)
    }
}

fn run(row: &Row) -> Parsed<SkillRun> {
    let program = match (optional_text(row, 2)?, optional_text(row, 3)?) {
        (Some(name), Some(version)) => RunProgram::Skill { name, version },
        (None, None) => RunProgram::Code,
        _ => return Err(DamagedColumn(3)),
    };
    Ok(SkillRun {
        id: id(row, 0)?,
        user_id: id(row, 1)?,
        program,
        status: from_word(row, 4, RunStatus::from_name)?,
        error_type: optional_text(row, 5)?,
        started_at: time(row, 6)?,
        milliseconds: integer(row, 7)?,
        summary: text(row, 8)?,
    })
}
