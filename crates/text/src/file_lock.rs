//! Locks of files and directories that other processes hold for a while.

use std::fs::{File, TryLockError};
use std::io;
use std::thread::sleep;
use std::time::Duration;

/// How long a lock is waited for without a word.
pub const SILENT_WAIT: Duration = Duration::from_secs(1);

/// The pause between two attempts.
const PAUSE: Duration = Duration::from_millis(20);

/// Locks a file or directory against every other process until it is dropped. While another one
/// holds the lock, this waits for at most `limit`; `waiting` is called once, after [`SILENT_WAIT`].
///
/// # Errors
/// [`io::ErrorKind::TimedOut`] at the limit, as for a process that was stopped with Ctrl-Z; other
/// errors if the file system cannot lock.
pub fn lock_within(file: &File, limit: Duration, waiting: impl FnOnce()) -> io::Result<()> {
    // The sum of the pauses: the time of day is not asked for.
    let mut waited = Duration::ZERO;
    let mut waiting = Some(waiting);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) => {}
        }
        if waited >= limit {
            let message = format!("another process has held the lock for {}", words(limit));
            return Err(io::Error::new(io::ErrorKind::TimedOut, message));
        }
        if waited >= SILENT_WAIT
            && let Some(waiting) = waiting.take()
        {
            waiting();
        }
        let pause = PAUSE.min(limit.saturating_sub(waited));
        sleep(pause);
        waited += pause;
    }
}

fn words(limit: Duration) -> String {
    match limit.as_secs() {
        seconds @ 0..120 => format!("{seconds} seconds"),
        seconds => format!("{} minutes", seconds / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lock_that_is_held_ends_the_wait_at_the_limit() {
        let file = tempfile::NamedTempFile::new().expect("a file");
        let open = || File::open(file.path()).expect("the file");
        let (holder, waiter) = (open(), open());
        lock_within(&holder, Duration::ZERO, || panic!("it is free")).expect("the lock");
        let mut notices = 0;
        let limit = Duration::from_millis(50);
        let error = lock_within(&waiter, limit, || notices += 1).expect_err("a timeout");
        assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        assert_eq!(error.to_string(), "another process has held the lock for 0 seconds");
        drop(holder);
        lock_within(&waiter, limit, || notices += 1).expect("the lock");
        assert_eq!(notices, 0, "a short wait is not announced");
    }
}
