//! What can be done within one transaction.

use super::activity::{ReadActivity, WriteActivity};
use super::answers::IdempotencyRecords;
use super::blobs::{ReadBlobs, WriteBlobs};
use super::error::{StoreError, StoreResult};
use super::families::{ReadFamilies, WriteFamilies};
use super::grants::{ReadGrants, WriteGrants};
use super::heartbeats::{ReadHeartbeats, WriteHeartbeats};
use super::inbox::{ReadInbox, WriteInbox};
use super::rows::{ReadRows, WriteRows};
use super::runs::{ReadRuns, WriteRuns};
use super::skill_runs::{ReadSkillRuns, WriteSkillRuns};
use super::skills::{ReadSkills, WriteSkills};
use super::versions::{ReadVersions, WriteVersions};

/// A consistent state of the store.
pub trait Reader:
    ReadFamilies
    + ReadGrants
    + ReadSkills
    + ReadHeartbeats
    + ReadRuns
    + ReadInbox
    + ReadActivity
    + ReadVersions
    + ReadBlobs
    + ReadSkillRuns
    + ReadRows
{
}

impl<T> Reader for T where
    T: ReadFamilies
        + ReadGrants
        + ReadSkills
        + ReadHeartbeats
        + ReadRuns
        + ReadInbox
        + ReadActivity
        + ReadVersions
        + ReadBlobs
        + ReadSkillRuns
        + ReadRows
{
}

/// A transaction that changes the store. What refers to something refers to it within the same
/// family; a change that would break that fails.
pub trait Writer:
    Reader
    + WriteFamilies
    + WriteGrants
    + WriteSkills
    + WriteHeartbeats
    + WriteRuns
    + WriteInbox
    + WriteActivity
    + WriteVersions
    + WriteBlobs
    + WriteSkillRuns
    + IdempotencyRecords
    + WriteRows
{
    /// Runs a part of the transaction that can be rolled back by itself. Savepoints nest.
    fn savepoint(&self, work: &mut dyn FnMut() -> Ending) -> StoreResult<()>;
}

/// How a transaction or a savepoint ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// What it changed stays.
    Commit,
    /// What it changed is undone.
    RollBack,
}

impl Ending {
    /// Returns the ending after work with this result: an error undoes what was changed.
    pub(super) fn after<T, E>(result: &Result<T, E>) -> Self {
        match result {
            Ok(_) => Self::Commit,
            Err(_) => Self::RollBack,
        }
    }
}

/// Runs `work` in a savepoint of a transaction; if it fails, its changes are rolled back, and the
/// transaction goes on. If it cannot be rolled back, the error of the store is returned, so that
/// the transaction is not committed with half of the work.
pub fn attempt<T, E: From<StoreError>>(
    store: &(impl Writer + ?Sized),
    work: impl FnOnce() -> Result<T, E>,
) -> Result<T, E> {
    let mut work = Some(work);
    let mut result = None;
    let ended = store.savepoint(&mut || match work.take() {
        Some(work) => Ending::after(result.insert(work())),
        None => Ending::RollBack,
    });
    match (result, ended) {
        (_, Err(error)) => Err(error.into()),
        (Some(done), Ok(())) => done,
        (None, Ok(())) => Err(StoreError::Dropped.into()),
    }
}
