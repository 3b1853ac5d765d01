//! Runs of skills and of code over the Skills Protocol.

use dibber_skill::contract::skills_protocol::RunStatus;
use dibber_skill::contract::{RunId, UserId};

use super::error::StoreResult;
use super::families::FamilyId;
use super::listed::Listed;

/// The error type of a run whose end is not recorded yet: it runs, or the server ended before it did.
pub const UNFINISHED: &str = "Unfinished";

/// The error type of a run whose server ended before it did.
pub const INTERRUPTED: &str = "Interrupted";

/// What is said of an interrupted run.
pub const INTERRUPTED_SUMMARY: &str = "the server ended before the run did";

/// A run. Its arguments, its output and its logs are not stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SkillRun {
    /// The id.
    pub id: RunId,
    /// Who started it.
    pub user_id: UserId,
    /// What was run.
    pub program: RunProgram,
    /// Whether the function returned.
    pub status: RunStatus,
    /// Why it failed, in one word.
    pub error_type: Option<String>,
    /// When it began.
    pub started_at: i64,
    /// How long it took.
    pub milliseconds: i64,
    /// A sentence about it.
    pub summary: String,
}

/// What was run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunProgram {
    /// A skill.
    Skill {
        /// The name.
        name: String,
        /// The version.
        version: String,
    },
    /// Code of the caller.
    Code,
}

/// Which runs to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SkillRunList {
    /// The id of the run after which the page begins; none for the first page.
    pub after: Option<RunId>,
    /// The most runs.
    pub limit: usize,
    /// Only runs that have failed.
    pub only_failed: bool,
}

/// Looks up runs of skills.
pub trait ReadSkillRuns {
    /// Returns a page of runs, the latest first: the reverse of the
    /// [listing order](super#listing-order). After a run that the family does not have, there is an
    /// empty page: it was one of the oldest.
    fn skill_runs(&self, family: &FamilyId, list: &SkillRunList) -> StoreResult<Listed<SkillRun>>;
    /// Returns `true` if a family has runs that began before a time, or more than so many.
    fn has_old_skill_runs(&self, family: &FamilyId, before: i64, kept: usize) -> StoreResult<bool>;
    /// Returns `true` if a family has runs that began before a time and are [`UNFINISHED`].
    fn has_unfinished_skill_runs(&self, family: &FamilyId, before: i64) -> StoreResult<bool>;
}

/// Records runs of skills.
pub trait WriteSkillRuns: ReadSkillRuns {
    /// Adds a run.
    fn add_skill_run(&self, family: &FamilyId, run: &SkillRun) -> StoreResult<()>;
    /// Records how a run has ended; returns `false` if the family does not have it.
    fn end_skill_run(&self, family: &FamilyId, run: &SkillRun) -> StoreResult<bool>;
    /// Records that the runs of a family that began before a time and are [`UNFINISHED`] were
    /// [`INTERRUPTED`]; returns how many there were.
    fn interrupt_skill_runs(&self, family: &FamilyId, before: i64) -> StoreResult<usize>;
    /// Removes the runs of a family that began before a time, and the oldest ones beyond so many;
    /// returns how many were removed.
    fn remove_old_skill_runs(
        &self,
        family: &FamilyId,
        before: i64,
        kept: usize,
    ) -> StoreResult<usize>;
}
