//! The heartbeats in the lock files.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use super::duplicate_records::DuplicateRecord;
use super::lock_file::LockFileError;
use super::lock_files::LockFiles;
use super::lock_key::{LockKey, real_path};
use super::published::{Published, PublishedHeartbeat};
use dibber_skill::contract::{HeartbeatId, SkillId};

/// A heartbeat, and where it is recorded.
struct RecordedHeartbeat<'a> {
    file: &'a Path,
    /// The path of its skill.
    path: &'a str,
    name: &'a str,
    known: &'a PublishedHeartbeat,
}

impl LockFiles {
    /// Returns `true` if one of the files that were read records a heartbeat, of whichever skill.
    pub fn is_heartbeat_recorded(&self, id: &HeartbeatId) -> bool {
        self.recorded_heartbeats().any(|recorded| recorded.known.heartbeat_id == *id)
    }

    /// Returns `true` if a heartbeat that is not listed may exist all the same: it never was, and nor
    /// is any other that is recorded.
    pub(super) fn is_never_listed<'a>(
        &self,
        known: &PublishedHeartbeat,
        listed: impl IntoIterator<Item = &'a HeartbeatId>,
    ) -> bool {
        known.is_unlisted && !listed.into_iter().any(|id| self.is_heartbeat_recorded(id))
    }

    /// Returns `true` if there is a recorded heartbeat that [is never
    /// listed](Self::is_never_listed): the server lists nothing that it creates.
    pub(super) fn has_never_listed<'a>(
        &self,
        listed: impl IntoIterator<Item = &'a HeartbeatId>,
    ) -> bool {
        let mut recorded = self.recorded_heartbeats();
        let unlisted = recorded.find(|recorded| recorded.known.is_unlisted);
        unlisted.is_some_and(|recorded| self.is_never_listed(recorded.known, listed))
    }

    /// Returns `true` if one of the files that were read records a heartbeat under another name than
    /// this one, or of another skill.
    pub(super) fn is_heartbeat_of_other(
        &self,
        id: &HeartbeatId,
        skill: &LockKey,
        name: &str,
    ) -> bool {
        self.recorded_heartbeats().any(|recorded| {
            let place = (recorded.file, recorded.path, recorded.name);
            recorded.known.heartbeat_id == *id && place != (&*skill.file, &*skill.path, name)
        })
    }

    fn recorded_heartbeats(&self) -> impl Iterator<Item = RecordedHeartbeat<'_>> {
        let server = self.server.key();
        self.locks.iter().flat_map(move |(file, lock)| {
            lock.published_on(server).flat_map(move |(path, published)| {
                let heartbeats = published.heartbeats.iter();
                heartbeats.map(move |(name, known)| RecordedHeartbeat { file, path, name, known })
            })
        })
    }

    /// Reads the file where the skills of a directory are recorded.
    pub(super) fn read_of(&mut self, directory: &Path) -> Result<(), LockFileError> {
        self.lock(&file_of(directory)).map(drop)
    }

    /// Returns the heartbeats that the files which were read record for a skill.
    pub(super) fn heartbeats_recorded_for(
        &self,
        skill_id: &SkillId,
    ) -> Vec<(&str, &PublishedHeartbeat)> {
        let server = self.server.key();
        let published = self.locks.values().flat_map(|lock| lock.published_on(server));
        let of_skill = published.filter(|(_, published)| published.skill_id == *skill_id);
        let heartbeats = of_skill.flat_map(|(_, published)| &published.heartbeats);
        heartbeats.map(|(name, known)| (name.as_str(), known)).collect()
    }

    /// Returns the heartbeats that are recorded for a skill, in the same file as `key`.
    pub fn heartbeats_of(
        &mut self,
        key: &LockKey,
        skill_id: &SkillId,
    ) -> Result<BTreeSet<HeartbeatId>, LockFileError> {
        let server = self.server.key().to_owned();
        let published = self.lock(&key.file)?.published_on(&server);
        let of_skill = published.filter(|(_, published)| published.skill_id == *skill_id);
        let heartbeats = of_skill.flat_map(|(_, published)| published.heartbeats.values());
        Ok(heartbeats.map(|heartbeat| heartbeat.heartbeat_id.clone()).collect())
    }

    /// Records a heartbeat of a skill. Returns `false`, and records nothing, if the skill is not
    /// recorded.
    pub fn record_heartbeat(
        &mut self,
        key: &LockKey,
        name: &str,
        heartbeat: PublishedHeartbeat,
    ) -> Result<bool, LockFileError> {
        let server = self.server.key().to_owned();
        let mut is_recorded = false;
        self.change(&key.file, |lock| {
            is_recorded = lock.record_heartbeat(&key.path, &server, name, heartbeat);
        })?;
        Ok(is_recorded)
    }

    /// Removes the records of heartbeats of a skill that are recorded under another name, too, and
    /// returns them. Of those, the first name that `is_in_use` returns `true` for remains.
    pub fn forget_duplicates(
        &mut self,
        key: &LockKey,
        is_in_use: impl Fn(&str) -> bool,
    ) -> Result<Vec<DuplicateRecord>, LockFileError> {
        let Some(published) = self.get(key)? else { return Ok(Vec::new()) };
        let duplicates = published.duplicate_heartbeats(is_in_use);
        let server = self.server.key().to_owned();
        for duplicate in &duplicates {
            let name = &duplicate.forgotten;
            self.change(&key.file, |lock| lock.forget_heartbeat_name(&key.path, &server, name))?;
        }
        Ok(duplicates)
    }

    /// Removes what is recorded of a heartbeat of a skill.
    pub fn remove_heartbeat(
        &mut self,
        key: &LockKey,
        id: &HeartbeatId,
    ) -> Result<(), LockFileError> {
        let server = self.server.key().to_owned();
        self.change(&key.file, |lock| lock.remove_heartbeat(&key.path, &server, id))
    }

    /// Returns the skills that a heartbeat is recorded for, where those of a directory are recorded.
    pub fn skills_of_heartbeat(
        &mut self,
        directory: &Path,
        id: &HeartbeatId,
    ) -> Result<Vec<LockKey>, LockFileError> {
        let file = file_of(directory);
        let server = self.server.key().to_owned();
        let lock = self.lock(&file)?;
        let is_it = |published: &Published| {
            published.heartbeats.values().any(|known| known.heartbeat_id == *id)
        };
        let owners = lock.published_on(&server).filter(|(_, published)| is_it(published));
        let key = |path: &str| LockKey { file: file.clone(), path: path.to_owned() };
        Ok(owners.map(|(path, _)| key(path)).collect())
    }

    /// Returns the name under which a heartbeat of one of these skills is recorded.
    pub fn recorded_name(
        &mut self,
        skills: &[LockKey],
        id: &HeartbeatId,
    ) -> Result<Option<String>, LockFileError> {
        for key in skills {
            let heartbeats = self.get(key)?.map(|published| published.heartbeats);
            let mut heartbeats = heartbeats.into_iter().flatten();
            if let Some((name, _)) = heartbeats.find(|(_, known)| known.heartbeat_id == *id) {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }

    /// Removes what is recorded of a heartbeat where the skills of a directory are recorded: it was
    /// cancelled on purpose, and may be created again. Returns the skills that it was recorded for.
    pub fn forget_heartbeat(
        &mut self,
        directory: &Path,
        id: &HeartbeatId,
    ) -> Result<Vec<LockKey>, LockFileError> {
        let skills = self.skills_of_heartbeat(directory, id)?;
        for key in &skills {
            self.remove_heartbeat(key, id)?;
        }
        Ok(skills)
    }

    /// Returns what is recorded of the heartbeats of a skill where the skills of a directory are
    /// recorded.
    pub(super) fn heartbeats_of_skill(
        &mut self,
        directory: &Path,
        skill_id: &SkillId,
    ) -> Result<Vec<PublishedHeartbeat>, LockFileError> {
        let file = file_of(directory);
        let server = self.server.key().to_owned();
        let published = self.lock(&file)?.published_on(&server);
        let of_skill = published.filter(|(_, published)| published.skill_id == *skill_id);
        Ok(of_skill.flat_map(|(_, published)| published.heartbeats.values()).cloned().collect())
    }

    /// Removes what is recorded of a heartbeat as [`forget_heartbeat`](Self::forget_heartbeat) does,
    /// if it was never listed. Returns `true` if it was.
    pub fn forget_unlisted_heartbeat(
        &mut self,
        directory: &Path,
        id: &HeartbeatId,
    ) -> Result<bool, LockFileError> {
        let mut is_forgotten = false;
        for key in self.skills_of_heartbeat(directory, id)? {
            let published = self.get(&key)?;
            let mut known = published.iter().flat_map(|published| published.heartbeats.values());
            if known.any(|known| known.heartbeat_id == *id && known.is_unlisted) {
                self.remove_heartbeat(&key, id)?;
                is_forgotten = true;
            }
        }
        Ok(is_forgotten)
    }
}

/// Returns the file where the skills of a directory are recorded.
fn file_of(directory: &Path) -> PathBuf {
    LockKey::new(&real_path(directory).join("skill")).file
}
