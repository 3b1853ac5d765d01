//! `dibber.lock` on disk: where it is, and how several processes change it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{fmt, io};

use super::lock::{LOCK_BYTES_MAX, LOCK_FILE_NAME, Lock, LockError, Published};
use super::lock_key::{LockKey, real_path};
use dibber_skill::contract::{HeartbeatId, SkillId};
use dibber_skill::discover::shown_path;
use dibber_text::atomic_file::{self, Access};
use dibber_text::escape_line;
use dibber_text::file::{ReadError, read_inside};
use dibber_text::file_lock::lock_within;

/// How long a directory that another process has locked is waited for. That process may be asking a
/// question, which a person takes minutes to answer.
const LOCK_WAIT_MAX: Duration = Duration::from_mins(10);

/// A record of a skill whose directory has no skill any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnusedRecord {
    /// Where it is recorded.
    pub key: LockKey,
    /// What is recorded.
    pub published: Published,
}

/// The records of one server, each file of them read once.
#[derive(Debug)]
pub struct LockFiles {
    server: String,
    /// The directory of the database, for the embedded server.
    data: Option<PathBuf>,
    locks: BTreeMap<PathBuf, Lock>,
    /// The directories that are locked against other processes until this value is dropped.
    guards: BTreeMap<PathBuf, File>,
}

/// Why a lock file cannot be read or written.
#[derive(Debug)]
pub struct LockFileError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub kind: LockFileErrorKind,
}

/// What is wrong with a lock file.
#[derive(Debug)]
pub enum LockFileErrorKind {
    /// It cannot be read.
    Read(ReadError),
    /// It is not UTF-8.
    NotUtf8,
    /// It is not a lock file.
    Invalid(LockError),
    /// It cannot be written.
    Write(io::Error),
    /// Another process keeps its directory locked.
    Locked(io::Error),
}

impl fmt::Display for LockFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = shown_path(&self.path);
        let path = escape_line(&path);
        match &self.kind {
            LockFileErrorKind::Read(ReadError::Io(cause)) => {
                write!(f, "cannot read {path}: {cause}")
            }
            LockFileErrorKind::Read(error) => write!(f, "{path} {error}"),
            LockFileErrorKind::NotUtf8 => write!(f, "{path} is not UTF-8"),
            LockFileErrorKind::Invalid(error) => write!(f, "{path}: {error}"),
            LockFileErrorKind::Write(cause) => write!(f, "cannot write {path}: {cause}"),
            LockFileErrorKind::Locked(cause) => write!(f, "cannot lock {path}: {cause}"),
        }
    }
}

impl std::error::Error for LockFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            LockFileErrorKind::Read(error) => Some(error),
            LockFileErrorKind::NotUtf8 => None,
            LockFileErrorKind::Invalid(error) => Some(error),
            LockFileErrorKind::Write(error) | LockFileErrorKind::Locked(error) => Some(error),
        }
    }
}

impl LockFiles {
    /// Returns the records of a server. For the embedded one, `data` is the directory of its
    /// database.
    pub fn new(server: &str, data: Option<&Path>) -> Self {
        Self {
            server: server.to_owned(),
            data: data.map(Path::to_owned),
            locks: BTreeMap::new(),
            guards: BTreeMap::new(),
        }
    }

    /// Returns where the skill in a directory is recorded: in the nearest directory from there
    /// upward that has a `dibber.lock` or a `dibber.toml`, or else at the root of the repository,
    /// or else in the parent directory. The directory itself need not exist yet.
    ///
    /// What the embedded server has stored means nothing on another machine, so it is recorded
    /// beside its database, with the whole path of the directory.
    pub fn key(&self, directory: &Path) -> LockKey {
        let directory = real_path(directory);
        match &self.data {
            Some(data) => LockKey { file: data.join(LOCK_FILE_NAME), path: shown_path(&directory) },
            None => LockKey::in_project(&directory),
        }
    }

