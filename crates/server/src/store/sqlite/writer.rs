//! Running jobs in a transaction of the one connection that makes changes.

use std::sync::Arc;
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use tempfile::TempDir;

use super::session::Session;
use crate::store::changes::Changes;
use crate::store::engine::WriteJob;
use crate::store::error::{StoreError, StoreResult};
use crate::store::write_thread::{BatchWriter, run_job};

/// The connection that makes changes.
pub(super) struct Writer {
    pub(super) connection: Connection,
    /// The directory of a temporary database, which is deleted after the connection is closed.
    pub(super) temp_dir: Option<TempDir>,
    /// Who waits for changes.
    pub(super) changes: Arc<Changes>,
}

impl BatchWriter for Writer {
    fn commit_batch(
        &mut self,
        jobs: &mut [Box<dyn WriteJob>],
    ) -> StoreResult<Vec<StoreResult<()>>> {
        // The write lock is taken at once: a transaction that reads first and then writes fails if
        // another process has written in between.
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(StoreError::new)?;
        let session = Session::new(&transaction);
        let mut ended = Vec::with_capacity(jobs.len());
        for job in jobs {
            ended.push(run_job(job, &session));
            // After some errors, as of a full disk, SQLite rolls the whole transaction back by
            // itself, and each further statement would be committed by itself.
            if transaction.is_autocommit() {
                return Err(StoreError::RolledBack);
            }
        }
        let changes = session.into_changes();
        transaction.commit().map_err(StoreError::new)?;
        self.changes.publish(&changes);
        Ok(ended)
    }

    /// Moves the write-ahead log into the database. If another process still uses it, that one does
    /// so later.
    fn close(self) {
        let Self { connection, temp_dir, .. } = self;
        let moved = connection
            .busy_timeout(Duration::ZERO)
            .and_then(|()| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
        if let Err(cause) = moved {
            tracing::debug!(%cause, "the write-ahead log was not moved into the database");
        }
        if let Err((_, cause)) = connection.close() {
            tracing::warn!(%cause, "cannot close the database");
        }
        drop(temp_dir);
    }
}
