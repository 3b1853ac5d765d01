//! Process 1 of a process namespace: it prepares the sandbox, starts the program and reaps processes.

use std::io;
use std::os::fd::OwnedFd;

use rustix::process::{
    DumpableBehavior, Pid, WaitOptions, WaitStatus, set_dumpable_behavior, wait,
};
use rustix::system::sethostname;
use rustix::thread::UnshareFlags;

use super::confine::{drop_capabilities, give_precedence_to_host};
use super::control_group::ControlGroup;
use super::harness::execute;
use super::paths::Paths;
use super::root_directory;
use super::setup_error::{SetupResult, Step};
use super::status::StatusWriter;
use super::unsafe_calls::{Forked, SingleThread, exit_now, fork, unshare};
use super::user::{Caller, ProcessDirectory, become_nobody, current_ids, die_with_parent};
use crate::layer::Layer;
use crate::specification::{Ending, Report, Specification};

/// The name of the machine that a run sees.
const HOST_NAME: &str = "sandbox";

/// Process 1 of a sandbox.
pub(super) struct Init<'a> {
    pub(super) specification: &'a Specification,
    pub(super) caller: Caller,
    /// The control group of the run.
    pub(super) group: Option<&'a ControlGroup>,
    /// A pipe whose other end only the launcher holds.
    pub(super) lifeline: OwnedFd,
    pub(super) status: StatusWriter,
}

impl Init<'_> {
    /// Runs the program, reports its end, and ends this process and thereby all others.
    pub(super) fn run(mut self, thread: &SingleThread) -> ! {
        let report = self.prepare_and_run(thread).unwrap_or_else(Report::Refused);
        self.status.send(&report);
        exit_now(0)
    }

    fn prepare_and_run(&mut self, thread: &SingleThread) -> SetupResult<Report> {
        if self.has(Layer::ParentDeathSignal) {
            die_with_parent(&self.lifeline)?;
        }
        give_precedence_to_host();
        let directory = ProcessDirectory::open()?;
        unshare(self.namespaces()).step("create the namespaces")?;
        root_directory::enter(self.specification, self.caller)?;
        if let Some(group) = self.group {
            // What was copied before is not the program's use of memory.
            group.enter()?;
        }
        // It shows the group of the run as the root of the hierarchy.
        unshare(UnshareFlags::NEWCGROUP).step("create a namespace for control groups")?;
        if self.has(Layer::HostNameNamespace) {
            sethostname(HOST_NAME.as_bytes()).step("set the host name")?;
        }
        if self.caller == Caller::Root && self.has(Layer::UnprivilegedUser) {
            self.leave_root(&directory)?;
        }
        if self.has(Layer::Capabilities) {
            drop_capabilities()?;
        }
        // The program has the same user, and must not reach the memory of this process.
        set_dumpable_behavior(DumpableBehavior::NotDumpable).step("hide the process")?;
        drop(directory);
        match fork(thread).step("fork")? {
            Forked::Child => {
                let refusal = execute(self.specification, &Paths::inside());
                self.status.send(&Report::Refused(refusal));
                exit_now(1)
            }
            Forked::Parent(program) => reap_until(program).map(Report::ended),
        }
    }

    /// Becomes a user without rights, in a user namespace that has nothing of the host.
    ///
    /// It comes last, because root can mount files that the user cannot read. The limit for processes
    /// holds for each user namespace, and does not hold for root.
    fn leave_root(&self, directory: &ProcessDirectory) -> SetupResult<()> {
        become_nobody()?;
        let ids = current_ids();
        unshare(UnshareFlags::NEWUSER).step("create a user namespace")?;
        directory.map_user(ids)?;
        if self.has(Layer::ParentDeathSignal) { die_with_parent(&self.lifeline) } else { Ok(()) }
    }

    fn namespaces(&self) -> UnshareFlags {
        let optional = [
            (Layer::NetworkNamespace, UnshareFlags::NEWNET),
            (Layer::IpcNamespace, UnshareFlags::NEWIPC),
            (Layer::HostNameNamespace, UnshareFlags::NEWUTS),
        ];
        let always = UnshareFlags::NEWNS;
        optional
            .into_iter()
            .filter(|(layer, _)| self.has(*layer))
            .fold(always, |flags, (_, flag)| flags | flag)
    }

    fn has(&self, layer: Layer) -> bool {
        self.specification.has(layer)
    }
}

/// Reaps processes until the program has ended, and returns how it ended.
fn reap_until(program: Pid) -> SetupResult<Ending> {
    loop {
        match wait(WaitOptions::empty()) {
            Ok(Some((pid, status))) if pid == program => return Ok(ending(status)),
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(io::Error::from(error)).step("wait for the program"),
        }
    }
}

/// Returns how a process ended.
pub(super) fn ending(status: WaitStatus) -> Ending {
    match status.terminating_signal() {
        Some(signal) => Ending::Signaled(signal),
        None => Ending::Exited(status.exit_status().unwrap_or(-1)),
    }
}
