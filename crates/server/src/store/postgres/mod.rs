//! The store in a PostgreSQL database.
//!
//! As with SQLite, one thread makes the changes of this process, and a few others read, each on a
//! connection of its own, which is made again when it was lost. Several processes may use one
//! database: one at a time holds the lock for changes, for which the others wait, as `writer`
//! explains. Readers wait for nothing.
//!
//! A connection needs a session of its own: its prepared statements and settings are lost if a
//! connection pooler gives each transaction another one.

mod activity;
mod address;
mod answers;
mod blobs;
mod check;
mod checked_table;
mod connection;
mod decisions;
mod error;
mod families;
mod follow;
mod grants;
mod heartbeats;
mod inbox;
mod names;
mod own_thread;
mod readers;
mod rows;
mod runs;
mod schema;
mod session;
mod skill_runs;
mod skills;
mod tls;
mod value;
mod versions;
mod writer;

pub use address::{InvalidUrl, PostgresAddress};
pub(super) use check::{check, check_exists};
pub use error::OpenError;
pub(super) use names::{child_names, heartbeat_names};

use std::sync::Arc;

use crate::store::changes::Changes;
use crate::store::engine::{ReadJob, Store, WriteJob};
use crate::store::follow_thread::{CreateFollow, FollowThread};
use crate::store::read_threads::ReadThreads;
use crate::store::write_thread::WriteThread;
use connection::{Connection, Reconnecting};
use follow::PostgresFollow;
use own_thread::on_own_thread;
use readers::readers;
use writer::Writer;

/// A PostgreSQL database. It is closed when it is dropped.
pub struct PostgresStore {
    readers: ReadThreads,
    writer: WriteThread,
    changes: Arc<Changes>,
    follow: FollowThread,
}

impl PostgresStore {
    /// Opens a database. The tables are created if there are none.
    ///
    /// # Errors
    /// If the server cannot be reached, or the tables cannot be created, are those of another
    /// program or of a newer version.
    pub fn open(address: &PostgresAddress) -> Result<Self, OpenError> {
        let connection = on_own_thread(|| {
            let mut connection = Connection::open(address)?;
            schema::migrate(&mut connection, address)?;
            Ok(connection)
        })?;
        let connection = Reconnecting::new(address.clone(), Some(connection));
        let changes = Arc::<Changes>::default();
        let writer = WriteThread::start(Writer::new(connection, Arc::clone(&changes)));
        let followed = address.clone();
        let create: CreateFollow =
            Box::new(move || Box::new(PostgresFollow::new(followed.clone())));
        let follow = FollowThread::new(Arc::clone(&changes), create);
        Ok(Self { readers: readers(address.clone()), writer, changes, follow })
    }
}

impl Store for PostgresStore {
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
        self.readers.close();
        self.writer.close();
    }
}

impl Drop for PostgresStore {
    fn drop(&mut self) {
        self.close();
    }
}
