//! The thread that makes every change of this process.
//!
//! Changes that wait are made together in one transaction, each in a savepoint of its own, so
//! that many of them cost one wait for the disk. While it lasts, the next ones gather.

use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use rusqlite::{Connection, TransactionBehavior};
use serde_json::Value;

use super::session::Session;
use crate::failure::Failure;
use crate::store::{Change, Done, StoreError, Stored};
use dibber_text::isolation::isolated;

/// The most changes that wait; further ones fail at once, and can be sent again.
const QUEUED_MAX: usize = 4096;

/// The most changes of one transaction.
const TOGETHER_MAX: usize = 256;

/// A change that waits.
type Job = (Change, Done);

/// What came of a change.
type Outcome = Result<Value, Failure>;

/// The way to the thread.
pub(super) struct Queue {
    /// Closed when it is gone.
    sender: Mutex<Option<SyncSender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl Queue {
    /// Starts the thread. It drops `home` when the connection is closed.
    pub(super) fn start(connection: Connection, home: impl Send + 'static) -> Self {
        let (sender, receiver) = sync_channel(QUEUED_MAX);
        let thread = thread::Builder::new()
            .name("store".to_owned())
            .spawn(move || {
                run(connection, &receiver);
                drop(home);
            })
            .expect("the system gives a thread");
        Self { sender: Mutex::new(Some(sender)), thread: Mutex::new(Some(thread)) }
    }

    /// Puts a change behind those that wait.
    pub(super) fn push(&self, change: Change, done: Done) {
        let sent = match held(&self.sender).as_ref() {
            Some(sender) => sender.try_send((change, done)),
            None => Err(TrySendError::Disconnected((change, done))),
        };
        let (done, cause) = match sent {
            Ok(()) => return,
            Err(TrySendError::Full((_, done))) => (done, "too many changes are waiting"),
            Err(TrySendError::Disconnected((_, done))) => (done, "the store is closed"),
        };
        done(Err(Failure::Internal(cause.into())));
    }

    /// Waits until every change is made and the database is closed.
    pub(super) fn close(&self) {
        drop(held(&self.sender).take());
        let thread = held(&self.thread).take();
        // The last owner of the store may be a change; the thread ends by itself then.
        if let Some(thread) = thread.filter(|other| other.thread().id() != thread::current().id()) {
            drop(thread.join());
        }
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run(mut connection: Connection, receiver: &Receiver<Job>) {
    while let Ok(first) = receiver.recv() {
        let others = receiver.try_iter().take(TOGETHER_MAX - 1);
        let (changes, waiting): (Vec<_>, Vec<_>) = std::iter::once(first).chain(others).unzip();
        match make_together(&mut connection, changes) {
            Ok(outcomes) => waiting.into_iter().zip(outcomes).for_each(|(done, outcome)| {
                tell(done, outcome);
            }),
            Err(error) => {
                let cause = error.to_string();
                for done in waiting {
                    tell(done, Err(Failure::Internal(cause.clone().into())));
                }
            }
        }
    }
    close(connection);
}

/// Makes changes in one transaction.
fn make_together(connection: &mut Connection, changes: Vec<Change>) -> Stored<Vec<Outcome>> {
    let transaction = connection
        .transaction_with_behavior(TransactionBehavior::Immediate)
        .map_err(StoreError::new)?;
    let session = Session::new(&transaction);
    let mut outcomes = Vec::with_capacity(changes.len());
    for change in changes {
        let outcome = session.within("change", || make(change, &session));
        // A full disk, for one, undoes everything, and whatever follows would stand alone.
        if transaction.is_autocommit() {
            let cause = match outcome {
                Err(Failure::Internal(cause)) => cause,
                _ => "the transaction was undone".into(),
            };
            return Err(StoreError::new(cause));
        }
        outcomes.push(outcome);
    }
    transaction.commit().map_err(StoreError::new)?;
    Ok(outcomes)
}

fn make(change: Change, session: &Session<'_>) -> Outcome {
    isolated(|| change(session)).unwrap_or_else(|error| Err(Failure::Internal(error.into())))
}

fn tell(done: Done, outcome: Outcome) {
    if let Err(cause) = isolated(|| done(outcome)) {
        tracing::error!(%cause, "the outcome of a change was not delivered");
    }
}

/// Takes the log over into the database. Another process that still uses it does so later.
fn close(connection: Connection) {
    let taken_over = connection
        .busy_timeout(Duration::ZERO)
        .and_then(|()| connection.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |_| Ok(())));
    if let Err(cause) = taken_over {
        tracing::debug!(%cause, "the log of the database stays for the next time");
    }
    if let Err((_, cause)) = connection.close() {
        tracing::warn!(%cause, "the database was not closed");
    }
}
