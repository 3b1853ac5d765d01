//! The thread that makes the changes of this process.
//!
//! Jobs that wait run together in one transaction, each in a savepoint of its own, so that many of
//! them cost one wait for the disk. Meanwhile the next ones gather.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};

use super::session::Session;
use crate::mutex::lock;
use crate::store::engine::WriteJob;
use crate::store::error::{StoreError, StoreResult};
use crate::store::transaction::{Ending, Writer as _};
use dibber_text::isolation::isolated;

/// The most jobs that wait; further ones fail at once, and can be sent again.
const QUEUED_MAX: usize = 4096;

/// The most jobs of one transaction.
const BATCH_MAX: usize = 256;

type Job = Box<dyn WriteJob>;

/// The thread, and the jobs that wait for it.
pub(super) struct Writer {
    /// None once the store is closed, which ends the thread.
    sender: Mutex<Option<SyncSender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Writer {
    /// Starts the thread. It drops `temp_dir` after the connection is closed.
    pub(super) fn start(connection: Connection, temp_dir: impl Send + 'static) -> Self {
        let (sender, receiver) = sync_channel(QUEUED_MAX);
        let thread = thread::Builder::new()
            .name("store-write".to_owned())
            .spawn(move || {
                run(connection, &receiver);
                drop(temp_dir);
            })
            .expect("the system starts a thread");
        Self { sender: Mutex::new(Some(sender)), thread: Mutex::new(Some(thread)) }
    }

    /// Adds a job to those that wait.
    pub(super) fn push(&self, job: Job) {
        // The lock is released before a job that was not taken ends: its end may close the store.
        let sent = match lock(&self.sender).as_ref() {
            Some(sender) => sender.try_send(job),
            None => Err(TrySendError::Disconnected(job)),
        };
        match sent {
            Ok(()) => {}
            Err(TrySendError::Full(job)) => job.finish(Err(StoreError::Overloaded)),
            Err(TrySendError::Disconnected(job)) => job.finish(Err(StoreError::Closed)),
        }
    }

    /// Waits until every job has ended and the database is closed.
    pub(super) fn close(&self) {
        drop(lock(&self.sender).take());
        let thread = lock(&self.thread).take();
        // The last owner of the store may be a job, whose thread then ends by itself.
        if let Some(thread) = thread.filter(|other| other.thread().id() != thread::current().id()) {
            drop(thread.join());
        }
    }
}

fn run(mut connection: Connection, receiver: &Receiver<Job>) {
    while let Ok(first) = receiver.recv() {
        let others = receiver.try_iter().take(BATCH_MAX - 1);
        let mut jobs: Vec<Job> = std::iter::once(first).chain(others).collect();
        match commit_batch(&mut connection, &mut jobs) {
            Ok(ended) => jobs.into_iter().zip(ended).for_each(|(job, ended)| finish(job, ended)),
            Err(error) => jobs.into_iter().for_each(|job| finish(job, Err(error.clone()))),
        }
    }
    close(connection);
}

/// Runs jobs in one transaction, and returns the end of each. Nothing may be reported before the
/// commit: until then a power cut would undo what a caller believes to be done.
fn commit_batch(
    connection: &mut Connection,
    jobs: &mut [Job],
) -> StoreResult<Vec<StoreResult<()>>> {
    // The write lock is taken at once: a transaction that reads first and then writes fails if
    // another process has written in between.
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(StoreError::new)?;
    let session = Session::new(&transaction);
    let mut ended = Vec::with_capacity(jobs.len());
    for job in jobs {
        ended.push(run_job(job, &session));
        // After some errors, as of a full disk, SQLite rolls the whole transaction back by itself,
        // and each further statement would be committed by itself.
        if transaction.is_autocommit() {
            return Err(StoreError::RolledBack);
        }
    }
    transaction.commit().map_err(StoreError::new)?;
    Ok(ended)
}

/// Runs a job in a savepoint, so that it can be undone without its neighbours.
fn run_job(job: &mut Job, session: &Session<'_>) -> StoreResult<()> {
    let mut panic = None;
    session.savepoint(&mut || {
        isolated(|| job.run(session)).unwrap_or_else(|error| {
            panic = Some(StoreError::new(error));
            Ending::RollBack
        })
    })?;
    panic.map_or(Ok(()), Err)
}

fn finish(job: Job, ended: StoreResult<()>) {
    if let Err(cause) = isolated(|| job.finish(ended)) {
        tracing::error!(%cause, "the result of a change was not delivered");
    }
}

/// Moves the write-ahead log into the database. If another process still uses it, that one does so
/// later.
fn close(connection: Connection) {
    let moved = connection
        .busy_timeout(Duration::ZERO)
        .and_then(|()| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
    if let Err(cause) = moved {
        tracing::debug!(%cause, "the write-ahead log was not moved into the database");
    }
    if let Err((_, cause)) = connection.close() {
        tracing::warn!(%cause, "cannot close the database");
    }
}
