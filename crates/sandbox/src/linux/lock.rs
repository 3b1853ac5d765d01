//! Directories of runs, which their launchers lock, so that others see whose launcher was killed.

use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};

use rustix::fs::{
    AtFlags, CWD, Dir, FlockOperation, Mode, OFlags, flock, fstat, mkdirat, openat, statat,
};
use rustix::io::Errno;
use rustix::process::geteuid;

use crate::specification::is_run_name;

/// How often the creation of a directory is tried that another launcher takes for a leftover.
const ATTEMPTS_MAX: usize = 16;

/// A directory of a run that no other process removes while this one, or a child of it, has it open.
pub(super) struct LockedDirectory {
    pub(super) path: PathBuf,
    descriptor: OwnedFd,
}

impl LockedDirectory {
    /// Creates a directory that does not exist yet.
    pub(super) fn create(path: &Path, mode: u32) -> io::Result<Self> {
        for _ in 0..ATTEMPTS_MAX {
            mkdirat(CWD, path, Mode::from_raw_mode(mode))?;
            // Another launcher may have seen it before it was locked, and has then removed it.
            match Self::lock(CWD, path) {
                Ok(Some(descriptor)) if is_at(&descriptor, CWD, path) => {
                    return Ok(Self { path: path.to_owned(), descriptor });
                }
                Ok(None) => drop(rustix::fs::unlinkat(CWD, path, AtFlags::REMOVEDIR)),
                Ok(Some(_)) | Err(Errno::NOENT) => {}
                Err(error) => return Err(error.into()),
            }
        }
        Err(io::Error::other("other processes remove it"))
    }

    /// Returns the locked directories of runs in `parent` whose launcher has ended. They belong to this
    /// user, and are not links.
    pub(super) fn leftovers(parent: &Path) -> Vec<Self> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let Ok(directory) = openat(CWD, parent, flags, Mode::empty()) else { return Vec::new() };
        let Ok(entries) = Dir::read_from(&directory) else { return Vec::new() };
        let names = entries.flatten().filter_map(|entry| {
            let name = entry.file_name().to_str().ok()?;
            is_run_name(name).then(|| PathBuf::from(name))
        });
        let locked = names.filter_map(|name| {
            let descriptor = Self::lock(&directory, &name).ok()??;
            let is_own = fstat(&descriptor).is_ok_and(|status| status.st_uid == geteuid().as_raw());
            is_own.then(|| Self { path: parent.join(name), descriptor })
        });
        locked.collect()
    }

    /// Returns the directory, opened.
    pub(super) fn descriptor(&self) -> &OwnedFd {
        &self.descriptor
    }

    /// Opens and locks a directory, or returns `None` if another process has locked it.
    fn lock(parent: impl AsFd, name: &Path) -> Result<Option<OwnedFd>, Errno> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let descriptor = openat(parent, name, flags, Mode::empty())?;
        match flock(&descriptor, FlockOperation::NonBlockingLockExclusive) {
            Ok(()) => Ok(Some(descriptor)),
            Err(Errno::WOULDBLOCK) => Ok(None),
            Err(error) => Err(error),
        }
    }
}

/// Returns `true` if a directory still has a name.
fn is_at(descriptor: &OwnedFd, parent: impl AsFd, name: &Path) -> bool {
    let found = statat(parent, name, AtFlags::SYMLINK_NOFOLLOW);
    let opened = fstat(descriptor);
    matches!((found, opened), (Ok(found), Ok(opened))
        if (found.st_dev, found.st_ino) == (opened.st_dev, opened.st_ino))
}
