//! Ending every process of a run, and removing its files.

use std::ffi::{CStr, CString};
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::fs::{AtFlags, CWD, Dir, Mode, OFlags, fstat, openat, renameat, unlinkat};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitOptions, getpid, kill_process, wait, waitpid};

use super::processes::{is_running, tree};

/// How long processes are looked for that are created faster than they are killed.
const SWEEP_TIME_MAX: Duration = Duration::from_secs(10);

/// The most levels of a directory that is being removed.
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
/// Directories are moved up before they are emptied, so no path becomes long. No name is followed, so a
/// process that is still there cannot lead this one, which may be that of root, to other files.
pub(super) fn remove_directory(path: &Path) -> io::Result<()> {
    empty_directory(&open_directory(CWD, path)?)?;
    fs::remove_dir(path)
}

/// Removes everything in an opened directory.
pub(super) fn empty_directory(top: &OwnedFd) -> io::Result<()> {
    let mut moved = 0_u64;
    for _ in 0..REMOVAL_PASSES_MAX {
        let names = names_in(top)?;
        if names.is_empty() {
            return Ok(());
        }
        for name in names {
            if remove_file(top, &name)? {
                continue;
            }
            let directory = make_writable(top, &name)?;
            for inner in names_in(&directory)? {
                if !remove_file(&directory, &inner)? {
                    // A directory can be moved only if it can be written to.
                    make_writable(&directory, &inner)?;
                    renameat(&directory, &inner, top, format!(".removed-{moved}"))?;
                    moved += 1;
                }
            }
            unlinkat(top, &name, AtFlags::REMOVEDIR)?;
        }
    }
    Err(io::Error::other("the directories are too deep"))
}

/// Removes a file, or returns `false` if it is a directory.
fn remove_file(directory: &OwnedFd, name: &CStr) -> io::Result<bool> {
    match unlinkat(directory, name, AtFlags::empty()) {
        Err(Errno::ISDIR) => Ok(false),
        result => Ok(result.map(|()| true)?),
    }
}

/// Opens a directory, whose owner may afterwards read and change it.
fn make_writable(parent: &OwnedFd, name: &CStr) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let directory = openat(parent, name, flags, Mode::empty())?;
    if !Mode::from_raw_mode(fstat(&directory)?.st_mode).contains(Mode::RWXU) {
        // This is the opened directory, whatever its name leads to by now.
        let path = format!("/proc/self/fd/{}", directory.as_raw_fd());
        fs::set_permissions(path, fs::Permissions::from_mode(0o700))?;
    }
    open_directory(directory, c".")
}

fn open_directory(parent: impl AsFd, name: impl rustix::path::Arg) -> io::Result<OwnedFd> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    Ok(openat(parent, name, flags, Mode::empty())?)
}

fn names_in(directory: &OwnedFd) -> io::Result<Vec<CString>> {
    let mut names = Vec::new();
    for entry in Dir::read_from(directory)? {
        let name = entry?.file_name().to_owned();
        if ![c".", c".."].contains(&name.as_c_str()) {
            names.push(name);
        }
    }
    Ok(names)
}
