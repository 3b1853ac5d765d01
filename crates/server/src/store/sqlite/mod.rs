//! The store in a SQLite database.
//!
//! One thread makes the changes of this process, and a few others read; with a write-ahead log
//! neither waits for the other. Several processes may use one database: one at a time holds its
//! write lock, for which the others wait.

mod activity;
mod answers;
mod blobs;
mod check;
mod checked_table;
mod connection;
mod error;
mod families;
mod follow;
mod grants;
mod heartbeats;
mod inbox;
mod marker;
mod names;
mod readers;
mod remove;
mod rows;
mod runs;
mod schema;
mod session;
mod skill_runs;
mod skills;
mod versions;
mod writer;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::Connection;
use tempfile::TempDir;

pub use activity::EVENT_LISTINGS;
pub use answers::DELETE_OLD_ANSWERS;
pub use blobs::BLOB_LISTINGS;
pub(super) use check::check;
pub use error::OpenError;
pub use heartbeats::HEARTBEAT_LISTING;
pub use inbox::CARD_LISTINGS;
pub(super) use names::{child_names, heartbeat_names};
pub(super) use remove::remove_damaged;
pub use runs::RUN_LISTINGS;
pub use skill_runs::SKILL_RUN_LISTINGS;
pub use skills::SKILL_LISTINGS;

use crate::store::changes::Changes;
use crate::store::engine::{ReadJob, Store, WriteJob};
use crate::store::follow_thread::{CreateFollow, FollowThread};
use crate::store::read_threads::ReadThreads;
use crate::store::write_thread::WriteThread;
use connection::Durability;
use follow::SqliteFollow;
use readers::readers;
use writer::Writer;

/// The name of the database file in its directory.
pub const DATABASE_FILE_NAME: &str = "dibber.db";

/// Returns the path of the database in a data directory, to be shown.
pub fn database_path(directory: &Path) -> PathBuf {
    directory.join(DATABASE_FILE_NAME)
}

/// A SQLite database. It is closed when it is dropped.
pub struct SqliteStore {
    readers: ReadThreads,
    writer: WriteThread,
    changes: Arc<Changes>,
    follow: FollowThread,
}

impl SqliteStore {
    /// Opens the database in a file. What is missing is created: the directory, for this user alone,
    /// the file, and the tables.
    ///
    /// # Errors
    /// If the file cannot be written, is not a database, or is one of another program or of a newer
    /// version; if the disk is full, and if another process keeps the database locked.
    pub fn open(path: &Path) -> Result<Self, OpenError> {
        // Connections are opened later, too, and the working directory may have changed by then.
        let path = std::path::absolute(path).map_err(|cause| OpenError::from_io(path, cause))?;
        let connection = connection::open(&path, Durability::PowerCut)?;
        Ok(Self::new(path, connection, None))
    }

    /// Creates a database that is deleted when it is closed. It is a temporary file, and not in
    /// memory, so that it behaves like every other one, but nothing waits for the disk.
    ///
    /// # Errors
    /// The same as for [`SqliteStore::open`].
    pub fn temporary() -> Result<Self, OpenError> {
        let temp_dir = tempfile::tempdir()
            .map_err(|cause| OpenError::from_io(&std::env::temp_dir(), cause))?;
        let path = temp_dir.path().join(DATABASE_FILE_NAME);
        let connection = connection::open(&path, Durability::Process)?;
        Ok(Self::new(path, connection, Some(temp_dir)))
    }

    fn new(path: PathBuf, connection: Connection, temp_dir: Option<TempDir>) -> Self {
        let changes = Arc::<Changes>::default();
        let writer = Writer { connection, temp_dir, changes: Arc::clone(&changes) };
        let followed = path.clone();
        let create: CreateFollow = Box::new(move || Box::new(SqliteFollow::new(followed.clone())));
        Self {
            readers: readers(path),
            writer: WriteThread::start(writer),
            follow: FollowThread::new(Arc::clone(&changes), create),
            changes,
        }
    }
}

impl Store for SqliteStore {
    fn submit_read(&self, job: ReadJob) {
        self.readers.push(job);
    }

    fn submit_write(&self, job: Box<dyn WriteJob>) {
        self.writer.push(job);
    }

    fn changes(&self) -> &Arc<Changes> {
        &self.changes
    }

    fn follow(&self, after: i64) {
        self.follow.follow(after);
    }

    fn close(&self) {
        self.follow.close();
        // The connection that is closed last removes the write-ahead log, which only the writer can.
        self.readers.close();
        self.writer.close();
    }
}

impl Drop for SqliteStore {
    fn drop(&mut self) {
        self.close();
    }
}
