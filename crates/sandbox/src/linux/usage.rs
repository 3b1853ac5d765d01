//! What a run uses in total, which no limit of a single process bounds.

use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::Pid;

use super::processes::{descriptors, memory_bytes, proportional_bytes};
use crate::limits::Limits;

/// The deepest directory of a workspace on a shared disk.
const DEPTH_MAX: usize = 64;

/// The buffer of a socket, if the kernel does not say it.
const SOCKET_BUFFER_BYTES: u64 = 208 * 1024;

/// Returns `true` if processes together use more memory than they may.
pub(super) fn exceeds_memory(processes: &[Pid], limit: u64) -> bool {
    let sockets: u64 = processes.iter().map(|pid| socket_bytes(*pid)).sum();
    let limit = limit.saturating_sub(sockets);
    let quick: u64 = processes.iter().map(|pid| memory_bytes(*pid)).sum();
    // Processes that were forked share most of their memory, so the quick sum may be far too large.
    let proportional = |pid: &Pid| proportional_bytes(*pid).unwrap_or_else(|| memory_bytes(*pid));
    quick > limit && processes.iter().map(proportional).sum::<u64>() > limit
}

/// Returns how much the sockets of a process can hold of what was sent and not received.
fn socket_bytes(pid: Pid) -> u64 {
    let is_socket = |link: &PathBuf| {
        fs::read_link(link).is_ok_and(|target| target.to_string_lossy().starts_with("socket:"))
    };
    let sockets = descriptors(pid).iter().filter(|link| is_socket(link)).count() as u64;
    if sockets == 0 {
        return 0;
    }
    let buffer = fs::read_to_string("/proc/sys/net/core/wmem_default");
    let buffer = buffer.ok().and_then(|bytes| bytes.trim().parse().ok());
    sockets * buffer.unwrap_or(SOCKET_BUFFER_BYTES)
}

/// Returns `true` if the files of a workspace, and those that were deleted but are still open, are
/// larger, more or deeper than they may be.
pub(super) fn exceeds_disk(workspace: &Path, processes: &[Pid], limits: &Limits) -> bool {
    let mut used =
        Used { bytes: processes.iter().map(|pid| deleted_bytes(*pid)).sum(), entries: 0 };
    let mut pending = vec![(workspace.to_owned(), 0)];
    while let Some((directory, depth)) = pending.pop() {
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            // What is in it cannot be counted: its path is too long, or it was made unreadable.
            Err(_) => return true,
        };
        for entry in entries.flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            used.entries += 1;
            used.bytes += metadata.blocks() * 512;
            if used.exceeds(limits) || depth >= DEPTH_MAX {
                return true;
            }
            if metadata.is_dir() {
                pending.push((entry.path(), depth + 1));
            }
        }
    }
    used.exceeds(limits)
}

struct Used {
    bytes: u64,
    entries: u64,
}

impl Used {
    fn exceeds(&self, limits: &Limits) -> bool {
        self.bytes > limits.disk_bytes || self.entries > limits.disk_entries
    }
}

/// Returns the size of the files that a process has open and that have no name any more.
fn deleted_bytes(pid: Pid) -> u64 {
    let files = descriptors(pid).into_iter().filter_map(|link| fs::metadata(link).ok());
    files.filter(|file| file.is_file() && file.nlink() == 0).map(|file| file.blocks() * 512).sum()
}
