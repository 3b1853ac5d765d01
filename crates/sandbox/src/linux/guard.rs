//! The modes without namespaces: two processes, each of which ends the run if the other one is killed.
//!
//! Without a process namespace, the kernel ends nothing by itself: a process that has left its parent
//! goes on. So the launcher only waits for its child, the *supervisor* of the run, and cleans up after
//! it; the supervisor cancels the run when the launcher ends. Only if both are killed at once, processes
//! that the run has detached remain.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, WaitOptions, getpid, pidfd_open, set_child_subreaper, waitpid,
};

use super::clean_up::sweep;
use super::control_group::ControlGroup;
use super::scratch::{self, ScratchDirectory};
use super::setup_error::{SetupResult, Step};
use super::unsafe_calls::{Forked, RESULT_DESCRIPTOR, SingleThread, duplicate_to, exit_now, fork};
use crate::layer::Layer;
use crate::specification::{Report, Specification};

/// Runs a job in a child process, in which this returns. The launcher itself ends here.
pub(super) fn run(
    specification: &Specification,
    control: BorrowedFd<'_>,
    group: Option<&ControlGroup>,
    thread: &SingleThread,
) -> SetupResult<Report> {
    // Processes that lose their parent, such as those of a killed supervisor, become children.
    set_child_subreaper(Some(getpid())).step("adopt orphaned processes")?;
    let launcher = pidfd_open(getpid(), PidfdFlags::empty()).step("watch the launcher")?;
    match fork(thread).step("fork")? {
        Forked::Child => scratch::run(specification, control, group, &launcher, thread),
        Forked::Parent(supervisor) => {
            if !ends_well(supervisor) {
                clean_up(specification, group);
            }
            // The run has ended, and what it wrote is complete.
            if release_descriptors().is_ok() {
                remove_leftovers(specification, thread);
            }
            exit_now(0)
        }
    }
}

/// Waits for the end of the supervisor, and returns `true` if it has reported and cleaned up.
fn ends_well(supervisor: Pid) -> bool {
    loop {
        match waitpid(Some(supervisor), WaitOptions::empty()) {
            Err(Errno::INTR) => {}
            ended => {
                return ended.is_ok_and(|ended| {
                    ended.is_some_and(|(_, status)| status.exit_status() == Some(0))
                });
            }
        }
    }
}

/// Removes what other runs have left, in a process that the server does not wait for.
fn remove_leftovers(specification: &Specification, thread: &SingleThread) {
    let leftovers = ScratchDirectory::leftovers(specification);
    // The child has the locks as well.
    if !leftovers.is_empty() && matches!(fork(thread), Ok(Forked::Child)) {
        ScratchDirectory::remove_leftovers(leftovers, specification);
    }
}

/// Closes the descriptors of the launcher that are for the program.
fn release_descriptors() -> io::Result<()> {
    let null = File::open("/dev/null")?;
    (1..=RESULT_DESCRIPTOR).try_for_each(|number| duplicate_to(null.as_fd(), number))
}

/// Does what the supervisor cannot do any more. There is no one to report an error to.
fn clean_up(specification: &Specification, group: Option<&ControlGroup>) {
    let directory = ScratchDirectory::of(specification);
    directory.stop_container(specification);
    if let Some(group) = group {
        group.kill();
    }
    if specification.has(Layer::Sweep) {
        drop(sweep());
    }
    // The command may have started it only after the first attempt.
    directory.stop_container(specification);
    drop(directory.remove_unlocked());
    if let Some(group) = group {
        group.remove();
    }
}
