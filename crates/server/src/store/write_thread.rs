//! The thread that makes the changes of this process, whatever the engine.
//!
//! Jobs that wait run together in one transaction, so that many of them cost one wait for the disk.
//! Meanwhile the next ones gather.

use std::sync::Mutex;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::thread::{self, JoinHandle};

use super::engine::WriteJob;
use super::error::{StoreError, StoreResult};
use super::transaction::{Ending, Writer};
use crate::mutex::lock;
use dibber_text::isolation::isolated;

/// The most jobs that wait; further ones fail at once, and can be sent again.
const QUEUED_MAX: usize = 4096;

/// The most jobs of one transaction.
const BATCH_MAX: usize = 256;

type Job = Box<dyn WriteJob>;

/// What runs jobs in a transaction.
pub(super) trait BatchWriter: Send + 'static {
    /// Runs jobs in one transaction, and returns the end of each. Nothing may be reported before the
    /// commit: until then a power cut would undo what a caller believes to be done.
    fn commit_batch(&mut self, jobs: &mut [Job]) -> StoreResult<Vec<StoreResult<()>>>;

    /// Closes the connection.
    fn close(self);
}

/// The thread, and the jobs that wait for it.
pub(super) struct WriteThread {
    /// None once the store is closed, which ends the thread.
    sender: Mutex<Option<SyncSender<Job>>>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

impl WriteThread {
    /// Starts the thread.
    pub(super) fn start(writer: impl BatchWriter) -> Self {
        let (sender, receiver) = sync_channel(QUEUED_MAX);
        let thread = thread::Builder::new()
            .name("store-write".to_owned())
            .spawn(move || run(writer, &receiver))
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

fn run(mut writer: impl BatchWriter, receiver: &Receiver<Job>) {
    while let Ok(first) = receiver.recv() {
        let others = receiver.try_iter().take(BATCH_MAX - 1);
        let mut jobs: Vec<Job> = std::iter::once(first).chain(others).collect();
        match writer.commit_batch(&mut jobs) {
            Ok(ended) => jobs.into_iter().zip(ended).for_each(|(job, ended)| finish(job, ended)),
            Err(error) => jobs.into_iter().for_each(|job| finish(job, Err(error.clone()))),
        }
    }
    writer.close();
}

/// Runs a job in a savepoint, so that it can be undone without its neighbours.
pub(super) fn run_job(job: &mut Job, session: &dyn Writer) -> StoreResult<()> {
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