    /// Prevents every other process from publishing what is recorded in the same files, until this
    /// value is dropped: from the plan to the record, or two of them would create the same skill
    /// twice. `waiting` is called with a directory that another process keeps locked for a while.
    ///
    /// Where a file system cannot lock, nothing is locked.
    ///
    /// # Errors
    /// If another process keeps a directory locked for longer than `LOCK_WAIT_MAX`.
    pub fn lock_directories<'a>(
        &mut self,
        keys: impl IntoIterator<Item = &'a LockKey>,
        mut waiting: impl FnMut(&Path),
    ) -> Result<(), LockFileError> {
        // The same order in every process, or two of them could wait for one another.
        let directories: BTreeSet<_> = keys.into_iter().map(LockKey::directory).collect();
        for directory in directories {
            let Ok(file) = File::open(directory) else { continue };
            if lock_directory(directory, &file, || waiting(directory))? {
                self.guards.insert(directory.to_owned(), file);
            }
        }
        // What was read before may have been changed by the process that has just ended.
        self.locks.clear();
        Ok(())
    }

    /// Returns what is recorded of a skill.
    pub fn get(&mut self, key: &LockKey) -> Result<Option<Published>, LockFileError> {
        let server = self.server.clone();
        Ok(self.lock(&key.file)?.get(&key.path, &server).cloned())
    }

    /// Returns `true` if one of the files that were read records a skill, of whichever directory.
    pub fn is_recorded(&self, skill_id: &SkillId) -> bool {
        self.locks.values().any(|lock| lock.paths_of(&self.server, skill_id).next().is_some())
    }

    /// Returns the directories that were published as this skill, among those recorded where
    /// `directory` would be.
    pub fn directories_of(
        &mut self,
        directory: &Path,
        skill_id: &SkillId,
    ) -> Result<Vec<PathBuf>, LockFileError> {
        let key = self.key(directory);
        let server = self.server.clone();
        let root = key.directory().to_owned();
        let paths = self.lock(&key.file)?.paths_of(&server, skill_id).map(|path| root.join(path));
        Ok(paths.collect())
    }

    /// Returns the records of the same file as that of `key` whose directories have no skill any
    /// more.
    pub fn unused_records(&mut self, key: &LockKey) -> Result<Vec<UnusedRecord>, LockFileError> {
        let server = self.server.clone();
        let file = key.file.clone();
        let records = self.lock(&file)?.published_on(&server).map(|(path, published)| {
            let key = LockKey { file: file.clone(), path: path.to_owned() };
            UnusedRecord { key, published: published.clone() }
        });
        Ok(records.filter(|record| !record.key.has_skill()).collect())
    }

    /// Returns the records of skills at and below a directory that have no skill any more.
    pub fn unused_records_below(
        &mut self,
        directory: &Path,
    ) -> Result<Vec<UnusedRecord>, LockFileError> {
        let directory = real_path(directory);
        let key = self.key(&directory.join("skill"));
        let mut records = self.unused_records(&key)?;
        records.retain(|record| record.key.skill_directory().starts_with(&directory));
        Ok(records)
    }

    /// Returns the other records of a skill, among those recorded in the same file as `key`.
    pub fn others_of(
        &mut self,
        key: &LockKey,
        skill_id: &SkillId,
    ) -> Result<Vec<LockKey>, LockFileError> {
        let server = self.server.clone();
        let file = key.file.clone();
        let paths = self.lock(&file)?.paths_of(&server, skill_id).map(str::to_owned);
        let keys = paths.map(|path| LockKey { file: file.clone(), path });
        Ok(keys.filter(|other| other != key).collect())
    }

    /// Records that skills were moved: from the first directory of each pair to the second, which
    /// are recorded in the same file.
    pub fn record_moves(&mut self, moves: &[(LockKey, LockKey)]) -> Result<(), LockFileError> {
        let server = self.server.clone();
        for (from, to) in moves {
            self.change(&to.file, |lock| {
                if let Some(published) = lock.remove(&from.path, &server) {
                    lock.record(&to.path, &server, published);
                }
            })?;
        }
        Ok(())
    }

    /// Removes what is recorded of a skill. The skill itself stays on the server.
    pub fn remove(&mut self, key: &LockKey) -> Result<(), LockFileError> {
        let server = self.server.clone();
        self.change(&key.file, |lock| drop(lock.remove(&key.path, &server)))
    }

    /// Records skills that were published, together with what others have recorded meanwhile.
    pub fn record(&mut self, entries: Vec<(LockKey, Published)>) -> Result<(), LockFileError> {
        let mut files: BTreeMap<PathBuf, Vec<(String, Published)>> = BTreeMap::new();
        for (key, published) in entries {
            files.entry(key.file).or_default().push((key.path, published));
        }
        let server = self.server.clone();
        for (file, entries) in files {
            self.change(&file, |lock| {
                for (path, published) in entries {
                    lock.record(&path, &server, published);
                }
            })?;
        }
        Ok(())
    }

    /// Records a heartbeat of a skill. Returns `false`, and records nothing, if the skill is not
    /// recorded.
    pub fn record_heartbeat(
        &mut self,
        key: &LockKey,
        name: &str,
        id: &HeartbeatId,
    ) -> Result<bool, LockFileError> {
        let server = self.server.clone();
        let mut is_recorded = false;
        self.change(&key.file, |lock| {
            is_recorded = lock.record_heartbeat(&key.path, &server, name, id);
        })?;
        Ok(is_recorded)
    }

    /// Changes a file as it is now, and replaces it with the result.
    ///
    /// The directory is locked meanwhile, where the system can lock one.
    fn change(&mut self, file: &Path, change: impl FnOnce(&mut Lock)) -> Result<(), LockFileError> {
        let directory = file.parent().unwrap_or(Path::new(""));
        // A second lock of this process would wait for the first one for ever.
        let guard = match File::open(directory) {
            Ok(opened) if !self.guards.contains_key(directory) => Some(opened),
            _ => None,
        };
        if let Some(opened) = &guard {
            lock_directory(directory, opened, || ())?;
        }
        let before = read(file)?;
        let mut lock = before.clone();
        change(&mut lock);
        if lock != before || !file.exists() {
            let error = |cause| error(file, LockFileErrorKind::Write(cause));
            atomic_file::replace(file, lock.write().as_bytes(), Access::Inherit).map_err(error)?;
            // The journal forgets a write once it is recorded, so the record has to be on the disk
            // first. Where directories cannot be synced, it is in the hands of the system.
            let _ = File::open(directory).and_then(|directory| directory.sync_all());
        }
        self.locks.insert(file.to_owned(), lock);
        Ok(())
    }

    fn lock(&mut self, file: &Path) -> Result<&Lock, LockFileError> {
        if !self.locks.contains_key(file) {
            self.locks.insert(file.to_owned(), read(file)?);
        }
        Ok(&self.locks[file])
    }
}

