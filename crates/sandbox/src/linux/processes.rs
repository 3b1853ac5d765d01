//! The processes of a run, as `/proc` of the host shows them.

use std::fs;
use std::os::unix::fs::MetadataExt;

use rustix::process::Pid;

/// The most processes that are looked at; a run is ended long before it has as many.
const PROCESSES_MAX: usize = 4096;

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
    let threads = |pid: &Pid| status_field(*pid, "Threads:").unwrap_or(1);
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

/// Returns the resident memory of a process, which counts shared memory for each of its users.
pub(super) fn resident_bytes(pid: Pid) -> u64 {
    status_field(pid, "VmRSS:").unwrap_or(0) * 1024
}

/// Returns the resident memory of a process, with the memory it shares divided by its users.
/// It takes the kernel much longer than [`resident_bytes`].
pub(super) fn proportional_bytes(pid: Pid) -> Option<u64> {
    let path = format!("/proc/{}/smaps_rollup", pid.as_raw_nonzero());
    field(&fs::read_to_string(path).ok()?, "Pss:").map(|kib| kib * 1024)
}

fn status_field(pid: Pid, name: &str) -> Option<u64> {
    let path = format!("/proc/{}/status", pid.as_raw_nonzero());
    field(&fs::read_to_string(path).ok()?, name)
}

fn field(text: &str, name: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix(name))?;
    line.split_whitespace().next()?.parse().ok()
}

fn parse(pid: &str) -> Option<Pid> {
    Pid::from_raw(pid.parse().ok()?)
}
