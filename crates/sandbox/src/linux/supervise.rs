//! Watching a run: its time, its memory, its files, and whether anyone still waits for it.

use std::io;
use std::os::fd::BorrowedFd;
use std::path::Path;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use super::disk::exceeds_disk;
use super::processes::{thread_count, tree};
use super::usage::exceeds_memory;
use crate::layer::Layer;
use crate::specification::{Ending, Specification};

/// How often the memory and the processes of a run are looked at.
const CHECK_INTERVAL: Duration = Duration::from_millis(25);

/// After how many of these checks the disk is looked at as well.
const CHECKS_PER_DISK_CHECK: u32 = 4;

/// A run that is being watched.
pub(super) struct Watch<'a> {
    pub(super) specification: &'a Specification,
    /// The socket whose end cancels the run.
    pub(super) control: BorrowedFd<'a>,
    /// The process whose end cancels the run, if it is not the parent of this one's processes.
    pub(super) launcher: Option<BorrowedFd<'a>>,
    /// The process whose end is the end of the run.
    pub(super) root: Pid,
    /// What has to be watched without namespaces.
    pub(super) scratch: Option<ScratchWatch<'a>>,
}

/// What the kernel does not limit for a run without namespaces.
pub(super) struct ScratchWatch<'a> {
    /// The process below which all processes of the run are, and which is not one of them.
    pub(super) above: Pid,
    pub(super) workspace: &'a Path,
}

impl Watch<'_> {
    /// Waits until the run ends or has to be ended, and returns why it has to be ended.
    pub(super) fn until_end(&self) -> io::Result<Option<Ending>> {
        let deadline = Instant::now() + self.specification.limits.capped_timeout();
        let process = pidfd_open(self.root, PidfdFlags::empty())?;
        for check in 1.. {
            let next = Instant::now() + CHECK_INTERVAL;
            loop {
                let mut polled = vec![
                    PollFd::new(&process, PollFlags::IN),
                    PollFd::new(&self.control, PollFlags::IN),
                ];
                polled.extend(self.launcher.iter().map(|fd| PollFd::new(fd, PollFlags::IN)));
                let wait = next.min(deadline).saturating_duration_since(Instant::now());
                match poll(&mut polled, Some(&timespec(wait))) {
                    Ok(0) => break,
                    Ok(_) if !polled[0].revents().is_empty() => return Ok(None),
                    Ok(_) => return Ok(Some(Ending::Cancelled)),
                    Err(Errno::INTR) => {}
                    Err(error) => return Err(error.into()),
                }
            }
            if Instant::now() >= deadline && self.specification.has(Layer::Timeout) {
                return Ok(Some(Ending::Timeout));
            }
            if let Some(ending) = self.exceeded_limit(check) {
                return Ok(Some(ending));
            }
        }
        Ok(None)
    }

    fn exceeded_limit(&self, check: u32) -> Option<Ending> {
        let limits = &self.specification.limits;
        let root = self.scratch.as_ref().map_or(self.root, |scratch| scratch.above);
        let processes = tree(root);
        if self.specification.has(Layer::MemoryWatch)
            && exceeds_memory(&processes[1..], limits.memory_bytes)
        {
            return Some(Ending::Memory);
        }
        let scratch = self.scratch.as_ref()?;
        if self.specification.has(Layer::ProcessLimit)
            && thread_count(&processes[1..]) > limits.processes
        {
            return Some(Ending::Processes);
        }
        let is_due = check.is_multiple_of(CHECKS_PER_DISK_CHECK);
        let exceeds = is_due
            && self.specification.has(Layer::DiskLimit)
            && exceeds_disk(scratch.workspace, &processes[1..], limits);
        exceeds.then_some(Ending::Disk)
    }
}

fn timespec(duration: Duration) -> Timespec {
    Timespec {
        tv_sec: i64::try_from(duration.as_secs()).unwrap_or(i64::MAX),
        tv_nsec: duration.subsec_nanos().into(),
    }
}
