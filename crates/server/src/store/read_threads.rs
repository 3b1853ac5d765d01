//! The threads that read, each with a connection of its own, whatever the engine.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use super::engine::ReadJob;
use super::error::StoreError;
use crate::mutex::lock;
use dibber_text::isolation::isolated;

/// The most jobs that wait; further ones fail at once, and can be sent again.
const QUEUED_MAX: usize = 4096;

/// What runs a job on one consistent state, on a connection that it opens for its first job.
pub(super) type RunJob = Box<dyn FnMut(ReadJob)>;

/// The threads that read.
pub(super) struct ReadThreads {
    threads_max: usize,
    /// Called on each thread.
    run_job: Arc<dyn Fn() -> RunJob + Send + Sync>,
    pool: Mutex<Pool>,
    queue: Queue,
}

/// What the threads take their jobs from, one at a time.
type Queue = Arc<Mutex<Receiver<ReadJob>>>;

struct Pool {
    /// None once the store is closed, which ends the threads.
    sender: Option<SyncSender<ReadJob>>,
    threads: Vec<JoinHandle<()>>,
}

impl ReadThreads {
    /// Returns threads that are started when there are jobs for them, up to so many.
    pub(super) fn new(
        threads_max: usize,
        run_job: impl Fn() -> RunJob + Send + Sync + 'static,
    ) -> Self {
        let (sender, receiver) = sync_channel(QUEUED_MAX);
        let pool = Pool { sender: Some(sender), threads: Vec::new() };
        let queue = Arc::new(Mutex::new(receiver));
        Self { threads_max, run_job: Arc::new(run_job), pool: Mutex::new(pool), queue }
    }

    /// Adds a job to those that wait.
    pub(super) fn push(&self, job: ReadJob) {
        let sent = {
            let mut pool = lock(&self.pool);
            // A command reads a few times and ends, so the threads are started one by one.
            if pool.sender.is_some() && pool.threads.len() < self.threads_max {
                match self.start_thread() {
                    Ok(thread) => pool.threads.push(thread),
                    // The threads that run do the work of those that cannot be started.
                    Err(error) if pool.threads.is_empty() => {
                        return job(Err(StoreError::new(error)));
                    }
                    Err(_) => {}
                }
            }
            match &pool.sender {
                Some(sender) => sender.try_send(job),
                None => Err(TrySendError::Disconnected(job)),
            }
        };
        match sent {
            Ok(()) => {}
            Err(TrySendError::Full(job)) => job(Err(StoreError::Overloaded)),
            Err(TrySendError::Disconnected(job)) => job(Err(StoreError::Closed)),
        }
    }

    fn start_thread(&self) -> io::Result<JoinHandle<()>> {
        let (run_job, queue) = (Arc::clone(&self.run_job), Arc::clone(&self.queue));
        let thread = thread::Builder::new().name("store-read".to_owned());
        thread.spawn(move || run(run_job(), &queue))
    }

    /// Waits until every job has ended and the connections are closed.
    pub(super) fn close(&self) {
        let threads = {
            let mut pool = lock(&self.pool);
            pool.sender = None;
            std::mem::take(&mut pool.threads)
        };
        for thread in threads {
            // The last owner of the store may be a job, whose thread then ends by itself.
            if thread.thread().id() != thread::current().id() {
                drop(thread.join());
            }
        }
    }
}

fn run(mut run_job: RunJob, queue: &Queue) {
    loop {
        // One thread waits for a job, and the others wait for that thread.
        let received = lock(queue).recv();
        let Ok(job) = received else { return };
        if let Err(cause) = isolated(|| run_job(job)) {
            tracing::error!(%cause, "the result of a read was not delivered");
        }
    }
}
