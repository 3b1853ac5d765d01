//! A write that is in the journal until its outcome is known.

use std::cell::Cell;
use std::fs::{File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::super::error::{ClientError, JournalError};
use super::super::key::IdempotencyKey;
use super::disk::{self, OnWait};
use super::entry::{self, Entry};
use super::intent::Repeat;
use super::repeated;
use jiff::{SignedDuration, Timestamp};
use tokio::time::Instant;

use dibber_skill::contract::{ErrorCode, IDEMPOTENCY_CONFLICT, ToolError};

/// A write that takes effect once.
#[derive(Debug)]
pub struct Operation {
    path: PathBuf,
    entry: Entry,
    origin: Origin,
    mark: Cell<Option<Mark>>,
    /// The time when it was opened, and the moment on the clock of the runtime.
    opened: (Timestamp, Instant),
    /// The entry, locked together with every other process that has the same write open.
    file: File,
    on_wait: OnWait,
    _open: OpenOperation,
}

/// A note in the entry that the write was sent.
#[derive(Clone, Copy, Debug)]
struct Mark {
    sent: Timestamp,
    /// When it was last sent before.
    before: Timestamp,
}

/// Releases the lock of the entry. Closing the file is not enough: until it executes its program, a
/// process that is being started has a copy of every open file, and the lock lasts as long as one.
/// The same write, begun again, would then be taken for open elsewhere and never be removed.
impl Drop for Operation {
    fn drop(&mut self) {
        // A lock that cannot be released ends with the last copy of the file.
        drop(self.file.unlock());
    }
}

/// What was in the journal when a write was begun.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// Nothing.
    New,
    /// A creation of the same subject with other arguments, which this one replaces once it is sent:
    /// until then, what was sent is needed to find what it has created.
    Replacing(PathBuf),
    /// The same write.
    Resumed,
}

impl Origin {
    /// Returns the entry that is replaced.
    pub(super) const fn replaced(&self) -> Option<&PathBuf> {
        match self {
            Self::Replacing(path) => Some(path),
            Self::New | Self::Resumed => None,
        }
    }
}

/// Counts one operation as open for as long as it lives.
#[derive(Debug)]
struct OpenOperation(Arc<AtomicUsize>);

impl OpenOperation {
    fn new(open: &Arc<AtomicUsize>) -> Self {
        open.fetch_add(1, Ordering::SeqCst);
        Self(Arc::clone(open))
    }
}

impl Drop for OpenOperation {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Operation {
    /// Opens an entry that is on the disk; the journal is locked meanwhile.
    pub(super) fn open(
        (path, entry): (PathBuf, Entry),
        (origin, now): (Origin, Timestamp),
        on_wait: OnWait,
        open: &Arc<AtomicUsize>,
    ) -> Result<Self, JournalError> {
        let file =
            open_shared(&path).map_err(|cause| JournalError::Io { path: path.clone(), cause })?;
        let open = OpenOperation::new(open);
        let opened = (now, Instant::now());
        Ok(Self { path, entry, origin, mark: Cell::new(None), opened, file, on_wait, _open: open })
    }

    /// Returns the key that it is sent with.
    pub const fn key(&self) -> &IdempotencyKey {
        &self.entry.key
    }

    /// Returns the id by which a person names it; until it is sent, that of the one that it replaces.
    pub fn id(&self) -> String {
        let unsent = self.origin.replaced().filter(|_| self.mark.get().is_none());
        entry::id(unsent.unwrap_or(&self.path))
    }

    /// Returns `true` if it was begun before.
    pub const fn is_resumed(&self) -> bool {
        matches!(self.origin, Origin::Resumed)
    }

    /// Returns `true` if an earlier run may have carried it out, or what it replaces.
    pub(crate) const fn may_have_applied(&self) -> bool {
        !matches!(self.origin, Origin::New)
    }

    /// Returns `true` if the server had this id before the write was first sent.
    pub fn existed_before(&self, id: &str) -> bool {
        self.entry.existing.iter().any(|existing| existing == id)
    }

    /// Returns how long ago it, or the one that it replaces, was marked as sent. If it never was, that is
    /// long ago; negative if the clock was set back since.
    pub(crate) fn time_since_sent(&self) -> io::Result<SignedDuration> {
        let (_, sent) = self.read_sent()?;
        Ok(self.now().duration_since(sent))
    }

    /// Marks it as sent now: from now on, it may take effect. The one that it replaces is forgotten.
    pub(crate) fn mark_sent(&self) -> io::Result<()> {
        let _lock = self.lock_directory()?;
        let (mut entry, before) = self.read_sent()?;
        let sent = self.now();
        entry.sent = Some(sent);
        entry::write_in_place(&self.path, &entry)?;
        self.mark.set(Some(Mark { sent, before }));
        self.origin.replaced().map_or(Ok(()), |path| disk::remove(path))
    }

