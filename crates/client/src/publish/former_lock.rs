//! The records of the embedded server as earlier versions have kept them: for all projects in one
//! file beside its database, with absolute paths. They move to the lock file of each project when
//! that is written.

use std::fs::File;
use std::path::{Path, PathBuf};

use super::lock::Lock;
use super::lock_file::{LockFileError, lock_directory, read_lock_with, remove_lock, replace_lock};
use super::lock_key::LockKey;
use super::lock_paths::LockPaths;
use super::published::Published;
use crate::recorded_server::RecordedServer;

/// The records of all projects in one file.
#[derive(Debug)]
pub(super) struct FormerLock {
    file: PathBuf,
}

impl FormerLock {
    pub(super) const fn new(file: PathBuf) -> Self {
        Self { file }
    }

    /// Adds to the lock file of a project what is recorded of its skills.
    pub(super) fn add_to(
        &self,
        lock: &mut Lock,
        project_file: &Path,
        server: &RecordedServer,
    ) -> Result<(), LockFileError> {
        for (key, _, published) in self.records_of(project_file, server)? {
            lock.record_former(&key.path, server.key(), published);
        }
        Ok(())
    }

    /// Removes what is recorded of a project, after its own lock file has it. The last record takes
    /// the file with it.
    pub(super) fn remove(
        &self,
        project_file: &Path,
        server: &RecordedServer,
    ) -> Result<(), LockFileError> {
        if self.records_of(project_file, server)?.is_empty() {
            return Ok(());
        }
        let directory = self.file.parent().unwrap_or(Path::new(""));
        let opened = File::open(directory).ok();
        if let Some(opened) = &opened {
            lock_directory(directory, opened, || ())?;
        }
        // Another process may have changed the file until it was locked.
        let records = self.records_of(project_file, server)?;
        let mut lock = read_lock_with(&self.file, LockPaths::Absolute)?;
        for (_, path, _) in &records {
            lock.remove(path, server.name());
        }
        if lock.is_empty() { remove_lock(&self.file) } else { replace_lock(&self.file, &lock) }
    }

    /// Returns the records of a project: where each belongs, the path it has here, and what it says.
    fn records_of(
        &self,
        project_file: &Path,
        server: &RecordedServer,
    ) -> Result<Vec<(LockKey, String, Published)>, LockFileError> {
        let root = project_file.parent().unwrap_or(Path::new(""));
        let lock = read_lock_with(&self.file, LockPaths::Absolute)?;
        let records = lock.published_on(server.name()).filter_map(|(path, published)| {
            let directory = Path::new(path);
            let key = directory.starts_with(root).then(|| LockKey::in_project(directory))?;
            (key.file == project_file).then(|| (key, path.to_owned(), published.clone()))
        });
        Ok(records.collect())
    }
}
