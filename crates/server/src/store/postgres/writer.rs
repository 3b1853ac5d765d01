//! Running jobs in a transaction of the one connection that makes changes.
//!
//! Every transaction that changes something takes one lock of the database first, and holds it until
//! it is committed, in whichever process it runs. So these transactions run one at a time:
//!
//! - What a job reads stays true until it ends, since nothing else changes anything meanwhile. With
//!   the isolation `READ COMMITTED` each statement sees everything that was committed before it, and
//!   the first statement begins after the lock was taken.
//! - Numbers of a sequence are drawn in the order of the commits, and PostgreSQL makes a commit
//!   visible before it releases the locks of the transaction. So what becomes visible later has a
//!   larger number, as the [listing order](crate::store#listing-order) needs.
//! - An idempotency key cannot be claimed by two transactions at once.
//!
//! A lock for each family would let families change at the same time. But the jobs that wait are
//! committed together, so that the one lock costs little: the time of a transaction is the wait for
//! the disk, which they share.

use std::sync::Arc;

use super::connection::{Connection, Reconnecting};
use super::error::{describe, has_ended_connection};
use super::follow::NOTIFY;
use super::schema::LOCK;
use super::session::Session;
use crate::store::changes::Changes;
use crate::store::engine::WriteJob;
use crate::store::error::{StoreError, StoreResult};
use crate::store::write_thread::{BatchWriter, run_job};

/// Ends a transaction. In one in which a statement has failed, `COMMIT` alone would roll back and
/// report success.
const COMMIT: &str = "SELECT 1; COMMIT";

/// The connection that makes changes.
pub(super) struct Writer {
    connection: Reconnecting,
    begin: String,
    /// Who waits for changes.
    changes: Arc<Changes>,
}

impl Writer {
    pub(super) fn new(connection: Reconnecting, changes: Arc<Changes>) -> Self {
        let begin =
            format!("BEGIN ISOLATION LEVEL READ COMMITTED; SELECT pg_advisory_xact_lock({LOCK})");
        Self { connection, begin, changes }
    }
}

impl BatchWriter for Writer {
    fn commit_batch(
        &mut self,
        jobs: &mut [Box<dyn WriteJob>],
    ) -> StoreResult<Vec<StoreResult<()>>> {
        let connection = self.connection.begin(&self.begin)?;
        let session = Session::new(connection);
        let mut ended = Vec::with_capacity(jobs.len());
        for job in jobs {
            let end = run_job(job, &session);
            if session.is_lost() {
                return Err(match end {
                    Err(error) => error,
                    Ok(()) => StoreError::RolledBack,
                });
            }
            ended.push(end);
        }
        let changes = session.into_changes();
        commit(connection, !changes.is_empty())?;
        self.changes.publish(&changes);
        Ok(ended)
    }

    fn close(self) {}
}

/// Commits the transaction. If the connection is lost meanwhile, the server may have committed it or
/// not. A call with an idempotency key that is sent again then gets the answer that was recorded, or
/// runs for the first time.
fn commit(connection: &mut Connection, notifies: bool) -> StoreResult<()> {
    let committed = if notifies {
        connection.batch(&format!("{NOTIFY}; {COMMIT}"))
    } else {
        connection.batch(COMMIT)
    };
    let Err(error) = committed else { return Ok(()) };
    let cause = describe(&error);
    if has_ended_connection(&error) {
        let message = format!("it is not known whether the change was made: {cause}");
        return Err(StoreError::new(message));
    }
    drop(connection.batch("ROLLBACK"));
    Err(StoreError::new(cause))
}
