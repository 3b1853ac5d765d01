//! Connections for looking, which are made when they are needed and kept for the next one.

use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rusqlite::Connection;

use super::connection;
use crate::store::{StoreError, Stored};

/// The most connections that are kept while nobody needs them.
const KEPT_MAX: usize = 16;

/// The connections for looking.
pub(super) struct Readers {
    path: PathBuf,
    /// Those that nobody needs; none once the store is closed.
    idle: Mutex<Option<Vec<Connection>>>,
}

impl Readers {
    pub(super) fn new(path: PathBuf) -> Self {
        Self { path, idle: Mutex::new(Some(Vec::new())) }
    }

    /// Does something with a connection.
    pub(super) fn with<T>(&self, work: impl FnOnce(&Connection) -> T) -> Stored<T> {
        let idle = self.idle().as_mut().map(Vec::pop);
        let connection = match idle {
            Some(Some(connection)) => connection,
            Some(None) => connection::open_for_reading(&self.path).map_err(StoreError::new)?,
            None => return Err(StoreError::new("the store is closed")),
        };
        // A connection on which the work panics is not kept.
        let result = work(&connection);
        if let Some(idle) = self.idle().as_mut().filter(|idle| idle.len() < KEPT_MAX) {
            idle.push(connection);
        }
        Ok(result)
    }

    /// Closes those that nobody needs now, and the others when they are given back.
    pub(super) fn close(&self) {
        *self.idle() = None;
    }

    fn idle(&self) -> MutexGuard<'_, Option<Vec<Connection>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
