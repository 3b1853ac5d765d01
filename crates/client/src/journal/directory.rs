//! The directory of the journal: begins and resumes writes, lists their entries and removes them.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use jiff::{SignedDuration, Timestamp};
use serde_json::Value;

use super::super::error::JournalError;
use super::super::key::IdempotencyKey;
use super::super::recorded_server::RecordedServer;
use super::disk::{self, OnWait};
use super::entry::{self, Entry, Unfinished, UnfinishedDetails};
use super::entry_name;
use super::intent::{Intent, Repeat};
use super::operation::{Operation, Origin};
use super::repeated;
use dibber_skill::contract::IDEMPOTENCY_HOURS;
use dibber_text::private::{check_own_directory, create_own_directory};

/// How long a write can be resumed: as long as its key is remembered, less an hour in which clocks
/// may differ and attempts may take their time.
const RESUMABLE: SignedDuration = SignedDuration::from_hours(IDEMPOTENCY_HOURS - 1);
/// The age from which an entry is removed unless its write is resumed.
const ENTRY_AGE_MAX: SignedDuration = SignedDuration::from_hours(30 * 24);

/// A directory of writes whose outcome is not known yet.
#[derive(Clone, Debug)]
pub struct Journal {
    directory: PathBuf,
    /// The directory in which earlier versions began writes, if it is another one.
    former: Option<PathBuf>,
    /// The number of operations of this process that have not ended.
    open: Arc<AtomicUsize>,
    /// The number of operations of this process, ended or not.
    begun: Arc<AtomicUsize>,
    /// Whether old entries were removed by this process.
    is_swept: Arc<AtomicBool>,
    on_wait: OnWait,
}

impl Journal {
    /// Returns the journal in this directory, which is created when it is first needed.
    pub fn new(directory: impl Into<PathBuf>) -> Self {
        Self {
            directory: directory.into(),
            former: None,
            open: Arc::default(),
            begun: Arc::default(),
            is_swept: Arc::default(),
            on_wait: |_| (),
        }
    }

    /// Also finds the writes that earlier versions began in this directory, and ends them there.
    /// Nothing new is begun in it.
    #[must_use]
    pub fn with_former_directory(mut self, former: PathBuf) -> Self {
        self.former = Some(former).filter(|former| *former != self.directory);
        self
    }

    /// Calls `on_wait` with the directory when another process keeps it locked for a while.
    #[must_use]
    pub fn with_wait_notice(mut self, on_wait: fn(&Path)) -> Self {
        self.on_wait = on_wait;
        self
    }

    /// Returns the number of operations that this journal, or a clone of it, began and that have
    /// not ended.
    pub fn open_operations(&self) -> usize {
        self.open.load(Ordering::SeqCst)
    }

    /// Returns `true` if this journal, or a clone of it, began an operation, which may have ended.
    pub fn has_begun_operations(&self) -> bool {
        self.begun.load(Ordering::SeqCst) > 0
    }

    /// Begins a write, or resumes it. `now` is the current time.
    ///
    /// # Errors
    /// When it was begun too long ago to be resumed and may add something twice, when its entry
    /// is corrupt, or when the journal cannot be written. The write must not be sent then.
    pub fn begin(&self, intent: &Intent, now: Timestamp) -> Result<Operation, JournalError> {
        self.begin_with(intent, IdempotencyKey::new(), now)
    }

    /// Begins a write with the caller's own key, which is used unless the write is resumed.
    pub fn begin_with(
        &self,
        intent: &Intent,
        key: IdempotencyKey,
        now: Timestamp,
    ) -> Result<Operation, JournalError> {
        let names = entry_name::of_intent(intent);
        let path = self.path_of(&names);
        let cannot = |cause: io::Error| io_error(&path, cause);
        let _locks = self.lock().map_err(cannot)?;
        if !self.is_swept.swap(true, Ordering::SeqCst) {
            self.sweep(now);
        }
        if intent.repeat == Repeat::Adds
            && let Some(aside) = self.corrupt_entry_of_subject(&names).map_err(cannot)?
        {
            return Err(JournalError::Unreadable { id: entry::id(&aside), aside });
        }
        let known = entry::read(&path)?.filter(|known| {
            // A state can be set again under a new key; an addition must not be repeated.
            known.repeat == Repeat::Adds || is_resumable(known, now)
        });
        let (path, entry, origin) = if let Some(entry) = known {
            (path, entry, Origin::Resumed)
        } else {
            let mut entry = Entry::new(intent, key, now);
            let replaced = self.replaced_creation(&names, &entry).map_err(cannot)?;
            let path = self.new_path(&names);
            let cannot = |cause| io_error(&path, cause);
            let mut origin = Origin::New;
            if let Some(replaced) = replaced {
                (entry.existing, entry.sent) = (replaced.existing, Some(replaced.sent));
                origin = Origin::Replacing(replaced.path);
            }
            entry::write(&path, &entry).map_err(cannot)?;
            (path, entry, origin)
        };
        check_age(&entry, &path, now)?;
        if intent.subject.is_some() {
            let kept = [Some(&path), origin.replaced()];
            self.remove_others(&kept, &names).map_err(|cause| io_error(&path, cause))?;
        }
        self.begun.fetch_add(1, Ordering::SeqCst);
        Operation::open((path, entry), (origin, now), self.on_wait, &self.open)
    }

