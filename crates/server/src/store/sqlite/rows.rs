//! Rows as they are.

use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Row, ToSql, params, params_from_iter};

use super::session::Session;
use crate::store::error::{StoreError, StoreResult};
use crate::store::families::FamilyId;
use crate::store::rows::{ReadRows, StoredRow, StoredValue, Table, WriteRows};

impl ReadRows for Session<'_> {
    fn rows_after(
        &self,
        table: &Table,
        family: &FamilyId,
        after: i64,
        limit: usize,
    ) -> StoreResult<Vec<StoredRow>> {
        let statement = format!(
            "SELECT {}, rowid FROM {} WHERE {} AND rowid > ?2 ORDER BY rowid LIMIT ?3",
            table.column_names(),
            table.name,
            table.owner_condition()
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.all(&statement, params![family.as_str(), after, limit], stored_row)?;
        let fits = rows.iter().all(|row| has_kinds(table, &row.values));
        if fits { Ok(rows) } else { Err(StoreError::Damaged) }
    }

    fn row_count(&self, table: &Table, family: &FamilyId) -> StoreResult<usize> {
        let owner = table.owner_condition();
        let statement = format!("SELECT COUNT(*) FROM {} WHERE {owner}", table.name);
        self.count(&statement, family.as_str())
    }
}

impl WriteRows for Session<'_> {
    fn add_row(&self, table: &Table, values: &[StoredValue]) -> StoreResult<()> {
        self.execute_one(&table.insertion('?'), params_from_iter(values))
    }

    fn set_server_id(&self, id: &str) -> StoreResult<()> {
        self.execute_one("UPDATE server SET id = ?1", [id])
    }
}

impl ToSql for StoredValue {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Integer(integer) => ValueRef::Integer(*integer),
            Self::Text(text) => ValueRef::Text(text.as_bytes()),
        }))
    }
}

/// Returns `true` if each value is of the kind of its column. A column of SQLite takes any.
fn has_kinds(table: &Table, values: &[StoredValue]) -> bool {
    table.columns.iter().zip(values).all(|(column, value)| match value {
        StoredValue::Null => true,
        StoredValue::Integer(_) => column.is_integer,
        StoredValue::Text(_) => !column.is_integer,
    })
}

fn stored_row(row: &Row<'_>) -> rusqlite::Result<StoredRow> {
    let number = row.as_ref().column_count() - 1;
    let values = (0..number).map(|column| {
        Ok(match row.get_ref(column)? {
            ValueRef::Null => StoredValue::Null,
            ValueRef::Integer(integer) => StoredValue::Integer(integer),
            _ => StoredValue::Text(row.get(column)?),
        })
    });
    Ok(StoredRow { values: values.collect::<rusqlite::Result<_>>()?, number: row.get(number)? })
}
