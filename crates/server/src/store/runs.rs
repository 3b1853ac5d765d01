//! Runs: what became of each planned time of a heartbeat.
//!
//! # One run for each planned time
//!
//! The planned time is the key of a run within its heartbeat, so that however many servers decide
//! about it, one of them adds it. An agent or a server that works on a run holds a claim: the number
//! of the attempt, which only grows, is its fencing token. Whatever is written about the run names
//! the attempt that it is of, so a claim that was taken over in the meantime changes nothing any more.

use serde_json::{Map, Value};

use dibber_skill::contract::{HeartbeatId, RunId, RunState, SkillId};

use super::error::StoreResult;
use super::families::FamilyId;
use super::heartbeats::Heartbeat;
use super::listed::Listed;

/// A planned time of a heartbeat, and what became of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FiredRun {
    /// The id.
    pub id: RunId,
    /// The heartbeat.
    pub heartbeat_id: HeartbeatId,
    /// The skill that the heartbeat ran when this was decided.
    pub skill_id: SkillId,
    /// When the heartbeat was to fire.
    pub planned_at: i64,
    /// The same on the clock of the heartbeat's time zone, as both were then:
    /// `2026-05-24T08:00:00[Europe/Berlin]`.
    pub planned_local: String,
    /// When it was decided that it runs or is skipped.
    pub decided_at: i64,
    /// What became of it.
    pub state: RunState,
    /// When it may be claimed; later than the planned time after a failed attempt.
    pub due_at: i64,
    /// The number of claims so far, and the fencing token of the last one.
    pub attempt: i64,
    /// Who holds the last claim: a user, or the server itself.
    pub claimed_by: Option<String>,
    /// When the last claim ends if it is not renewed.
    pub lease_until: Option<i64>,
    /// When the last attempt started.
    pub started_at: Option<i64>,
    /// When it ended: completed, failed or skipped.
    pub ended_at: Option<i64>,
    /// Why it was skipped or failed.
    pub reason: Option<String>,
    /// Whether an attempt was interrupted or killed after it had started, or got no answer, so that its
    /// effects may have happened more than once.
    pub may_have_repeated: bool,
    /// The hash of the prompt of the last attempt.
    pub prompt_hash: Option<String>,
    /// What the run answered.
    pub result: Option<Map<String, Value>>,
}

/// Which runs to list: the newest decisions first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RunList {
    /// The id of the run after which the page begins; none for the first page.
    pub after: Option<RunId>,
    /// The most runs.
    pub limit: usize,
    /// Only those of this heartbeat.
    pub heartbeat: Option<HeartbeatId>,
}

/// Whose runs are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsOf<'a> {
    /// Those of all families.
    All,
    /// Those of a family.
    Family(&'a FamilyId),
    /// Those of a heartbeat of a family.
    Heartbeat(&'a FamilyId, &'a HeartbeatId),
}

/// When something has to be done next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NextWork {
    /// When a heartbeat fires next; in the past if it has not been computed yet.
    pub fire_at: Option<i64>,
    /// When a run can be claimed next.
    pub claim_at: Option<i64>,
    /// When it was decided about the oldest run that has ended.
    pub removable_since: Option<i64>,
}

/// What is known of the runs of a heartbeat when its next planned times are decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecentRuns {
    /// The latest planned time that was not skipped, and what the clock of its time zone showed.
    pub last: Option<(i64, String)>,
    /// The number of runs that were decided in the time that was asked for, and not skipped.
    pub count: usize,
}

/// What is decided about the planned times of a heartbeat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision {
    /// The family.
    pub family: FamilyId,
    /// The heartbeat.
    pub heartbeat: HeartbeatId,
    /// What becomes of each planned time.
    pub runs: Vec<FiredRun>,
    /// Up to when they are decided.
    pub decided_until: i64,
    /// When the heartbeat fires next, as long as it is not changed; none if never.
    pub next_fire_at: Option<i64>,
}