    /// Returns this write, if it was begun and has not ended. One that is corrupt is not found.
    pub(crate) fn find(&self, intent: &Intent) -> Result<Option<UnfinishedDetails>, JournalError> {
        let names = entry_name::of_intent(intent);
        let path = self.paths_named(&names).find(|path| path.exists());
        let found = path.map(entry::load).transpose()?.flatten();
        Ok(found.and_then(|found| found.details))
    }

    /// Returns every write that was begun and has not ended, the oldest first. Entries that cannot
    /// be read have no details.
    pub fn unfinished(&self) -> Result<Vec<Unfinished>, JournalError> {
        let mut found: Vec<_> = self
            .paths("")?
            .into_iter()
            .filter_map(|path| entry::load(path).transpose())
            .collect::<Result<_, _>>()?;
        found.sort_by(|a, b| (a.begun(), &a.id).cmp(&(b.begun(), &b.id)));
        Ok(found)
    }

    /// Returns the arguments of the creations that were sent to a server again within the last day, as
    /// they were sent first: a call without an answer may have arrived since. What cannot be read is
    /// left out.
    pub fn repeated_creations(
        &self,
        server: &RecordedServer,
        tool: &str,
        now: Timestamp,
    ) -> Vec<Value> {
        let directories = std::iter::once(&self.directory).chain(&self.former);
        let entries = directories.flat_map(|directory| repeated::find(directory, now));
        entries.filter_map(|entry| entry.into_arguments(server, tool)).collect()
    }

    /// Removes the entries of a subject: its state was read, so their outcome is known or no longer
    /// matters.
    pub fn discard_subject(
        &self,
        server: &RecordedServer,
        subject: &str,
    ) -> Result<(), JournalError> {
        let mut prefixes = server.keys().map(|server| entry_name::subject_prefix(server, subject));
        prefixes.try_for_each(|prefix| self.discard_paths(&self.paths(&prefix)?))
    }

    /// Removes the entry of a write, whatever its outcome.
    pub fn discard_intent(&self, intent: &Intent) -> Result<(), JournalError> {
        let names = entry_name::of_intent(intent);
        let found: Vec<_> = self.paths_named(&names).filter(|path| path.exists()).collect();
        self.discard_paths(&found)
    }

    /// Removes an entry, whatever the outcome of its write.
    pub fn discard(&self, unfinished: &Unfinished) -> Result<(), JournalError> {
        self.discard_paths(std::slice::from_ref(&unfinished.path))
    }

    fn discard_paths(&self, paths: &[PathBuf]) -> Result<(), JournalError> {
        let Some(first) = paths.first() else { return Ok(()) };
        let cannot = |cause| io_error(first, cause);
        let _locks = self.lock().map_err(cannot)?;
        paths.iter().try_for_each(|path| disk::remove(path)).map_err(cannot)
    }

    /// Creates the directory, and locks it; the former one, too, if it has entries.
    fn lock(&self) -> io::Result<Vec<File>> {
        create_own_directory(&self.directory)?;
        let mut locks = vec![disk::lock(&self.directory, self.on_wait)?];
        if let Some(former) = &self.former
            && !paths_in_former(former)?.is_empty()
        {
            locks.push(disk::lock(former, self.on_wait)?);
        }
        Ok(locks)
    }

    /// Returns the path of the entry that has one of these names, or else of a new one.
    fn path_of(&self, names: &[String]) -> PathBuf {
        let found = self.paths_named(names).find(|path| path.exists());
        found.unwrap_or_else(|| self.new_path(names))
    }

    /// Returns the path of a new entry that can have one of these names.
    fn new_path(&self, names: &[String]) -> PathBuf {
        let name = names.first().expect("a write has a name");
        path_in(&self.directory, name)
    }

    /// Returns the paths that an entry with one of these names can have.
    fn paths_named(&self, names: &[String]) -> impl Iterator<Item = PathBuf> {
        let directories = move || std::iter::once(&self.directory).chain(&self.former);
        names.iter().flat_map(move |name| directories().map(move |it| path_in(it, name)))
    }