/// Locks a directory. Returns `false` if its file system cannot.
fn lock_directory(
    directory: &Path,
    opened: &File,
    waiting: impl FnOnce(),
) -> Result<bool, LockFileError> {
    match lock_within(opened, LOCK_WAIT_MAX, waiting) {
        Err(cause) if cause.kind() == io::ErrorKind::TimedOut => {
            Err(error(directory, LockFileErrorKind::Locked(cause)))
        }
        locked => Ok(locked.is_ok()),
    }
}

fn read(file: &Path) -> Result<Lock, LockFileError> {
    // The file is read and written at the root of the project.
    let root = file.parent().unwrap_or(Path::new(""));
    let bytes = match read_inside(file, root, LOCK_BYTES_MAX) {
        Ok(bytes) => bytes,
        Err(error) if error.is_not_found() => return Ok(Lock::default()),
        Err(cause) => return Err(error(file, LockFileErrorKind::Read(cause))),
    };
    let text = String::from_utf8(bytes).map_err(|_| error(file, LockFileErrorKind::NotUtf8))?;
    Lock::parse(&text).map_err(|cause| error(file, LockFileErrorKind::Invalid(cause)))
}

fn error(file: &Path, kind: LockFileErrorKind) -> LockFileError {
    LockFileError { path: file.to_owned(), kind }
}
