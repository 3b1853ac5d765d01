//! The mode with namespaces, from the outside.

use std::os::fd::{BorrowedFd, OwnedFd};

use rustix::pipe::{PipeFlags, pipe_with};
use rustix::thread::UnshareFlags;

use super::clean_up::kill_and_wait;
use super::control_group::ControlGroup;
use super::init::Init;
use super::setup_error::{SetupResult, Step};
use super::status::{silent_end, status_pipe};
use super::supervise::Watch;
use super::unsafe_calls::{Forked, SingleThread, fork, unshare};
use super::user::{Caller, ProcessDirectory, current_ids};
use crate::specification::{Report, Specification};

/// Runs a job in new namespaces.
pub(super) fn run(
    specification: &Specification,
    control: BorrowedFd<'_>,
    group: Option<&ControlGroup>,
    thread: &SingleThread,
) -> SetupResult<Report> {
    let (reader, writer) = status_pipe()?;
    let (lifeline, held): (OwnedFd, OwnedFd) =
        pipe_with(PipeFlags::CLOEXEC).step("create a pipe")?;
    let caller = Caller::current();
    create_process_namespace(caller)?;
    match fork(thread).step("fork")? {
        Forked::Child => {
            drop((reader, held));
            Init { specification, caller, group, lifeline, status: writer }.run(thread)
        }
        Forked::Parent(init) => {
            drop((writer, lifeline));
            let watch = Watch { specification, control, launcher: None, root: init, scratch: None };
            let ending = watch.until_end();
            // The kernel kills the other processes of the namespace before it reports the end of init.
            kill_and_wait(init);
            let ending = ending.step("watch the program")?;
            Ok(ending.map(Report::ended).or_else(|| reader.receive()).unwrap_or_else(silent_end))
        }
    }
}

/// Makes the next child process 1 of its namespace. Users other than root need a user namespace for it.
///
/// The launcher itself stays with the mounts and in the process namespace of the host, so that it can
/// watch the processes of the run.
fn create_process_namespace(caller: Caller) -> SetupResult<()> {
    match caller {
        Caller::Root => unshare(UnshareFlags::NEWPID).step("create a process namespace"),
        Caller::Ordinary => {
            let directory = ProcessDirectory::open()?;
            let ids = current_ids();
            unshare(UnshareFlags::NEWUSER | UnshareFlags::NEWPID)
                .step("create a user and a process namespace")?;
            directory.map_user(ids)
        }
    }
}
