//! Noticing what other processes change: SQLite counts the changes of other connections.

use std::path::PathBuf;
use std::time::Duration;

use rusqlite::Connection;

use super::connection;
use super::session::Session;
use crate::store::error::{StoreError, StoreResult};
use crate::store::follow_thread::{Follow, Stop};
use crate::store::versions::{Change, ReadVersions};

/// How often it is checked whether something has changed.
const PAUSE: Duration = Duration::from_millis(250);

/// A connection that notices changes.
pub(super) struct SqliteFollow {
    path: PathBuf,
    connection: Option<Connection>,
    /// The count of changes at the last check.
    data_version: Option<i64>,
}

impl SqliteFollow {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, connection: None, data_version: None }
    }

    fn connection(&mut self) -> StoreResult<&Connection> {
        let connection = match self.connection.take() {
            Some(connection) => connection,
            None => connection::open_for_reading(&self.path).map_err(StoreError::new)?,
        };
        Ok(self.connection.insert(connection))
    }
}

impl Follow for SqliteFollow {
    fn wait(&mut self, stop: &Stop) -> StoreResult<bool> {
        if stop.wait(PAUSE) {
            return Ok(false);
        }
        let connection = self.connection()?;
        let found = connection.query_row("PRAGMA data_version", [], |row| row.get::<_, i64>(0));
        let found = Some(found.map_err(StoreError::new)?);
        let has_changed = self.data_version != found;
        self.data_version = found;
        Ok(has_changed)
    }

    fn changes_after(&mut self, version: i64, limit: usize) -> StoreResult<Vec<Change>> {
        Session::new(self.connection()?).changes_after(version, limit)
    }
}
