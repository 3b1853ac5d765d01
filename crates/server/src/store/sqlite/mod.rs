//! The store in a SQLite database.
//!
//! One thread makes the changes of this process, and whoever looks does so on a connection of
//! its own; with a write-ahead log neither waits for the other. Several processes may use one
//! database: SQLite keeps their changes apart, and each waits a while for its turn.

mod connection;
mod error;
mod families;
mod heartbeats;
mod idempotency;
mod readers;
mod schema;
mod session;
mod skills;
mod writer;

use std::path::Path;

use serde_json::Value;

pub use error::OpenError;
pub use heartbeats::LISTING as HEARTBEAT_LISTING;
pub use idempotency::FORGET as FORGET_ANSWERS;
pub use skills::LISTINGS as SKILL_LISTINGS;

use super::{Change, Done, Reader, Store, StoreError};
use crate::failure::Failure;
use connection::Durability;
use readers::Readers;
use session::Session;
use writer::Queue;

/// The name of the database file in its folder.
pub const DATABASE_FILE_NAME: &str = "dibber.db";

/// A SQLite database. It is closed when it is dropped.
pub struct SqliteStore {
    readers: Readers,
    queue: Queue,
}

impl SqliteStore {
    /// Opens the database in that file. What is missing is made: the folder, for this user alone,
    /// the file, and the tables.
    ///
    /// # Errors
    /// When it cannot be written, is no database or one of another program or of a newer version,
    /// when the disk is full, and when another process keeps it locked.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        // Connections are made later, too, and the working directory may have changed by then.
        let path = std::path::absolute(path).map_err(|cause| OpenError::of_file(path, cause))?;
        let connection = connection::open(&path, Durability::PowerCut)?;
        Ok(Self { readers: Readers::new(path), queue: Queue::start(connection, ()) })
    }

    /// Makes a database that is gone when it is closed. It lies among the temporary files, not in
    /// memory, so that it behaves like every other one, but nothing waits for the disk.
    ///
    /// # Errors
    /// As for [`SqliteStore::open`].
    pub fn temporary() -> Result<Self, OpenError> {
        let folder = tempfile::tempdir()
            .map_err(|cause| OpenError::of_file(&std::env::temp_dir(), cause))?;
        let path = folder.path().join(DATABASE_FILE_NAME);
        let connection = connection::open(&path, Durability::Process)?;
        Ok(Self { readers: Readers::new(path), queue: Queue::start(connection, folder) })
    }
}

impl Store for SqliteStore {
    fn read(
        &self,
        work: &mut dyn FnMut(&dyn Reader) -> Result<Value, Failure>,
    ) -> Result<Value, Failure> {
        self.readers.with(|connection| {
            // It ends without a commit, since nothing was changed.
            let transaction = connection.unchecked_transaction().map_err(StoreError::new)?;
            work(&Session::new(&transaction))
        })?
    }

    fn write(&self, change: Change, done: Done) {
        self.queue.push(change, done);
    }

    fn close(&self) {
        self.readers.close();
        self.queue.close();
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.close();
    }
}
