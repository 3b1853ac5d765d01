//! The versions of resources: with one, a reader knows whether a resource has changed since it was read.
//!
//! A change gives each resource that it concerns the next number of the whole store, in its
//! transaction. Transactions that change something run one at a time, so that the numbers become
//! visible in their order: a reader that has seen all changes up to a number finds the later ones after it.
//! A number that was committed is not given again; one of a change that is undone is.

use dibber_skill::contract::HeartbeatId;

use super::error::StoreResult;
use super::families::FamilyId;
use super::resource::Resource;

/// A change of a resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The family.
    pub family: FamilyId,
    /// What has changed.
    pub resource: Resource,
    /// The version since then.
    pub version: i64,
}

/// Looks up versions.
pub trait ReadVersions {
    /// Returns the version of a resource; 0 if it has not changed since versions are recorded.
    fn version(&self, family: &FamilyId, resource: &Resource) -> StoreResult<i64>;
    /// Returns the newest version of all resources of all families.
    fn newest_version(&self) -> StoreResult<i64>;
    /// Returns the resources of all families that have changed after a version, the latest change of
    /// each, in the order of their versions.
    fn changes_after(&self, version: i64, limit: usize) -> StoreResult<Vec<Change>>;
}

/// Records changes. What changes a resource does so itself, in the same transaction.
pub trait WriteVersions: ReadVersions {
    /// Records that a resource has changed.
    fn record_change(&self, family: &FamilyId, resource: Resource) -> StoreResult<()>;
    /// Records that a heartbeat, its runs or its cards have changed, and with it the day of the child
    /// that it is for. A heartbeat that is gone has no version.
    fn record_heartbeat_change(&self, family: &FamilyId, id: &HeartbeatId) -> StoreResult<()>;
}
