//! The lock files of the projects that skills are in, and how several processes change them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::path::{Path, PathBuf};

use super::base_contents::{BaseContents, BaseContentsError};
use super::former_lock::FormerLock;
use super::lock::{LOCK_FILE_NAME, Lock};
use super::lock_file::{LockFileError, lock_directory, read_lock, replace_lock};
use super::lock_key::{LockKey, real_path};
use super::published::Published;
use crate::recorded_server::RecordedServer;
use dibber_skill::contract::{SkillId, SkillWrite};

/// A record of a skill whose directory has no skill any more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingRecord {
    /// Where it is recorded.
    pub key: LockKey,
    /// What is recorded.
    pub published: Published,
}

/// The records of one server, each file of them read once.
#[derive(Debug)]
pub struct LockFiles {
    pub(super) server: RecordedServer,
    /// Where earlier versions have recorded what was published to the embedded server.
    former: Option<FormerLock>,
    bases: Option<BaseContents>,
    has_removed_bases: bool,
    bases_error: Option<BaseContentsError>,
    pub(super) locks: BTreeMap<PathBuf, Lock>,
    /// The directories that are locked against other processes until this value is dropped.
    guards: BTreeMap<PathBuf, File>,
    /// Is called with a directory that another process keeps locked for a while.
    on_wait: fn(&Path),
}

impl LockFiles {
    /// Returns the records of a server.
    pub const fn new(server: RecordedServer) -> Self {
        Self {
            server,
            former: None,
            bases: None,
            has_removed_bases: false,
            bases_error: None,
            locks: BTreeMap::new(),
            guards: BTreeMap::new(),
            on_wait: |_| (),
        }
    }

    /// Calls `on_wait` with the directory when another process keeps it locked while a record is
    /// written.
    #[must_use]
    pub fn with_wait_notice(self, on_wait: fn(&Path)) -> Self {
        Self { on_wait, ..self }
    }

    /// Keeps the contents that are recorded, too, so that a merge knows them.
    #[must_use]
    pub fn with_bases(self, bases: BaseContents) -> Self {
        Self { bases: Some(bases), ..self }
    }

    /// Returns the contents that were recorded.
    pub const fn bases(&self) -> Option<&BaseContents> {
        self.bases.as_ref()
    }

