//! One transaction. Each subject implements its traits on it in a file of its own.

use std::cell::{Cell, RefCell};

use jiff::Timestamp;
use rusqlite::types::{Type, ValueRef};
use rusqlite::{Connection, ErrorCode, OptionalExtension, Params, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::store::error::{StoreError, StoreResult};
use crate::store::listed::Listed;
use crate::store::transaction::{Ending, Writer};
use crate::store::versions::Change;
use dibber_skill::age_range::AgeRange;
use dibber_skill::contract::Id;

/// One transaction.
pub(super) struct Session<'c> {
    connection: &'c Connection,
    /// The number of savepoints around the present statement.
    depth: Cell<usize>,
    /// What has changed and was not rolled back.
    changes: RefCell<Vec<Change>>,
}

impl<'c> Session<'c> {
    pub(super) fn new(connection: &'c Connection) -> Self {
        Self { connection, depth: Cell::new(0), changes: RefCell::default() }
    }

    /// Records what has changed, for those who wait for it.
    pub(super) fn add_change(&self, change: Change) {
        self.changes.borrow_mut().push(change);
    }

    /// Returns what has changed.
    pub(super) fn into_changes(self) -> Vec<Change> {
        self.changes.into_inner()
    }

    /// Returns the first row of a query, if there is one.
    pub(super) fn one<T>(
        &self,
        statement: &str,
        parameters: impl Params,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> StoreResult<Option<T>> {
        let prepared = self.connection.prepare_cached(statement);
        prepared
            .and_then(|mut prepared| prepared.query_row(parameters, read).optional())
            .map_err(store_error)
    }

    /// Returns all rows of a query.
    pub(super) fn all<T>(
        &self,
        statement: &str,
        parameters: impl Params,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> StoreResult<Vec<T>> {
        let prepared = self.connection.prepare_cached(statement);
        prepared
            .and_then(|mut prepared| prepared.query_map(parameters, read)?.collect())
            .map_err(store_error)
    }

    /// Returns the first rows of a query, up to a limit, without those that cannot be parsed.
    pub(super) fn list<T>(
        &self,
        statement: &str,
        parameters: impl Params,
        limit: usize,
        read: fn(&Row<'_>) -> rusqlite::Result<T>,
    ) -> StoreResult<Listed<T>> {
        let mut listed = Listed::default();
        let mut prepared = self.connection.prepare_cached(statement).map_err(store_error)?;
        let mut rows = prepared.query(parameters).map_err(store_error)?;
        while listed.rows.len() < limit
            && let Some(row) = rows.next().map_err(store_error)?
        {
            if let Ok(read) = read(row) {
                listed.rows.push(read);
                continue;
            }
            // Why it cannot be read is not logged: the error may quote the content.
            let id: Option<String> = row.get("id").ok();
            tracing::error!(id, "a damaged row is left out of a list");
            listed.damaged.push(listed.rows.len());
        }
        Ok(listed)
    }

    /// Counts rows of a family.
    pub(super) fn count(&self, statement: &str, family: &str) -> StoreResult<usize> {
        let count = self.one(statement, [family], |row| row.get::<_, i64>(0))?;
        Ok(count.and_then(|count| usize::try_from(count).ok()).unwrap_or_default())
    }

    /// Executes a statement, and returns how many rows it changed.
    pub(super) fn execute(&self, statement: &str, parameters: impl Params) -> StoreResult<usize> {
        let prepared = self.connection.prepare_cached(statement);
        prepared.and_then(|mut prepared| prepared.execute(parameters)).map_err(store_error)
    }

    /// Executes a statement that has to change one row.
    pub(super) fn execute_one(&self, statement: &str, parameters: impl Params) -> StoreResult<()> {
        match self.execute(statement, parameters)? {
            1 => Ok(()),
            _ => Err(StoreError::NotFound),
        }
    }
}

/// Converts an error of SQLite. That a row is damaged is all that is kept of an error about a value,
/// whose message may quote the value.
fn store_error(error: rusqlite::Error) -> StoreError {
    match error {
        rusqlite::Error::FromSqlConversionFailure(..)
        | rusqlite::Error::InvalidColumnType(..)
        | rusqlite::Error::IntegralValueOutOfRange(..)
        | rusqlite::Error::Utf8Error(..) => StoreError::Damaged,
        error => match error.sqlite_error_code() {
            Some(ErrorCode::DatabaseCorrupt | ErrorCode::NotADatabase) => StoreError::Damaged,
            _ => StoreError::new(error),
        },
    }
}

impl Session<'_> {
    /// Runs work in a savepoint.
    fn in_savepoint(&self, work: &mut dyn FnMut() -> Ending) -> StoreResult<()> {
        // A panic leaves savepoints within this one open. It has a name of its own, so that they end
        // with it.
        let depth = self.depth.get();
        let name = format!("work_{depth}");
        self.execute(&format!("SAVEPOINT {name}"), [])?;
        self.depth.set(depth + 1);
        let ending = work();
        self.depth.set(depth);
        // After some errors, as of a full disk, SQLite rolls the whole transaction back by itself.
        // The savepoint is gone then, and a statement would run in a transaction of its own.
        if self.connection.is_autocommit() {
            return Err(StoreError::RolledBack);
        }
        if ending == Ending::RollBack {
            self.execute(&format!("ROLLBACK TO {name}"), [])?;
        }
        self.execute(&format!("RELEASE {name}"), []).map(drop)
    }
}

impl Writer for Session<'_> {
    fn savepoint(&self, work: &mut dyn FnMut() -> Ending) -> StoreResult<()> {
        let mark = self.changes.borrow().len();
        let mut ending = Ending::RollBack;
        let ended = self.in_savepoint(&mut || {
            ending = work();
            ending
        });
        // The versions of what was rolled back are given again, to the next changes.
        if ended.is_err() || ending == Ending::RollBack {
            self.changes.borrow_mut().truncate(mark);
        }
        ended
    }
}

/// Reads a column that holds an id.
pub(super) fn id<K>(row: &Row<'_>, column: usize) -> rusqlite::Result<Id<K>> {
    row.get::<_, String>(column).map(Id::from)
}

/// Reads a column that may hold an id.
pub(super) fn optional_id<K>(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Id<K>>> {
    Ok(row.get::<_, Option<String>>(column)?.map(Id::from))
}

/// Serializes a value as JSON.
pub(super) fn to_json(value: &impl Serialize) -> StoreResult<String> {
    serde_json::to_string(value).map_err(StoreError::new)
}

/// Parses a column that holds JSON.
pub(super) fn from_json<T: DeserializeOwned>(row: &Row<'_>, column: usize) -> rusqlite::Result<T> {
    serde_json::from_str(row.get_ref(column)?.as_str()?).map_err(|error| {
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
    })
}

/// Parses a column that holds one of a few words.
pub(super) fn from_word<T>(
    row: &Row<'_>,
    column: usize,
    parse: impl FnOnce(&str) -> Option<T>,
) -> rusqlite::Result<T> {
    let word = row.get_ref(column)?.as_str()?;
    parse(word).ok_or_else(|| {
        let error = format!("unexpected value `{word}`");
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, error.into())
    })
}

/// Returns an error if a column holds something else than ages or nothing.
pub(super) fn check_age_range(row: &Row<'_>, column: usize) -> rusqlite::Result<()> {
    match row.get_ref(column)? {
        ValueRef::Null => Ok(()),
        _ => from_word(row, column, |ages| ages.parse::<AgeRange>().ok()).map(drop),
    }
}

/// Returns a time in milliseconds since 1970, which has to be within the range of the calendar.
pub(super) fn time(row: &Row<'_>, column: usize) -> rusqlite::Result<i64> {
    let milliseconds = row.get(column)?;
    match Timestamp::from_millisecond(milliseconds) {
        Ok(_) => Ok(milliseconds),
        Err(_) => Err(rusqlite::Error::IntegralValueOutOfRange(column, milliseconds)),
    }
}

/// Returns a time, or none.
pub(super) fn optional_time(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<i64>> {
    match row.get_ref(column)? {
        ValueRef::Null => Ok(None),
        _ => time(row, column).map(Some),
    }
}