    /// Takes the last mark back, as the attempt has changed nothing for certain: only what was sent
    /// before may still take effect. A later mark, of another process, remains.
    pub(crate) fn unmark_sent(&self) -> io::Result<()> {
        let Some(Mark { sent, before }) = self.mark.get() else { return Ok(()) };
        let _lock = self.lock_directory()?;
        let (mut entry, last) = self.read_sent()?;
        if last.as_millisecond() > sent.as_millisecond() {
            return Ok(());
        }
        entry.sent = Some(before);
        entry::write_in_place(&self.path, &entry)
    }

    /// Returns the id of what an earlier run has created, if the server has answered it.
    pub(crate) fn answered(&self) -> Option<&str> {
        self.entry.answered.as_deref()
    }

    /// Keeps the entry with the id of what was created, which nothing else records: the same write
    /// creates no other one.
    pub(crate) fn keep_answer(&self, id: &str) -> Result<(), JournalError> {
        let cannot = |cause| JournalError::Io { path: self.path.clone(), cause };
        let _lock = self.lock_directory().map_err(cannot)?;
        let (mut entry, _) = self.read_sent().map_err(cannot)?;
        entry.answered = Some(id.to_owned());
        entry::write_in_place(&self.path, &entry).map_err(cannot)
    }

    /// Returns the entry on the disk, and when it was last sent.
    fn read_sent(&self) -> io::Result<(Entry, Timestamp)> {
        let gone = || io::Error::from(io::ErrorKind::NotFound);
        let entry = entry::read_unchanged(&self.path).ok_or_else(gone)?;
        let sent = entry::sent(&entry, &self.path)?;
        Ok((entry, sent))
    }

    /// Keeps for a day what an earlier run has sent, right before it is sent again: the first call may
    /// still arrive.
    pub(crate) fn keep_repeated(&self) -> io::Result<()> {
        repeated::keep(self.origin.replaced().unwrap_or(&self.path), self.now())
    }

    fn now(&self) -> Timestamp {
        let (time, moment) = self.opened;
        time.saturating_add(moment.elapsed()).unwrap_or(time)
    }

    /// Sends the write, and returns the answer with the operation, which is then to be finished.
    /// `send` calls the server with the key of the operation; `has_effect` reads back whether the
    /// server is in the state that the answer reports.
    ///
    /// The answer to a resumed write may be a stored one, and the state may have changed since. A
    /// refusal may be a stored one, too. In both cases the earlier attempt is complete, and the
    /// write is sent under a new key. Any other failure says nothing about the earlier attempt.
    ///
    /// A write that failed is ended as by [`fail`](Self::fail).
    pub async fn carry_out<T>(
        mut self,
        send: impl AsyncFn(&Self) -> Result<T, ClientError>,
        has_effect: impl AsyncFn(&T) -> Result<bool, ClientError>,
    ) -> Result<(T, Self), ClientError> {
        match self.send(send, has_effect).await {
            Ok(answer) => Ok((answer, self)),
            Err(error) => {
                // What the call reports comes first: an entry that remains only makes the next run
                // resume the write.
                drop(self.fail(&error));
                Err(error)
            }
        }
    }

    async fn send<T>(
        &mut self,
        send: impl AsyncFn(&Self) -> Result<T, ClientError>,
        has_effect: impl AsyncFn(&T) -> Result<bool, ClientError>,
    ) -> Result<T, ClientError> {
        let answer = send(self).await;
        if !self.is_resumed() {
            return answer;
        }
        match answer {
            Ok(answer) => match has_effect(&answer).await {
                Ok(true) => return Ok(answer),
                Ok(false) => {}
                Err(error) => return Err(outcome_unknown(error)),
            },
            Err(error @ ClientError::NotApplied(_)) => return Err(error),
            Err(error) if self.is_void(&error) => {}
            Err(error) if claims_no_change(&error) => return Err(outcome_unknown(error)),
            Err(error) => return Err(error),
        }
        self.renew().map_err(|error| ClientError::OutcomeUnknown(error.to_string()))?;
        send(self).await
    }

    /// Returns `true` if a refusal shows that the earlier attempt has no effect and never will. An
    /// addition is sent again only if the refusal is a stored one: a refusal before the key is
    /// looked up, such as a missing scope, says nothing about the earlier attempt.
    fn is_void(&self, error: &ClientError) -> bool {
        let ClientError::Refused(refusal) = error else { return false };
        is_final(refusal) && (refusal.replayed || self.entry.repeat == Repeat::Sets)
    }

