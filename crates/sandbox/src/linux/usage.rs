//! The memory that a run uses in total, which no limit of a single process bounds.

use std::fs;
use std::path::PathBuf;

use rustix::process::Pid;

use super::processes::{descriptors, memory_bytes, proportional_bytes};
use super::unsafe_calls::share_memory;

/// The buffer of a socket, if the kernel does not say it.
const SOCKET_BUFFER_BYTES: u64 = 208 * 1024;

/// Returns `true` if processes together use more memory than they may.
pub(super) fn exceeds_memory(processes: &[Pid], limit: u64) -> bool {
    let sockets: u64 = processes.iter().map(|pid| socket_bytes(*pid)).sum();
    let limit = limit.saturating_sub(sockets);
    let quick: u64 = processes.iter().map(|pid| memory_bytes(*pid)).sum();
    // Processes that were forked share most of their memory, so the quick sum may be far too large.
    quick > limit && proportional_sum(processes) > limit
}

fn proportional_sum(processes: &[Pid]) -> u64 {
    let mut counted: Vec<Pid> = Vec::new();
    let mut sum = 0;
    for process in processes {
        // A child has the memory of its parent until it executes a program, which may be any moment.
        let is_shared = counted.iter().any(|other| share_memory(*process, *other));
        match proportional_bytes(*process) {
            // All processes whose first thread has ended seem to share the same memory.
            None => sum += memory_bytes(*process),
            Some(_) if is_shared => {}
            Some(bytes) => {
                sum += bytes;
                counted.push(*process);
            }
        }
    }
    sum
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
