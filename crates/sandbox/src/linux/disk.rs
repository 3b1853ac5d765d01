//! What the files of a run use in total, on a disk that it shares with others.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::CStr;
use std::fs;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::fs::MetadataExt;
use std::path::Path;

use rustix::fs::{AtFlags, CWD, Dir, FileType, Mode, OFlags, openat, statat};
use rustix::io::Errno;
use rustix::process::Pid;

use super::processes::{deleted_mappings, descriptors};
use crate::limits::Limits;

/// The deepest directory of a workspace on a shared disk.
const DEPTH_MAX: usize = 64;

/// How often a directory is listed whose directories get other names meanwhile.
const LISTINGS_MAX: usize = 32;

/// Returns `true` if the files of a workspace, and those that were deleted but are still in use, are
/// larger, more or deeper than they may be.
pub(super) fn exceeds_disk(workspace: &Path, processes: &[Pid], limits: &Limits) -> bool {
    let mut count = Count { limits, bytes: 0, entries: 0 };
    count
        .add_deleted(workspace, processes)
        .and_then(|()| count.add_directory(&open(CWD, workspace)?, 0))
        .is_err()
}

/// Files use more than they may, or hide from being counted.
struct Exceeded;

impl From<Errno> for Exceeded {
    fn from(_: Errno) -> Self {
        Self
    }
}

struct Count<'a> {
    limits: &'a Limits,
    bytes: u64,
    entries: u64,
}

impl Count<'_> {
    fn add(&mut self, bytes: u64, entries: u64) -> Result<(), Exceeded> {
        self.bytes += bytes;
        self.entries += entries;
        let exceeds =
            self.bytes > self.limits.disk_bytes || self.entries > self.limits.disk_entries;
        if exceeds { Err(Exceeded) } else { Ok(()) }
    }

    /// Adds files that have no name any more.
    fn add_deleted(&mut self, workspace: &Path, processes: &[Pid]) -> Result<(), Exceeded> {
        let links = processes.iter().flat_map(|pid| descriptors(*pid));
        let files = links.filter_map(|link| fs::metadata(link).ok());
        let deleted = files.filter(|file| file.is_file() && file.nlink() == 0);
        let open: BTreeMap<_, _> = deleted.map(|file| (file.ino(), file.blocks() * 512)).collect();
        self.add(open.values().sum(), 0)?;
        for pid in processes {
            let mapped = deleted_mappings(*pid, workspace).ok_or(Exceeded)?;
            let closed = mapped.iter().filter(|inode| !open.contains_key(inode)).count() as u64;
            // Nothing shows the size of a file that is only mapped, so it is the largest one.
            self.add(closed * self.limits.disk_bytes, closed)?;
        }
        Ok(())
    }

    fn add_directory(&mut self, directory: &OwnedFd, depth: usize) -> Result<(), Exceeded> {
        if depth >= DEPTH_MAX {
            return Err(Exceeded);
        }
        let mut missed = self.add_entries(directory, depth, None)?;
        for _ in 0..LISTINGS_MAX {
            if missed.is_empty() {
                return Ok(());
            }
            missed = self.add_entries(directory, depth, Some(&missed))?;
        }
        Err(Exceeded)
    }

    /// Adds all entries or some of them, and returns the directories, by the numbers of their inodes,
    /// that had no longer their name when they were opened.
    fn add_entries(
        &mut self,
        directory: &OwnedFd,
        depth: usize,
        only: Option<&BTreeSet<u64>>,
    ) -> Result<BTreeSet<u64>, Exceeded> {
        let mut missed = BTreeSet::new();
        let entries = match Dir::read_from(directory) {
            // It was removed, and is therefore empty.
            Err(Errno::NOENT) => return Ok(missed),
            entries => entries?,
        };
        for entry in entries {
            let entry = entry?;
            let (name, inode) = (entry.file_name(), entry.ino());
            let is_skipped = only.is_some_and(|only| !only.contains(&inode));
            if is_skipped || [c".", c".."].contains(&name) {
                continue;
            }
            let may_be_directory = !matches!(
                entry.file_type(),
                FileType::RegularFile | FileType::Symlink | FileType::Fifo | FileType::Socket
            );
            if !self.add_entry(directory, name, depth)? && may_be_directory {
                missed.insert(inode);
            }
        }
        Ok(missed)
    }

    /// Adds a file or a directory, and returns `false` if there is none of this name.
    fn add_entry(
        &mut self,
        directory: &OwnedFd,
        name: &CStr,
        depth: usize,
    ) -> Result<bool, Exceeded> {
        let status = match statat(directory, name, AtFlags::SYMLINK_NOFOLLOW) {
            Err(Errno::NOENT) => return Ok(false),
            status => status?,
        };
        self.add(u64::try_from(status.st_blocks).unwrap_or(u64::MAX / 512) * 512, 1)?;
        if FileType::from_raw_mode(status.st_mode) != FileType::Directory {
            return Ok(true);
        }
        match open(directory, name) {
            Err(Errno::NOENT | Errno::NOTDIR | Errno::LOOP) => Ok(false),
            // What is in it cannot be counted: it was made unreadable.
            opened => self.add_directory(&opened?, depth + 1).map(|()| true),
        }
    }
}

fn open(directory: impl AsFd, name: impl rustix::path::Arg) -> rustix::io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(directory, name, flags, Mode::empty())
}
