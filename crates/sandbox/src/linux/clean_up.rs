//! Ending every process of a run, and removing its files.

use std::fs;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait, waitpid};

use super::processes::{is_running, tree};

/// How long processes are looked for that are created faster than they are killed.
const SWEEP_TIME_MAX: Duration = Duration::from_secs(10);

/// The most passes over a directory that is being removed.
const REMOVAL_PASSES_MAX: usize = 1_000_000;

/// Kills a process and waits for its end.
pub(super) fn kill_and_wait(pid: Pid) {
    // It may have ended already, but has not been waited for, so the id is still its own.
    let _ = kill_process(pid, Signal::KILL);
    while matches!(waitpid(Some(pid), WaitOptions::empty()), Err(Errno::INTR)) {}
}

/// Kills all processes below this one, to which the kernel gives the orphans among them.
///
/// Nothing is waited for until all of them are dead: until then they count for the limit of processes,
/// so those that are left cannot fork as fast as others are killed.
pub(super) fn sweep() -> io::Result<()> {
    let start = Instant::now();
    while start.elapsed() < SWEEP_TIME_MAX {
        let processes = tree(getpid());
        for process in &processes[1..] {
            let _ = kill_process(*process, Signal::KILL);
        }
        if processes[1..].iter().any(|process| is_running(*process)) {
            continue;
        }
        match reap() {
            Err(Errno::CHILD) => return Ok(()),
            // A process may be dead, but not yet some of its threads.
            _ => std::thread::yield_now(),
        }
    }
    Err(io::Error::other("processes of the run are created faster than they are killed"))
}

/// Waits for all dead children, and returns why there is none left.
fn reap() -> rustix::io::Result<()> {
    while wait(WaitOptions::NOHANG)?.is_some() {}
    Ok(())
}

/// Removes a directory, however deep it is and whatever permissions its directories have.
///
/// Directories are moved up before they are emptied, so no path becomes long.
pub(super) fn remove_directory(top: &Path) -> io::Result<()> {
    for pass in 0..REMOVAL_PASSES_MAX {
        let Some(entry) = fs::read_dir(top)?.next() else {
            return fs::remove_dir(top);
        };
        let path = entry?.path();
        if !fs::symlink_metadata(&path)?.is_dir() {
            fs::remove_file(&path)?;
            continue;
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o700))?;
        for (number, inner) in fs::read_dir(&path)?.enumerate() {
            let inner = inner?.path();
            if fs::symlink_metadata(&inner)?.is_dir() {
                // A directory can be moved only if it can be written to.
                fs::set_permissions(&inner, fs::Permissions::from_mode(0o700))?;
                fs::rename(&inner, top.join(format!(".removed-{pass}-{number}")))?;
            } else {
                fs::remove_file(&inner)?;
            }
        }
        fs::remove_dir(&path)?;
    }
    Err(io::Error::other("the directory has too many entries"))
}
