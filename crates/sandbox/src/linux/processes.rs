//! The processes of a run, as `/proc` of the host shows them.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rustix::process::Pid;

/// The most processes that are looked at; a run is ended long before it has as many.
const PROCESSES_MAX: usize = 4096;

/// The most bytes of the list of the mappings of a process, of which large programs have a tenth.
const MAPS_BYTES_MAX: u64 = 1024 * 1024;

/// Returns the children of a process. A process that is just being created may be missing.
fn children(parent: Pid) -> Vec<Pid> {
    let tasks = format!("/proc/{}/task", parent.as_raw_nonzero());
    let Ok(threads) = fs::read_dir(tasks) else { return Vec::new() };
    let lists = threads
        .flatten()
        .filter_map(|thread| fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(parse).collect::<Vec<_>>()).collect()
}

/// Returns a process and all processes below it.
pub(super) fn tree(root: Pid) -> Vec<Pid> {
    let mut found = vec![root];
    let mut next = 0;
    while next < found.len() && found.len() < PROCESSES_MAX {
        found.extend(children(found[next]));
        next += 1;
    }
    found
}

/// Returns `true` if a process is there and is not dead.
pub(super) fn is_running(pid: Pid) -> bool {
    let path = format!("/proc/{}/status", pid.as_raw_nonzero());
    let Ok(status) = fs::read_to_string(path) else { return false };
    let state = status.lines().find_map(|line| line.strip_prefix("State:"));
    state.is_some_and(|state| !state.trim_start().starts_with(['Z', 'X']))
}

/// Returns how many threads some processes have.
pub(super) fn thread_count(processes: &[Pid]) -> u64 {
    let threads =
        |pid: &Pid| status(*pid).and_then(|status| field(&status, "Threads:")).unwrap_or(1);
    processes.iter().map(threads).sum()
}

/// Returns how many threads the processes of a user have.
pub(super) fn threads_of_user(uid: u32) -> u64 {
    let Ok(entries) = fs::read_dir("/proc") else { return 0 };
    let of_user = |entry: &fs::DirEntry| entry.metadata().is_ok_and(|data| data.uid() == uid);
    let processes: Vec<_> = entries
        .flatten()
        .filter(of_user)
        .filter_map(|entry| parse(entry.file_name().to_str()?))
        .collect();
    thread_count(&processes)
}

/// Returns the memory of a process in bytes, which counts shared memory for each of its users.
pub(super) fn memory_bytes(pid: Pid) -> u64 {
    // Tables of pages are not part of the resident memory, and can be larger than it.
    let fields = ["VmRSS:", "VmSwap:", "VmPTE:"];
    status(pid).map_or(0, |status| sum_of_fields(&status, &fields))
}

/// Returns the memory of a process, with the memory it shares divided by its users.
/// It takes the kernel much longer than [`memory_bytes`].
pub(super) fn proportional_bytes(pid: Pid) -> Option<u64> {
    let path = format!("/proc/{}/smaps_rollup", pid.as_raw_nonzero());
    let rollup = fs::read_to_string(path).ok()?;
    field(&rollup, "Pss:")?;
    let mapped = sum_of_fields(&rollup, &["Pss:", "SwapPss:"]);
    Some(mapped + sum_of_fields(&status(pid)?, &["VmPTE:"]))
}

/// Returns the status of a process. If its first thread has ended, it is that of another one, because
/// the status of a thread that has ended does not show the memory of the process.
fn status(pid: Pid) -> Option<String> {
    let directory = format!("/proc/{}", pid.as_raw_nonzero());
    let read = |directory: &Path| fs::read_to_string(directory.join("status")).ok();
    let first = read(Path::new(&directory))?;
    if field(&first, "VmRSS:").is_some() {
        return Some(first);
    }
    let mut others = tasks(pid).into_iter().filter_map(|thread| read(&thread));
    Some(others.find(|status| field(status, "VmRSS:").is_some()).unwrap_or(first))
}

/// Returns the links to what a process has open. Its threads share their descriptors, but a thread that
/// has ended shows none.
pub(super) fn descriptors(pid: Pid) -> Vec<PathBuf> {
    let mut opened = tasks(pid).into_iter().map(|thread| entries(thread.join("fd")));
    opened.find(|opened| !opened.is_empty()).unwrap_or_default()
}

/// Returns the numbers of the inodes of files that a process has mapped and that have no name any more,
/// or nothing if it has too many mappings.
pub(super) fn deleted_mappings(pid: Pid, directory: &Path) -> Option<BTreeSet<u64>> {
    let mut found = BTreeSet::new();
    let directory = directory.canonicalize().ok()?;
    // Of the threads, those that have ended show nothing, and the others the same.
    for thread in tasks(pid) {
        let Ok(file) = fs::File::open(thread.join("maps")) else { continue };
        let mut maps = Vec::new();
        // The process may have ended meanwhile.
        drop(file.take(MAPS_BYTES_MAX).read_to_end(&mut maps));
        if maps.len() as u64 == MAPS_BYTES_MAX {
            return None;
        }
        let maps = String::from_utf8_lossy(&maps);
        found.extend(maps.lines().filter_map(|line| deleted_inode(line, &directory)));
        if !maps.is_empty() {
            break;
        }
    }
    Some(found)
}

fn deleted_inode(line: &str, directory: &Path) -> Option<u64> {
    let (_, path) = line.strip_suffix(" (deleted)")?.split_once('/')?;
    let is_inside = Path::new("/").join(path).starts_with(directory);
    is_inside.then(|| line.split_ascii_whitespace().nth(4)?.parse().ok()).flatten()
}

/// Returns the directories of the threads of a process.
fn tasks(pid: Pid) -> Vec<PathBuf> {
    entries(format!("/proc/{}/task", pid.as_raw_nonzero()))
}

fn entries(directory: impl AsRef<Path>) -> Vec<PathBuf> {
    fs::read_dir(directory).into_iter().flatten().flatten().map(|entry| entry.path()).collect()
}

/// Returns a sum of fields in bytes; the kernel shows them in KiB.
fn sum_of_fields(text: &str, names: &[&str]) -> u64 {
    names.iter().filter_map(|name| field(text, name)).sum::<u64>() * 1024
}

fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn parse(pid: &str) -> Option<Pid> {
    Pid::from_raw(pid.parse().ok()?)
}
