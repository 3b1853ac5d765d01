//! Waiting for the server outside of an asynchronous runtime.

use std::{panic, thread};

/// Runs work that waits for the server, which a thread of an asynchronous runtime may not.
pub(super) fn on_own_thread<T: Send>(work: impl FnOnce() -> T + Send) -> T {
    thread::scope(|scope| {
        scope.spawn(work).join().unwrap_or_else(|panic| panic::resume_unwind(panic))
    })
}