    /// Keeps contents that are recorded.
    pub(super) fn keep_bases<'a>(&mut self, contents: impl IntoIterator<Item = &'a SkillWrite>) {
        let Some(bases) = &self.bases else { return };
        if !self.has_removed_bases {
            bases.remove_oldest();
            self.has_removed_bases = true;
        }
        let errors = contents.into_iter().filter_map(|content| bases.add(content).err());
        if let Some(error) = errors.last() {
            self.bases_error = Some(error);
        }
    }

    /// Returns why a content that is recorded could not be kept, once. The record is complete; a
    /// merge knows less.
    pub const fn take_bases_error(&mut self) -> Option<BaseContentsError> {
        self.bases_error.take()
    }

    /// Adds what earlier versions have recorded beside the database of the embedded server, in this
    /// directory.
    #[must_use]
    pub fn with_former_records(self, data: &Path) -> Self {
        let former = FormerLock::new(data.join(LOCK_FILE_NAME));
        Self { former: Some(former), ..self }
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
            // A second lock of this process would wait for the first one for ever.
            if self.guards.contains_key(directory) {
                continue;
            }
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
        let server = self.server.key().to_owned();
        Ok(self.lock(&key.file)?.get(&key.path, &server).cloned())
    }

    /// Returns `true` if one of the files that were read records a skill, of whichever directory.
    pub fn is_recorded(&self, skill_id: &SkillId) -> bool {
        self.locks.values().any(|lock| lock.paths_of(self.server.key(), skill_id).next().is_some())
    }

    /// Returns the skills that are recorded in the file of a key, with their directories.
    pub fn recorded_skills(
        &mut self,
        key: &LockKey,
    ) -> Result<Vec<(LockKey, SkillId)>, LockFileError> {
        let server = self.server.key().to_owned();
        let file = key.file.clone();
        let records = self.lock(&file)?.published_on(&server).map(|(path, published)| {
            let key = LockKey { file: file.clone(), path: path.to_owned() };
            (key, published.skill_id.clone())
        });
        Ok(records.collect())
    }

    /// Returns the directories that were published as this skill, among those recorded where
    /// `directory` would be.
    pub fn directories_of(
        &mut self,
        directory: &Path,
        skill_id: &SkillId,
    ) -> Result<Vec<PathBuf>, LockFileError> {
        let key = LockKey::new(directory);
        let server = self.server.key().to_owned();
        let root = key.directory().to_owned();
        let paths = self.lock(&key.file)?.paths_of(&server, skill_id).map(|path| root.join(path));
        Ok(paths.collect())
    }

    /// Returns the directory inside the project that was published as this skill and is gone, among
    /// those recorded where `directory` would be.
    pub(super) fn missing_directory_of(
        &mut self,
        directory: &Path,
        skill_id: &SkillId,
    ) -> Result<Option<PathBuf>, LockFileError> {
        let key = LockKey::new(directory);
        let server = self.server.key().to_owned();
        let file = key.file.clone();
        let paths = self.lock(&file)?.paths_of(&server, skill_id).map(str::to_owned);
        let keys = paths.map(|path| LockKey { file: file.clone(), path });
        let mut missing = keys.filter(|key| key.is_in_project() && !key.has_skill());
        Ok(missing.next().map(|key| key.skill_directory()))
    }

    /// Returns the records of the same file as that of `key` whose directories have no skill any
    /// more, except those of skills that another directory is recorded as.
    pub fn missing_records(&mut self, key: &LockKey) -> Result<Vec<MissingRecord>, LockFileError> {
        let server = self.server.key().to_owned();
        let file = key.file.clone();
        let records = self.lock(&file)?.published_on(&server).map(|(path, published)| {
            let key = LockKey { file: file.clone(), path: path.to_owned() };
            MissingRecord { key, published: published.clone() }
        });
        let (used, mut unused): (Vec<_>, Vec<_>) =
            records.partition(|record| record.key.has_skill());
        let used: BTreeSet<_> = used.iter().map(|record| &record.published.skill_id).collect();
        unused.retain(|record| !used.contains(&record.published.skill_id));
        Ok(unused)
    }

    /// Returns the records of skills at and below a directory that have no skill any more.
    pub fn missing_records_below(
        &mut self,
        directory: &Path,
    ) -> Result<Vec<MissingRecord>, LockFileError> {
        let directory = real_path(directory);
        let key = LockKey::new(&directory.join("skill"));
        let mut records = self.missing_records(&key)?;
        records.retain(|record| record.key.skill_directory().starts_with(&directory));
        Ok(records)
    }

    /// Returns the paths of the files that a skill included when it was recorded: in the file of this
    /// key, for whichever directory, or in another one that was read.
    pub(super) fn included_of(
        &mut self,
        key: &LockKey,
        skill_id: &SkillId,
    ) -> Result<Vec<String>, LockFileError> {
        if let Some(known) = self.get(key)?.filter(|known| known.skill_id == *skill_id) {
            return Ok(known.include);
        }
        let server = self.server.key();
        let mut records = self.locks.values().flat_map(|lock| lock.published_on(server));
        let found = records.find(|(_, it)| it.skill_id == *skill_id && !it.include.is_empty());
        Ok(found.map(|(_, published)| published.include.clone()).unwrap_or_default())
    }

    /// Returns the other records of a skill, among those recorded in the same file as `key`.
    pub fn others_of(
        &mut self,
        key: &LockKey,
        skill_id: &SkillId,
    ) -> Result<Vec<LockKey>, LockFileError> {
        let server = self.server.key().to_owned();
        let file = key.file.clone();
        let paths = self.lock(&file)?.paths_of(&server, skill_id).map(str::to_owned);
        let keys = paths.map(|path| LockKey { file: file.clone(), path });
        Ok(keys.filter(|other| other != key).collect())
    }

    /// Records that skills were moved: from the first directory of each pair to the second, which
    /// are recorded in the same file.
    pub fn record_moves(&mut self, moves: &[(LockKey, LockKey)]) -> Result<(), LockFileError> {
        let server = self.server.key().to_owned();
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
        let server = self.server.key().to_owned();
        self.change(&key.file, |lock| drop(lock.remove(&key.path, &server)))
    }

    /// Removes the link of a directory to a skill, which stays on the server. Another directory that
    /// is linked to it keeps the records of its heartbeats.
    pub fn unlink(&mut self, key: &LockKey) -> Result<(), LockFileError> {
        let server = self.server.key().to_owned();
        let file = key.file.clone();
        self.change(&key.file, |lock| {
            lock.unlink(&key.path, &server, |path| has_skill(&file, path));
        })
    }

    /// Records skills that were published, together with what others have recorded meanwhile. The
    /// record of a skill whose directory is gone moves to the new one.
    pub fn record(&mut self, entries: Vec<(LockKey, Published)>) -> Result<(), LockFileError> {
        let mut files: BTreeMap<PathBuf, Vec<(String, Published)>> = BTreeMap::new();
        for (key, published) in entries {
            files.entry(key.file).or_default().push((key.path, published));
        }
        let server = self.server.key().to_owned();
        for (file, entries) in files {
            let name = self.server.hint();
            self.change(&file, |lock| {
                if let Some(name) = name {
                    lock.name_server(&server, name);
                }
                for (path, published) in entries {
                    let id = published.skill_id.clone();
                    lock.record(&path, &server, published);
                    lock.merge_others(&path, &server, &id, |path| !has_skill(&file, path));
                }
            })?;
        }
        Ok(())
    }

    /// Changes a file as it is now, and replaces it with the result.
    ///
    /// The directory is locked meanwhile, where the system can lock one.
    pub(super) fn change(
        &mut self,
        file: &Path,
        change: impl FnOnce(&mut Lock),
    ) -> Result<(), LockFileError> {
        let directory = file.parent().unwrap_or(Path::new(""));
        // A second lock of this process would wait for the first one for ever.
        let guard = match File::open(directory) {
            Ok(opened) if !self.guards.contains_key(directory) => Some(opened),
            _ => None,
        };
        if let Some(opened) = &guard {
            lock_directory(directory, opened, || (self.on_wait)(directory))?;
        }
        let mut lock = self.read(file)?;
        change(&mut lock);
        if lock != read_lock(file)? || !file.exists() {
            replace_lock(file, &lock)?;
            if let Some(former) = &self.former {
                former.remove(file, &self.server)?;
            }
        }
        self.locks.insert(file.to_owned(), lock);
        Ok(())
    }

    pub(super) fn lock(&mut self, file: &Path) -> Result<&Lock, LockFileError> {
        if !self.locks.contains_key(file) {
            self.locks.insert(file.to_owned(), self.read(file)?);
        }
        Ok(&self.locks[file])
    }

    /// Reads a file, with the records of its skills that earlier versions have kept otherwise. The record
    /// of a directory that is gone is part of that of another one which is the same skill.
    fn read(&self, file: &Path) -> Result<Lock, LockFileError> {
        let mut lock = read_lock(file)?;
        lock.adopt_address(&self.server);
        if let Some(former) = &self.former {
            former.add_to(&mut lock, file, &self.server)?;
        }
        lock.merge_missing(self.server.key(), |path| has_skill(file, path));
        Ok(lock)
    }
}

/// Returns `true` if the directory at a path of a lock file has a skill.
fn has_skill(file: &Path, path: &str) -> bool {
    LockKey { file: file.to_owned(), path: path.to_owned() }.has_skill()
}
