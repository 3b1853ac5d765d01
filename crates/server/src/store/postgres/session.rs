//! One transaction. Each subject implements its traits on it in a file of its own.

use std::cell::{Cell, RefCell};

use postgres::{Error, Row};

use super::connection::Connection;
use super::error::store_error;
use super::value::{Parsed, Value, complete, integer, optional_text};
use crate::store::error::{StoreError, StoreResult};
use crate::store::listed::Listed;
use crate::store::transaction::{Ending, Writer};
use crate::store::versions::Change;

/// One transaction.
pub(super) struct Session<'c> {
    connection: RefCell<&'c mut Connection>,
    /// Whether a statement has failed since the last savepoint that was rolled back. PostgreSQL
    /// then refuses further statements, and answers a commit with success although it rolls back.
    is_aborted: Cell<bool>,
    /// The number of savepoints around the present statement.
    depth: Cell<usize>,
    /// What has changed and was not rolled back.
    changes: RefCell<Vec<Change>>,
}

impl<'c> Session<'c> {
    /// Returns the transaction that a connection has begun.
    pub(super) fn new(connection: &'c mut Connection) -> Self {
        let connection = RefCell::new(connection);
        let (is_aborted, depth) = (Cell::new(false), Cell::new(0));
        Self { connection, is_aborted, depth, changes: RefCell::default() }
    }

    /// Records what has changed, for those who wait for it.
    pub(super) fn add_change(&self, change: Change) {
        self.changes.borrow_mut().push(change);
    }

    /// Returns what has changed.
    pub(super) fn into_changes(self) -> Vec<Change> {
        self.changes.into_inner()
    }

    /// Returns `true` if the connection was lost, and the transaction with it.
    pub(super) fn is_lost(&self) -> bool {
        self.connection.borrow().is_closed()
    }

    /// Executes statements without parameters.
    fn batch(&self, statements: &str) -> StoreResult<()> {
        self.report(self.connection.borrow_mut().batch(statements))
    }

    /// Returns the rows of a query.
    pub(super) fn rows(&self, statement: &str, parameters: &[Value<'_>]) -> StoreResult<Vec<Row>> {
        self.report(self.connection.borrow_mut().query(statement, parameters))
    }

    fn report<T>(&self, result: Result<T, Error>) -> StoreResult<T> {
        result.map_err(|error| {
            self.is_aborted.set(true);
            store_error(&error)
        })
    }

    /// Returns the first row of a query, if there is one.
    pub(super) fn one<T>(
        &self,
        statement: &str,
        parameters: &[Value<'_>],
        read: fn(&Row) -> Parsed<T>,
    ) -> StoreResult<Option<T>> {
        let rows = self.rows(statement, parameters)?;
        complete(rows.first().map(read).transpose())
    }

    /// Returns all rows of a query.
    pub(super) fn all<T>(
        &self,
        statement: &str,
        parameters: &[Value<'_>],
        read: fn(&Row) -> Parsed<T>,
    ) -> StoreResult<Vec<T>> {
        let rows = self.rows(statement, parameters)?;
        complete(rows.iter().map(read).collect())
    }

    /// Returns all rows of a query, without those that cannot be parsed.
    pub(super) fn list<T>(
        &self,
        statement: &str,
        parameters: &[Value<'_>],
        read: fn(&Row) -> Parsed<T>,
    ) -> StoreResult<Listed<T>> {
        let mut listed = Listed::default();
        add_to_list(&mut listed, &self.rows(statement, parameters)?, read);
        Ok(listed)
    }

    /// Returns the first rows of a query, up to a limit, without those that cannot be parsed.
    pub(super) fn page<T>(
        &self,
        statement: &str,
        parameters: &[Value<'_>],
        limit: usize,
        read: fn(&Row) -> Parsed<T>,
    ) -> StoreResult<Listed<T>> {
        let count = parameters.len();
        let statement = format!("{statement} LIMIT ${} OFFSET ${}", count + 1, count + 2);
        let (mut listed, mut offset) = (Listed::default(), 0_usize);
        // Further rows take the places of those that are damaged, of which there are hardly any.
        while listed.rows.len() < limit {
            let missing = limit - listed.rows.len();
            let ends = [missing, offset].map(|it| i64::try_from(it).unwrap_or(i64::MAX));
            let parameters: Vec<_> =
                parameters.iter().cloned().chain(ends.map(Value::from)).collect();
            let rows = self.rows(&statement, &parameters)?;
            add_to_list(&mut listed, &rows, read);
            if rows.len() < missing {
                break;
            }
            offset += rows.len();
        }
        Ok(listed)
    }

    /// Counts rows of a family.
    pub(super) fn count(&self, statement: &str, family: &str) -> StoreResult<usize> {
        let count = self.one(statement, &[family.into()], |row| integer(row, 0))?;
        Ok(count.and_then(|count| usize::try_from(count).ok()).unwrap_or_default())
    }

    /// Executes a statement, and returns how many rows it changed.
    pub(super) fn execute(&self, statement: &str, parameters: &[Value<'_>]) -> StoreResult<usize> {
        let changed = self.report(self.connection.borrow_mut().execute(statement, parameters))?;
        Ok(usize::try_from(changed).unwrap_or(usize::MAX))
    }

    /// Executes a statement that has to change one row.
    pub(super) fn execute_one(&self, statement: &str, parameters: &[Value<'_>]) -> StoreResult<()> {
        match self.execute(statement, parameters)? {
            1 => Ok(()),
            _ => Err(StoreError::NotFound),
        }
    }
}

fn add_to_list<T>(listed: &mut Listed<T>, rows: &[Row], read: fn(&Row) -> Parsed<T>) {
    for row in rows {
        if let Ok(read) = read(row) {
            listed.rows.push(read);
            continue;
        }
        // Why it cannot be read is not logged: it may be about the content.
        let column = row.columns().iter().position(|column| column.name() == "id");
        let id = column.and_then(|column| optional_text(row, column).ok().flatten());
        tracing::error!(id, "a damaged row is left out of a list");
        listed.damaged.push(listed.rows.len());
    }
}

impl Session<'_> {
    /// Runs work in a savepoint.
    fn in_savepoint(&self, work: &mut dyn FnMut() -> Ending) -> StoreResult<()> {
        // A panic leaves savepoints within this one open. It has a name of its own, so that they end
        // with it.
        let depth = self.depth.get();
        let name = format!("work_{depth}");
        self.batch(&format!("SAVEPOINT {name}"))?;
        self.depth.set(depth + 1);
        let ending = work();
        self.depth.set(depth);
        if self.is_lost() {
            return Err(StoreError::RolledBack);
        }
        let is_aborted = self.is_aborted.get();
        if ending == Ending::Commit && !is_aborted {
            return self.batch(&format!("RELEASE {name}"));
        }
        self.batch(&format!("ROLLBACK TO {name}; RELEASE {name}"))?;
        self.is_aborted.set(false);
        if ending == Ending::Commit { Err(StoreError::RolledBack) } else { Ok(()) }
    }
}

impl Writer for Session<'_> {
    /// After a statement that fails, nothing else succeeds before the savepoint is rolled back: work
    /// that goes on after such an error, and ends with [`Ending::Commit`], is rolled back as well.
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
