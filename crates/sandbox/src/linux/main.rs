//! The start and the end of the launcher.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

use rustix::io::fcntl_dupfd_cloexec;
use rustix::process::{setsid, umask};

use super::control_group::ControlGroup;
use super::setup_error::{SetupResult, Step};
use super::unsafe_calls::{
    RESULT_DESCRIPTOR, SingleThread, close_on_exec_from, duplicate_to, exit_now,
    protocol_descriptor,
};
use super::{full, guard};
use crate::channel::{read_frame, write_frame};
use crate::layer::Layer;
use crate::mode::Mode;
use crate::specification::{Report, Specification};

/// Runs one job, reports what became of it, and ends the process.
pub(crate) fn main() -> ! {
    let code = match start() {
        Ok(()) => 0,
        // There is no one to report to: the socket is closed, or never was one.
        Err(_) => 1,
    };
    exit_now(code)
}

fn start() -> io::Result<()> {
    let mut control = UnixStream::from(fcntl_dupfd_cloexec(protocol_descriptor(0), 10)?);
    let specification: Specification = read_frame(&mut control)?;
    let report = match run(&specification, control.as_fd()) {
        Ok(report) => report,
        Err(refusal) => Report::Refused(refusal),
    };
    write_frame(&mut control, &report)
}

fn run(specification: &Specification, control: impl AsFd) -> SetupResult<Report> {
    let thread = SingleThread::check().step("start the launcher")?;
    // Signals of the terminal are for the server, which then ends its runs.
    setsid().step("leave the terminal")?;
    umask(rustix::fs::Mode::from_raw_mode(0o022));
    arrange_descriptors(specification).step("arrange the descriptors")?;
    let group = ControlGroup::create(specification);
    let (control, used) = (control.as_fd(), group.as_ref());
    let report = match specification.mode {
        Mode::Full => full::run(specification, control, used, &thread),
        Mode::Landlock | Mode::Container => guard::run(specification, control, used, &thread),
    };
    match group {
        Some(group) => group.end(report),
        None => report,
    }
}

/// Leaves the descriptors as the program gets them: nothing, logs, logs, result. All others are
/// closed when a program is executed.
fn arrange_descriptors(specification: &Specification) -> io::Result<()> {
    if specification.has(Layer::CloseDescriptors) {
        close_on_exec_from(RESULT_DESCRIPTOR)?;
    }
    duplicate_to(protocol_descriptor(1), RESULT_DESCRIPTOR)?;
    duplicate_to(File::open("/dev/null")?.as_fd(), 0)?;
    duplicate_to(protocol_descriptor(2), 1)
}
