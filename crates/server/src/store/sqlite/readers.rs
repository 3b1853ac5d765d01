//! The threads that read, each with a connection of its own.

use std::io;
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};

use rusqlite::Connection;

use super::connection;
use super::session::Session;
use crate::mutex::lock;
use crate::store::engine::ReadJob;
use crate::store::error::StoreError;
use dibber_text::isolation::isolated;

/// The most threads; beyond a few, they only take processor time from each other.
const THREADS_MAX: usize = 8;

/// The fewest threads, so that a short read does not always wait for a long one.
const THREADS_MIN: usize = 2;

/// The most jobs that wait; further ones fail at once, and can be sent again.
const QUEUED_MAX: usize = 4096;

/// The threads that read.
pub(super) struct Readers {
    path: PathBuf,
    threads_max: usize,
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

impl Readers {
    pub(super) fn new(path: PathBuf) -> Self {
        let processors = thread::available_parallelism().map_or(THREADS_MIN, NonZero::get);
        let threads_max = processors.clamp(THREADS_MIN, THREADS_MAX);
        let (sender, receiver) = sync_channel(QUEUED_MAX);
        let pool = Pool { sender: Some(sender), threads: Vec::new() };
        let queue = Arc::new(Mutex::new(receiver));
        Self { path, threads_max, pool: Mutex::new(pool), queue }
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
        let (path, queue) = (self.path.clone(), Arc::clone(&self.queue));
        thread::Builder::new().name("store-read".to_owned()).spawn(move || run(&path, &queue))
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

fn run(path: &std::path::Path, queue: &Queue) {
    let mut connection = None;
    loop {
        // One thread waits for a job, and the others wait for that thread.
        let received = lock(queue).recv();
        let Ok(job) = received else { return };
        let ended = isolated(|| match open(&mut connection, path) {
            Ok(connection) => run_job(connection, job),
            Err(error) => job(Err(error)),
        });
        if let Err(cause) = ended {
            tracing::error!(%cause, "the result of a read was not delivered");
        }
    }
}

/// Returns the connection of a thread, which is opened for its first job.
fn open<'c>(
    connection: &'c mut Option<Connection>,
    path: &std::path::Path,
) -> Result<&'c Connection, StoreError> {
    match connection {
        Some(connection) => Ok(connection),
        none => Ok(none.insert(connection::open_for_reading(path).map_err(StoreError::new)?)),
    }
}

fn run_job(connection: &Connection, job: ReadJob) {
    match connection.unchecked_transaction() {
        // It ends without a commit, since nothing was changed.
        Ok(transaction) => job(Ok(&Session::new(&transaction))),
        Err(error) => job(Err(StoreError::new(error))),
    }
}