/// Looks up runs, of one family or of all.
pub trait ReadRuns {
    /// Returns the run with this id.
    fn run(&self, family: &FamilyId, id: &RunId) -> StoreResult<Option<FiredRun>>;
    /// Returns a page of runs, those that were decided last first.
    fn runs(&self, family: &FamilyId, list: &RunList) -> StoreResult<Listed<FiredRun>>;
    /// Returns the runs of a heartbeat that have not ended, the earliest planned time first.
    fn open_runs(
        &self,
        family: &FamilyId,
        heartbeat: &HeartbeatId,
    ) -> StoreResult<Listed<FiredRun>>;
    /// Returns for each of these heartbeats, in their order, what is known of its runs: those that
    /// were decided after `since` are counted.
    fn recent_runs(
        &self,
        heartbeats: &[(FamilyId, Heartbeat)],
        since: i64,
    ) -> StoreResult<Vec<RecentRuns>>;
    /// Returns runs that can be claimed at `now`, those that are due longest first. A run can be
    /// claimed if it is due, or if the lease of its claim has ended.
    fn claimable(
        &self,
        of: RunsOf<'_>,
        now: i64,
        limit: usize,
    ) -> StoreResult<Listed<(FamilyId, FiredRun)>>;
    /// Returns active heartbeats that fire until `now`, or whose next fire is not computed yet: of a
    /// family, or of all.
    fn due_heartbeats(
        &self,
        family: Option<&FamilyId>,
        now: i64,
        limit: usize,
    ) -> StoreResult<Listed<(FamilyId, Heartbeat)>>;
    /// Returns when something has to be done next.
    fn next_work(&self) -> StoreResult<NextWork>;
    /// Returns `true` if the planned times of an active heartbeat are decided until after a time.
    fn is_decided_after(&self, time: i64) -> StoreResult<bool>;
    /// Returns the version of the time zone database by which the next fires were computed.
    fn tzdb_version(&self) -> StoreResult<Option<String>>;
}

/// Changes runs.
pub trait WriteRuns: ReadRuns {
    /// Adds a run, unless its heartbeat has one for its planned time; returns whether it was added.
    fn add_run(&self, family: &FamilyId, run: &FiredRun) -> StoreResult<bool>;
    /// Records decisions: adds their runs, which nothing has claimed yet, unless a heartbeat has one for
    /// the planned time already, and records up to when it is decided, and when it fires next. Returns
    /// the ids of the runs that were added.
    fn add_decisions(&self, decisions: &[Decision]) -> StoreResult<Vec<RunId>>;
    /// Replaces a run if its attempt is still `attempt` and it has not ended; returns whether it was.
    fn put_run(&self, family: &FamilyId, run: &FiredRun, attempt: i64) -> StoreResult<bool>;
    /// Extends a claim of a run, if its attempt is still `attempt` and it is still claimed; returns
    /// whether it was. It is no change of the heartbeat.
    fn put_lease(
        &self,
        family: &FamilyId,
        id: &RunId,
        attempt: i64,
        until: i64,
    ) -> StoreResult<bool>;
    /// Records when a run of a heartbeat started. The start of the run is the change of the heartbeat.
    fn put_last_run(&self, family: &FamilyId, heartbeat: &HeartbeatId, at: i64) -> StoreResult<()>;
    /// Records how many runs of a heartbeat failed since the last one that did not.
    fn put_failed_in_row(
        &self,
        family: &FamilyId,
        heartbeat: &HeartbeatId,
        count: i64,
    ) -> StoreResult<()>;
    /// Forgets when heartbeats fire next, so that it is computed again, with this version of the time
    /// zone database.
    fn reset_next_fires(&self, tzdb_version: &str) -> StoreResult<()>;
    /// Forgets decisions about planned times after `now`, made while the clock was ahead: runs that
    /// were skipped or are still due. Those that began stay. Heartbeats that have been decided later
    /// than `now` are decided until `now`.
    fn forget_decisions_after(&self, now: i64) -> StoreResult<()>;
    /// Removes ended runs that were decided before a time, up to a limit; returns how many.
    fn remove_runs_before(&self, decided_at: i64, limit: usize) -> StoreResult<usize>;
}
