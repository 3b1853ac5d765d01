//! The pipe on which the inner processes report to the launcher.

use std::fs::File;
use std::io::Read;
use std::os::fd::OwnedFd;

use rustix::pipe::{PipeFlags, pipe_with};

use super::setup_error::{SetupResult, Step};
use crate::channel::{read_frame, write_frame};
use crate::specification::{Refusal, Report};

/// The end of the pipe for the inner processes. It is closed when a program is executed.
pub(super) struct StatusWriter(File);

/// The end of the pipe for the launcher.
pub(super) struct StatusReader(File);

/// Returns the two ends of a new pipe.
pub(super) fn status_pipe() -> SetupResult<(StatusReader, StatusWriter)> {
    let flags = PipeFlags::CLOEXEC | PipeFlags::NONBLOCK;
    let (reader, writer): (OwnedFd, OwnedFd) = pipe_with(flags).step("create a pipe")?;
    Ok((StatusReader(reader.into()), StatusWriter(writer.into())))
}

impl StatusWriter {
    /// Reports how the run ended. Without a report, the launcher sees that the process is gone.
    pub(super) fn send(&mut self, report: &Report) {
        drop(write_frame(&mut self.0, report));
    }
}

impl StatusReader {
    /// Returns the first report, after the processes that may write one have ended.
    pub(super) fn receive(self) -> Option<Report> {
        let mut bytes = Vec::new();
        // The pipe does not block, so a process that kept the other end cannot delay this.
        drop((&self.0).read_to_end(&mut bytes));
        read_frame(&mut bytes.as_slice()).ok()
    }
}

/// Returns the report of a process that ended without one.
pub(super) fn silent_end() -> Report {
    Report::Refused(Refusal::new("prepare the sandbox", "the process that prepares it was killed"))
}
