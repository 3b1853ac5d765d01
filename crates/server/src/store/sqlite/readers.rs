//! The connections of the threads that read.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::thread;

use rusqlite::Connection;

use super::connection;
use super::session::Session;
use crate::store::engine::ReadJob;
use crate::store::error::StoreError;
use crate::store::read_threads::ReadThreads;

/// The most threads; beyond a few, they only take processor time from each other.
const THREADS_MAX: usize = 8;

/// The fewest threads, so that a short read does not always wait for a long one.
const THREADS_MIN: usize = 2;

/// Returns the threads that read a database.
pub(super) fn readers(path: PathBuf) -> ReadThreads {
    let processors = thread::available_parallelism().map_or(THREADS_MIN, NonZero::get);
    ReadThreads::new(processors.clamp(THREADS_MIN, THREADS_MAX), move || {
        let path = path.clone();
        let mut connection = None;
        Box::new(move |job| match open(&mut connection, &path) {
            Ok(connection) => run_job(connection, job),
            Err(error) => job(Err(error)),
        })
    })
}

/// Returns the connection of a thread, which is opened for its first job.
fn open<'c>(
    connection: &'c mut Option<Connection>,
    path: &Path,
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
