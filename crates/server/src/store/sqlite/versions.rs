//! The versions of resources.

use rusqlite::Row;
use rusqlite::types::Type;

use super::checked_table::CheckedTable;
use super::session::{Session, id};
use crate::store::error::{StoreError, StoreResult};
use crate::store::families::FamilyId;
use crate::store::resource::Resource;
use crate::store::versions::{Change, ReadVersions, WriteVersions};
use dibber_skill::contract::{ChildId, HeartbeatId};

/// The columns of a change, in the order of [`change`].
macro_rules! columns {
    () => {
        "family_id, resource, version"
    };
}

/// The table, for a check of the database.
pub(super) const CHECKED: &[CheckedTable] = &[CheckedTable {
    name: "resource_versions",
    columns: columns!(),
    parse: |row| change(row).map(drop),
    id: |_| None,
}];

impl ReadVersions for Session<'_> {
    fn version(&self, family: &FamilyId, resource: &Resource) -> StoreResult<i64> {
        let statement =
            "SELECT version FROM resource_versions WHERE family_id = ?1 AND resource = ?2";
        let keys = (family.as_str(), resource.key());
        Ok(self.one(statement, keys, |row| row.get(0))?.unwrap_or_default())
    }

    fn newest_version(&self) -> StoreResult<i64> {
        let statement = "SELECT COALESCE(MAX(version), 0) FROM resource_versions";
        self.one(statement, [], |row| row.get(0))?.ok_or(StoreError::Damaged)
    }

    fn changes_after(&self, version: i64, limit: usize) -> StoreResult<Vec<Change>> {
        let statement = concat!(
            "SELECT ",
            columns!(),
            " FROM resource_versions WHERE version > ?1 ORDER BY version"
        );
        Ok(self.list(statement, [version], limit, change)?.rows)
    }
}

impl WriteVersions for Session<'_> {
    fn record_change(&self, family: &FamilyId, resource: Resource) -> StoreResult<()> {
        let statement = "INSERT INTO resource_versions (family_id, resource, version)
             VALUES (?1, ?2, (SELECT COALESCE(MAX(version), 0) + 1 FROM resource_versions))
             ON CONFLICT (family_id, resource) DO UPDATE SET version = excluded.version
             RETURNING version";
        let keys = (family.as_str(), resource.key());
        let version = self.one(statement, keys, |row| row.get(0))?.ok_or(StoreError::Damaged)?;
        self.add_change(Change { family: family.clone(), resource, version });
        Ok(())
    }

    fn record_heartbeat_change(&self, family: &FamilyId, id: &HeartbeatId) -> StoreResult<()> {
        let statement = "SELECT child_id FROM heartbeats WHERE family_id = ?1 AND id = ?2";
        let child: Option<Option<String>> =
            self.one(statement, [family.as_str(), id.as_str()], |row| row.get(0))?;
        let Some(child) = child else { return Ok(()) };
        self.record_change(family, Resource::Heartbeat(id.clone()))?;
        match child.map(ChildId::from) {
            Some(child) => self.record_change(family, Resource::Today(child)),
            None => Ok(()),
        }
    }
}

fn change(row: &Row<'_>) -> rusqlite::Result<Change> {
    let resource = row.get_ref(1)?.as_str().map(Resource::from_key)?.ok_or_else(|| {
        rusqlite::Error::FromSqlConversionFailure(1, Type::Text, "not a resource".into())
    })?;
    Ok(Change { family: id(row, 0)?, resource, version: row.get(2)? })
}
