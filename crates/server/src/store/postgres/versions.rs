//! The versions of resources.

use postgres::Row;
use serde_json::json;

use super::checked_table::CheckedTable;
use super::session::Session;
use super::value::{DamagedColumn, Parsed, escape, id, integer, optional_id, text, values};
use crate::store::error::{StoreError, StoreResult};
use crate::store::families::FamilyId;
use crate::store::resource::Resource;
use crate::store::versions::{Change, ReadVersions, WriteVersions};
use dibber_skill::contract::HeartbeatId;

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
            "SELECT version FROM resource_versions WHERE family_id = $1 AND resource = $2";
        let version =
            self.one(statement, values![family, &resource.key()], |row| integer(row, 0))?;
        Ok(version.unwrap_or_default())
    }

    fn newest_version(&self) -> StoreResult<i64> {
        let statement = "SELECT COALESCE(MAX(version), 0) FROM resource_versions";
        self.one(statement, &[], |row| integer(row, 0))?.ok_or(StoreError::Damaged)
    }

    fn changes_after(&self, version: i64, limit: usize) -> StoreResult<Vec<Change>> {
        let statement = concat!(
            "SELECT ",
            columns!(),
            " FROM resource_versions WHERE version > $1 ORDER BY version"
        );
        Ok(self.page(statement, values![version], limit, change)?.rows)
    }
}

impl Session<'_> {
    /// Records that resources have changed, with one statement.
    pub(super) fn record_changes(
        &self,
        mut resources: Vec<(FamilyId, Resource)>,
    ) -> StoreResult<()> {
        // A statement does not change a row twice.
        resources.sort();
        resources.dedup();
        let rows = resources.iter().map(|(family, resource)| {
            json!({"family": escape(family.as_str()), "resource": escape(&resource.key())})
        });
        let rows = serde_json::Value::Array(rows.collect()).to_string();
        let statement = concat!(
            "INSERT INTO resource_versions (",
            columns!(),
            ")
             SELECT changed.family, changed.resource, newest.version + changed.position
             FROM ROWS FROM (json_to_recordset($1::json) AS (family TEXT, resource TEXT))
                 WITH ORDINALITY AS changed (family, resource, position),
                 (SELECT COALESCE(MAX(version), 0) AS version FROM resource_versions) AS newest
             ORDER BY changed.position
             ON CONFLICT (family_id, resource) DO UPDATE SET version = excluded.version
             RETURNING ",
            columns!()
        );
        let mut changes = self.all(statement, values![&rows], change)?;
        changes.sort_by_key(|change| change.version);
        for change in changes {
            self.add_change(change);
        }
        Ok(())
    }
}

impl WriteVersions for Session<'_> {
    fn record_change(&self, family: &FamilyId, resource: Resource) -> StoreResult<()> {
        let statement = "INSERT INTO resource_versions (family_id, resource, version)
             VALUES ($1, $2, (SELECT COALESCE(MAX(version), 0) + 1 FROM resource_versions))
             ON CONFLICT (family_id, resource) DO UPDATE SET version = excluded.version
             RETURNING version";
        let version =
            self.one(statement, values![family, &resource.key()], |row| integer(row, 0))?;
        let version = version.ok_or(StoreError::Damaged)?;
        self.add_change(Change { family: family.clone(), resource, version });
        Ok(())
    }

    fn record_heartbeat_change(&self, family: &FamilyId, id: &HeartbeatId) -> StoreResult<()> {
        let statement = "SELECT child_id FROM heartbeats WHERE family_id = $1 AND id = $2";
        let child = self.one(statement, values![family, id], |row| optional_id(row, 0))?;
        let Some(child) = child else { return Ok(()) };
        self.record_change(family, Resource::Heartbeat(id.clone()))?;
        match child {
            Some(child) => self.record_change(family, Resource::Today(child)),
            None => Ok(()),
        }
    }
}

fn change(row: &Row) -> Parsed<Change> {
    let resource = Resource::from_key(&text(row, 1)?).ok_or(DamagedColumn(1))?;
    Ok(Change { family: id(row, 0)?, resource, version: integer(row, 2)? })
}
