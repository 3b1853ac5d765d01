//! An agent as a process: it is started, and ends with this program.

use std::ffi::OsString;
use std::io;
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use crate::cli::error::CommandError;
use crate::cli::term::interrupt::Interrupt;
use dibber_text::{message, quote};

/// How long an agent may take to end after its input.
const END_WAIT: Duration = Duration::from_secs(5);

/// How long it may take after it was asked to end.
const TERMINATE_WAIT: Duration = Duration::from_secs(2);

/// How often it is looked whether the agent has ended.
const POLL: Duration = Duration::from_millis(20);

/// An agent that runs.
#[derive(Clone)]
pub(super) struct AgentProcess {
    child: Arc<Mutex<Child>>,
}

impl AgentProcess {
    /// Starts an agent. Returns it with its input and output; its errors go to those of this program.
    pub(super) fn start(
        command: &[OsString],
    ) -> Result<(Self, ChildStdin, ChildStdout), CommandError> {
        let (program, arguments) = command.split_first().expect("clap requires an agent");
        let started = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = started.map_err(|error| cannot_start(program, error))?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            unreachable!("both are pipes");
        };
        let agent = Self { child: Arc::new(Mutex::new(child)) };
        let interrupted = agent.clone();
        Interrupt::watch()?.set_last_message(move || {
            interrupted.terminate();
            None
        });
        Ok((agent, input, output))
    }

    fn lock(&self) -> MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns how the agent ended, if it has.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        self.lock().try_wait().ok().flatten()
    }

    /// Waits until the agent ends by itself, and ends it if it does not.
    pub(super) fn end(&self) -> Option<ExitStatus> {
        self.wait(END_WAIT).or_else(|| self.terminate())
    }

    /// Asks the agent to end, and kills it if it does not.
    pub(super) fn terminate(&self) -> Option<ExitStatus> {
        self.ask_to_end();
        self.wait(TERMINATE_WAIT).or_else(|| {
            let mut child = self.lock();
            // One that has ended meanwhile cannot be killed.
            let _ = child.kill();
            child.wait().ok()
        })
    }

    fn wait(&self, limit: Duration) -> Option<ExitStatus> {
        let end = Instant::now() + limit;
        loop {
            let status = self.status();
            if status.is_some() || Instant::now() >= end {
                return status;
            }
            thread::sleep(POLL);
        }
    }

    #[cfg(unix)]
    fn ask_to_end(&self) {
        use rustix::process::{Pid, Signal, kill_process};
        let mut child = self.lock();
        // The id of a process that was waited for may be another one's.
        if matches!(child.try_wait(), Ok(None)) {
            let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
            // It may have ended just now.
            let _ = pid.map(|pid| kill_process(pid, Signal::TERM));
        }
    }

    #[cfg(not(unix))]
    fn ask_to_end(&self) {
        // It may have ended just now.
        let _ = self.lock().kill();
    }
}

fn cannot_start(program: &OsString, error: io::Error) -> CommandError {
    let program = program.to_string_lossy();
    CommandError::io(message!["cannot start the agent `", quote(&program), "`"], error)
        .help("write the command of an agent after `--`, as you write it in a terminal")
}

/// Returns the exit code of an agent, as a shell has it.
pub(super) fn exit_code(status: ExitStatus) -> i32 {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt;
        if let Some(signal) = status.signal() {
            return 128 + signal;
        }
    }
    status.code().unwrap_or(1)
}