    /// Returns the entries whose names have this prefix, corrupt ones included.
    fn paths(&self, prefix: &str) -> Result<Vec<PathBuf>, JournalError> {
        let cannot = |cause| io_error(&self.directory, cause);
        let mut paths = paths_in(&self.directory).map_err(cannot)?;
        if let Some(former) = &self.former {
            paths.extend(paths_in_former(former).map_err(|cause| io_error(former, cause))?);
        }
        let has_prefix = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with(prefix))
        };
        paths.retain(has_prefix);
        Ok(paths)
    }

    /// Returns a corrupt entry of the same subject: its write may have created something, which must
    /// not be created twice.
    fn corrupt_entry_of_subject(&self, names: &[String]) -> io::Result<Option<PathBuf>> {
        let entries = self.paths_of_subject(names)?;
        Ok(entries.into_iter().find(|path| !entry::is_readable(path)))
    }

    /// Returns the creation that this one replaces, if there is one: with other arguments, as the
    /// draft was changed since, and it may have taken effect.
    fn replaced_creation(&self, names: &[String], new: &Entry) -> io::Result<Option<Replaced>> {
        for path in self.paths_of_subject(names)? {
            let entry = entry::read_unchanged(&path).filter(|entry| entry.creates_as(new));
            if let Some(entry) = entry {
                let (sent, existing) = (entry::sent(&entry, &path)?, entry.existing);
                return Ok(Some(Replaced { path, existing, sent }));
            }
        }
        Ok(None)
    }

    /// Removes the entries of a subject, except some. Corrupt ones remain until the user
    /// discards them.
    fn remove_others(&self, kept: &[Option<&PathBuf>], names: &[String]) -> io::Result<()> {
        let others = self.paths_of_subject(names)?;
        let is_other = |path: &PathBuf| !kept.contains(&Some(path)) && entry::is_readable(path);
        let others = others.into_iter().filter(is_other);
        others.into_iter().try_for_each(|path| disk::remove(&path))
    }

    /// Returns the entries of the subjects of these names, corrupt ones included.
    fn paths_of_subject(&self, names: &[String]) -> io::Result<Vec<PathBuf>> {
        let mut found = Vec::new();
        for name in names {
            found.extend(self.paths(entry_name::prefix_of(name)).map_err(io::Error::other)?);
        }
        Ok(found)
    }

    /// Removes what will not be resumed: states that would be set under a new key anyway, entries
    /// older than a month, and the incomplete files that a crash has left. What cannot be removed
    /// does not prevent a write.
    fn sweep(&self, now: Timestamp) {
        for path in self.paths("").unwrap_or_default() {
            let Some(entry) = entry::read_unchanged(&path) else { continue };
            let is_repeatable = entry.repeat == Repeat::Sets && !is_resumable(&entry, now);
            if is_repeatable || entry.begun.duration_until(now) > ENTRY_AGE_MAX {
                drop(disk::remove(&path));
            }
        }
        for directory in std::iter::once(&self.directory).chain(&self.former) {
            repeated::remove_old(directory, now);
        }
        disk::remove_temporary(&self.directory);
    }
}

/// A creation that another one replaces.
struct Replaced {
    path: PathBuf,
    /// The ids of what the server had before it.
    existing: Vec<String>,
    /// When it was last sent.
    sent: Timestamp,
}

/// Returns `true` if the server still remembers the key. A clock that was set back leaves an entry
/// from the future, whose age is not known.
fn is_resumable(entry: &Entry, now: Timestamp) -> bool {
    entry.begun.duration_until(now).abs() <= RESUMABLE
}

fn path_in(directory: &Path, name: &str) -> PathBuf {
    directory.join(name).with_extension(entry::EXTENSION)
}

/// Returns the entries of a directory, corrupt ones included. A link to another one is refused.
fn paths_in(directory: &Path) -> io::Result<Vec<PathBuf>> {
    check_own_directory(directory)?;
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut paths = Vec::new();
    for found in entries {
        let path = found?.path();
        if entry::is_entry(&path) {
            paths.push(path);
        }
    }
    Ok(paths)
}

/// Returns the entries of the former directory. In one that this user cannot read, this user has
/// begun nothing.
fn paths_in_former(directory: &Path) -> io::Result<Vec<PathBuf>> {
    match paths_in(directory) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Ok(Vec::new()),
        paths => paths,
    }
}

fn io_error(path: &Path, cause: io::Error) -> JournalError {
    JournalError::Io { path: path.to_owned(), cause }
}

fn check_age(entry: &Entry, path: &Path, now: Timestamp) -> Result<(), JournalError> {
    if is_resumable(entry, now) {
        return Ok(());
    }
    let (tool, begun) = (entry.tool.clone(), entry.begun);
    Err(JournalError::TooOld { tool, begun, id: entry::id(path) })
}
