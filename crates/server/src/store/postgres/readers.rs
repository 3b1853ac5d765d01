//! The connections of the threads that read.

use super::address::PostgresAddress;
use super::connection::Reconnecting;
use super::session::Session;
use crate::store::read_threads::ReadThreads;

/// The most threads, each with a connection. They wait for the server most of the time.
const THREADS_MAX: usize = 8;

/// Begins a transaction of which every statement sees the same state.
const BEGIN: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Returns the threads that read a database.
pub(super) fn readers(address: PostgresAddress) -> ReadThreads {
    ReadThreads::new(THREADS_MAX, move || {
        let mut connection = Reconnecting::new(address.clone(), None);
        Box::new(move |job| match connection.begin(BEGIN) {
            Ok(connection) => {
                job(Ok(&Session::new(connection)));
                // It ends without a commit, since nothing was changed. Its failure shows when the
                // next transaction begins.
                drop(connection.batch("ROLLBACK"));
            }
            Err(error) => job(Err(error)),
        })
    })
}
