//! A write that is in the journal until its end is known.

use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::error::{ClientError, JournalError};
use super::super::key::Key;
use super::disk;
use super::entry::{self, Entry};
use super::intent::Repeat;
use dibber_skill::contract::{ErrorCode, IDEMPOTENCY_CONFLICT, ToolError};

/// A write that is to take effect once.
#[derive(Debug)]
pub struct Operation {
    directory: PathBuf,
    path: PathBuf,
    entry: Entry,
    is_resumed: bool,
    /// The entry, locked together with every other process that has the same write open.
    file: File,
    _open: Open,
}

/// Counts one operation as open for as long as it lives.
#[derive(Debug)]
struct Open(Arc<AtomicUsize>);

impl Open {
    fn new(open: &Arc<AtomicUsize>) -> Self {
        open.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(open))
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Operation {
    /// Opens an entry that is on the disk; the journal is locked meanwhile.
    pub(super) fn open(
        directory: &Path,
        path: PathBuf,
        entry: Entry,
        is_resumed: bool,
        open: &Arc<AtomicUsize>,
    ) -> Result<Self, JournalError> {
        let file = shared(&path).map_err(|cause| JournalError::Io { path: path.clone(), cause })?;
        let directory = directory.to_owned();
        Ok(Self { directory, path, entry, is_resumed, file, _open: Open::new(open) })
    }

    /// The key that it is sent with.
    pub const fn key(&self) -> &Key {
        &self.entry.key
    }

    /// Returns `true` if it was begun before.
    pub const fn is_resumed(&self) -> bool {
        self.is_resumed
    }

    /// Sends the write. `send` calls the server with a key; `has_effect` reads back whether the
    /// server is in the state that the answer speaks of.
    ///
    /// The answer to a write that was begun before may come from the server's memory, and the
    /// state may have been changed since. A refusal may be an old one, too. In both cases nothing
    /// of the earlier attempt is left to complete, and the write is sent under a new key. Any other
    /// failure says nothing about the earlier attempt.
    pub async fn carry_out<T>(
        &mut self,
        send: impl AsyncFn(&Key) -> Result<T, ClientError>,
        has_effect: impl AsyncFn(&T) -> Result<bool, ClientError>,
    ) -> Result<T, ClientError> {
        let answer = send(self.key()).await;
        if !self.is_resumed {
            return answer;
        }
        match answer {
            Ok(answer) => match has_effect(&answer).await {
                Ok(true) => return Ok(answer),
                Ok(false) => {}
                Err(error) => return Err(unknown(error)),
            },
            Err(error) if self.is_void(&error) => {}
            Err(error) if claims_no_change(&error) => return Err(unknown(error)),
            Err(error) => return Err(error),
        }
        self.renew().map_err(|error| ClientError::OutcomeUnknown(error.to_string()))?;
        send(self.key()).await
    }

    /// Returns `true` if a refusal shows that the earlier attempt has no effect and never will. What
    /// adds something is sent again only if the server says that it has remembered the refusal: one
    /// that comes before the key is looked up, such as a missing scope, says nothing about it.
    fn is_void(&self, error: &ClientError) -> bool {
        let ClientError::Refused(refusal) = error else { return false };
        is_final(refusal) && (refusal.replayed || self.entry.repeat == Repeat::Sets)
    }

    /// Ends it: the server has done it, and what came of it is recorded. Another process that has
    /// the same write open still finds the entry.
    pub fn finish(self) -> Result<(), JournalError> {
        let cannot = |cause| JournalError::Io { path: self.path.clone(), cause };
        let _lock = disk::lock(&self.directory).map_err(cannot)?;
        self.file.unlock().map_err(cannot)?;
        match self.file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(()),
            Err(TryLockError::Error(cause)) => return Err(cannot(cause)),
        }
        // Another process may have renewed the entry, which is then no longer this one.
        let is_own = entry::read(&self.path)?.is_some_and(|found| found.key == self.entry.key);
        if is_own { disk::remove(&self.directory, &self.path).map_err(cannot) } else { Ok(()) }
    }

    /// Ends it if it failed in a way that leaves nothing to resume; otherwise the entry remains.
    pub fn fail(self, error: &ClientError) -> Result<(), JournalError> {
        let is_over = match error {
            ClientError::OutcomeUnknown(_) => false,
            ClientError::Refused(refusal) if is_conflict(refusal) => false,
            // The answer to this key, also if it was sent before.
            ClientError::Refused(refusal) if is_final(refusal) => true,
            // Nothing was done now; what an earlier attempt did is not known.
            _ => !self.is_resumed,
        };
        if is_over { self.finish() } else { Ok(()) }
    }

    /// Gives the write a new key, since nothing of the earlier attempt is left to complete.
    fn renew(&mut self) -> Result<(), JournalError> {
        let cannot = |cause| JournalError::Io { path: self.path.clone(), cause };
        let _lock = disk::lock(&self.directory).map_err(cannot)?;
        let entry = self.entry.with_key(Key::new());
        entry::write(&self.directory, &self.path, &entry).map_err(cannot)?;
        self.file = shared(&self.path).map_err(cannot)?;
        self.entry = entry;
        self.is_resumed = false;
        Ok(())
    }
}

/// Opens an entry and locks it together with every other process that has it open.
fn shared(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    file.lock_shared()?;
    Ok(file)
}

/// Returns `true` if the key was used by a call that was changed on the way, and perhaps done.
fn is_conflict(refusal: &ToolError) -> bool {
    refusal.reason.as_deref() == Some(IDEMPOTENCY_CONFLICT)
}

/// Returns `true` if the server says of this very call that it is not done.
fn is_final(refusal: &ToolError) -> bool {
    matches!(refusal.code, ErrorCode::BadInput | ErrorCode::DomainNotFound) && !is_conflict(refusal)
}

/// Returns `true` if an error means that a call changed nothing. Of a call that was sent
/// before, it does not say so.
fn claims_no_change(error: &ClientError) -> bool {
    match error {
        ClientError::Unreachable(_) | ClientError::Protocol(_) | ClientError::Failed(_) => true,
        ClientError::Refused(refusal) => refusal.code == ErrorCode::InternalError,
        _ => false,
    }
}

fn unknown(error: ClientError) -> ClientError {
    match error {
        ClientError::Unreachable(cause) | ClientError::Protocol(cause) => {
            ClientError::OutcomeUnknown(cause)
        }
        other => ClientError::OutcomeUnknown(other.to_string()),
    }
}
