//! Directories of runs, which their launchers lock, so that others see whose launcher was killed.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use rustix::fs::{
    AtFlags, CWD, Dir, FlockOperation, Mode, OFlags, flock, fstat, mkdirat, openat, statat,
};
use rustix::io::Errno;
use rustix::process::geteuid;

use crate::specification::is_run_name;

/// How often the creation of a directory is tried that another launcher takes for a leftover.
const ATTEMPTS_MAX: usize = 16;

/// How long another launcher is waited for that looks at a new directory, and removes it while it is empty.
const LOCK_TIME_MAX: Duration = Duration::from_secs(5);

/// A directory of a run that no other process removes while this one, or a child of it, has it open.
pub(super) struct LockedDirectory {
    pub(super) path: PathBuf,
    descriptor: OwnedFd,
}

impl LockedDirectory {
    /// Creates a directory that does not exist yet.
    ///
    /// Another launcher may see it before it is locked, and then locks and removes it. That one acts only
    /// while it holds the lock, so it is waited for: only then the name is used again.
    pub(super) fn create(path: &Path, mode: u32) -> io::Result<Self> {
        let deadline = Instant::now() + LOCK_TIME_MAX;
        for _ in 0..ATTEMPTS_MAX {
            mkdirat(CWD, path, Mode::from_raw_mode(mode))?;
            let descriptor = match open_own(CWD, path) {
                Err(Errno::NOENT) => continue,
                opened => opened?,
            };
            while !try_lock(&descriptor)? {
                if Instant::now() >= deadline {
                    return Err(io::Error::other("another process has locked it"));
                }
                thread::sleep(Duration::from_millis(1));
            }
            if is_at(&descriptor, CWD, path) {
                return Ok(Self { path: path.to_owned(), descriptor });
            }
        }
        Err(io::Error::other("other launchers have removed it each time"))
    }

    /// Locks a directory whose launcher has ended; none if another one removes it already.
    pub(super) fn leftover(path: &Path) -> Option<Self> {
        let descriptor = open_own(CWD, path).ok()?;
        let is_left = try_lock(&descriptor).ok()? && is_at(&descriptor, CWD, path);
        is_left.then(|| Self { path: path.to_owned(), descriptor })
    }

    /// Locks the directories of runs in `parent` whose launcher has ended, one after the other. They belong
    /// to this user, and are not links.
    ///
    /// No launcher creates a directory at the path of one of them while it is locked.
    pub(super) fn leftovers(parent: &Path) -> impl Iterator<Item = Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let directory = openat(CWD, parent, flags, Mode::empty()).ok();
        let entries = directory.as_ref().and_then(|directory| Dir::read_from(directory).ok());
        let names = entries.into_iter().flatten().flatten().filter_map(|entry| {
            let name = entry.file_name().to_str().ok()?;
            is_run_name(name).then(|| PathBuf::from(name))
        });
        let parent = parent.to_owned();
        names.filter_map(move |name| {
            let directory = directory.as_ref()?;
            let descriptor = open_own(directory, &name).ok()?;
            // A launcher may have removed it, and created another one, since it was opened.
            let is_left = try_lock(&descriptor).ok()? && is_at(&descriptor, directory, &name);
            is_left.then(|| Self { path: parent.join(name), descriptor })
        })
    }

    /// Returns the directory, opened.
    pub(super) fn descriptor(&self) -> &OwnedFd {
        &self.descriptor
    }
}

/// Opens a directory of this user.
fn open_own(parent: impl AsFd, name: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let descriptor = openat(parent, name, flags, Mode::empty())?;
    let is_own = fstat(&descriptor)?.st_uid == geteuid().as_raw();
    if is_own { Ok(descriptor) } else { Err(Errno::PERM) }
}

/// Locks an opened directory, or returns `false` if another process has locked it.
fn try_lock(descriptor: &OwnedFd) -> Result<bool, Errno> {
    match flock(descriptor, FlockOperation::NonBlockingLockExclusive) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Returns `true` if a directory still has a name.
fn is_at(descriptor: &OwnedFd, parent: impl AsFd, name: &Path) -> bool {
    let found = statat(parent, name, AtFlags::SYMLINK_NOFOLLOW);
    let opened = fstat(descriptor);
    matches!((found, opened), (Ok(found), Ok(opened))
        if (found.st_dev, found.st_ino) == (opened.st_dev, opened.st_ino))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::{LockedDirectory, is_at};
    use rustix::fs::CWD;

    #[test]
    fn a_directory_that_was_just_created_is_not_a_leftover() {
        let parent = tempfile::tempdir().expect("a directory");
        let path = parent.path().join(format!("dibber-sandbox-{}", "a".repeat(32)));
        let has_ended = AtomicBool::new(false);
        std::thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    while !has_ended.load(Ordering::Relaxed) {
                        for leftover in LockedDirectory::leftovers(parent.path()) {
                            std::thread::yield_now();
                            drop(fs::remove_dir(&leftover.path));
                        }
                    }
                });
            }
            let is_kept = (0..300).all(|_| {
                // It may be removed before it is locked each time, which is an error and not a fault.
                let Ok(created) = LockedDirectory::create(&path, 0o700) else { return true };
                std::thread::yield_now();
                let is_kept = is_at(&created.descriptor, CWD, &path);
                drop(fs::remove_dir(&path));
                is_kept
            });
            has_ended.store(true, Ordering::Relaxed);
            assert!(is_kept, "another one has removed it");
        });
    }
}