    /// Removes its entry: it took effect, and its result is recorded. The entry remains while
    /// another process has the same write open.
    pub fn finish(self) -> Result<(), JournalError> {
        let cannot = |cause| JournalError::NotRemoved { path: self.path.clone(), cause };
        let _lock = self.lock_directory().map_err(cannot)?;
        self.file.unlock().map_err(cannot)?;
        match self.file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(()),
            Err(TryLockError::Error(cause)) => return Err(cannot(cause)),
        }
        // Another process may have renewed the entry, which is then no longer this one.
        let is_own = entry::read(&self.path)?.is_some_and(|found| found.key == self.entry.key);
        if is_own { disk::remove(&self.path).map_err(cannot) } else { Ok(()) }
    }

    /// Removes its entry if the error leaves nothing to resume; otherwise the entry remains.
    pub fn fail(self, error: &ClientError) -> Result<(), JournalError> {
        let is_unsent = self.origin.replaced().is_some() && self.mark.get().is_none();
        let is_over = match error {
            // What it was to replace remains.
            _ if is_unsent => true,
            ClientError::OutcomeUnknown(_)
            | ClientError::MayBePosted(_)
            | ClientError::MayBeCreatedLater(_)
            | ClientError::MayBeCreated { .. }
            | ClientError::Failed { may_have_applied: true, .. } => false,
            // What an earlier attempt was to change is as it was, too.
            ClientError::NotApplied(_) => true,
            ClientError::Refused(refusal) if is_conflict(refusal) => false,
            // The answer to this key, even if it was sent before.
            ClientError::Refused(refusal) if is_final(refusal) => true,
            // This attempt changed nothing; whether an earlier one did is not known.
            _ => !self.may_have_applied(),
        };
        if is_over { self.finish() } else { Ok(()) }
    }

    /// Locks the directory of the entry, which is not that of the journal if an earlier version began
    /// the write.
    fn lock_directory(&self) -> io::Result<File> {
        disk::lock(disk::directory_of(&self.path), self.on_wait)
    }

    /// Replaces the key of the write, since the earlier attempt is complete.
    fn renew(&mut self) -> Result<(), JournalError> {
        let cannot = |cause| JournalError::Io { path: self.path.clone(), cause };
        let _lock = self.lock_directory().map_err(cannot)?;
        let entry = self.entry.with_key(IdempotencyKey::new());
        entry::write(&self.path, &entry).map_err(cannot)?;
        self.file = open_shared(&self.path).map_err(cannot)?;
        self.entry = entry;
        self.origin = Origin::New;
        Ok(())
    }
}

/// Opens an entry and locks it together with every other process that has it open.
fn open_shared(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    file.lock_shared()?;
    Ok(file)
}

/// Returns `true` if the key was used by a call with other arguments, which may have run.
fn is_conflict(refusal: &ToolError) -> bool {
    refusal.reason.as_deref() == Some(IDEMPOTENCY_CONFLICT)
}

/// Returns `true` if the server reports that this very call changed nothing.
fn is_final(refusal: &ToolError) -> bool {
    matches!(refusal.code, ErrorCode::BadInput | ErrorCode::DomainNotFound) && !is_conflict(refusal)
}

/// Returns `true` if an error means that a call changed nothing, which says nothing about an
/// earlier attempt.
fn claims_no_change(error: &ClientError) -> bool {
    match error {
        ClientError::Unreachable(_)
        | ClientError::NoAnswer(_)
        | ClientError::AnswerLost(_)
        | ClientError::InvalidCertificate(_)
        | ClientError::EncryptionExpected
        | ClientError::NotEncrypted(_)
        | ClientError::TooManyRequests(_)
        | ClientError::PageRequired { .. }
        | ClientError::Protocol(_)
        | ClientError::TooManySkills { .. }
        | ClientError::NoSkills { .. }
        | ClientError::MayBeDamaged(_)
        | ClientError::SkillAppeared(_)
        | ClientError::SkillChanged(_)
        | ClientError::HeartbeatChanged(_)
        | ClientError::Rejected(_)
        | ClientError::UnknownMethod(_)
        | ClientError::Failed { .. } => true,
        ClientError::Refused(refusal) => refusal.code == ErrorCode::InternalError,
        _ => false,
    }
}

fn outcome_unknown(error: ClientError) -> ClientError {
    match error {
        // An answer to this attempt alone.
        ClientError::Failed { message, .. } => ClientError::OutcomeUnknown(format!(
            "it was interrupted before, and now the tool answered with an error: {message}"
        )),
        other => other.with_unknown_outcome(),
    }
}
