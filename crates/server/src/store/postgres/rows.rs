//! Rows as they are.

use postgres::Row;

use super::session::Session;
use super::value::{Parsed, Value, complete, integer, optional_integer, optional_text, values};
use crate::store::error::StoreResult;
use crate::store::families::FamilyId;
use crate::store::rows::{Column, ReadRows, StoredRow, StoredValue, Table, WriteRows};

impl ReadRows for Session<'_> {
    fn rows_after(
        &self,
        table: &Table,
        family: &FamilyId,
        after: i64,
        limit: usize,
    ) -> StoreResult<Vec<StoredRow>> {
        let statement = format!(
            "SELECT {}, seq FROM {} WHERE {} AND seq > $2 ORDER BY seq LIMIT $3",
            table.column_names(),
            table.name,
            owner_condition(table)
        );
        let limit = i64::try_from(limit).unwrap_or(i64::MAX);
        let rows = self.rows(&statement, values![family, after, limit])?;
        complete(rows.iter().map(|row| stored_row(table, row)).collect())
    }

    fn row_count(&self, table: &Table, family: &FamilyId) -> StoreResult<usize> {
        let owner = owner_condition(table);
        let statement = format!("SELECT COUNT(*) FROM {} WHERE {owner}", table.name);
        self.count(&statement, family.as_str())
    }
}

impl WriteRows for Session<'_> {
    fn add_row(&self, table: &Table, values: &[StoredValue]) -> StoreResult<()> {
        let values: Vec<_> = table.columns.iter().zip(values).map(to_value).collect();
        self.execute_one(&table.insertion('$'), &values)
    }

    fn set_server_id(&self, id: &str) -> StoreResult<()> {
        self.execute_one("UPDATE server SET id = $1", values![id])
    }
}

fn owner_condition(table: &Table) -> String {
    table.owner_condition().replace('?', "$")
}

fn to_value<'v>((column, value): (&Column, &'v StoredValue)) -> Value<'v> {
    match value {
        StoredValue::Null if column.is_integer => Value::Integer(None),
        StoredValue::Null => Value::Text(None),
        StoredValue::Integer(integer) => Value::from(*integer),
        StoredValue::Text(text) => Value::from(text),
    }
}

fn stored_row(table: &Table, row: &Row) -> Parsed<StoredRow> {
    let value = |(number, column): (usize, &Column)| -> Parsed<StoredValue> {
        Ok(if column.is_integer {
            optional_integer(row, number)?.map_or(StoredValue::Null, StoredValue::Integer)
        } else {
            optional_text(row, number)?.map_or(StoredValue::Null, StoredValue::Text)
        })
    };
    let values = table.columns.iter().enumerate().map(value).collect::<Parsed<_>>()?;
    Ok(StoredRow { values, number: integer(row, table.columns.len())? })
}
