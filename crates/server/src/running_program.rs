//! A program that runs, together with what it has started.

use std::io;
use std::process::ExitStatus;
#[cfg(unix)]
use std::process::Stdio;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::process::{Child, Command};

/// The variable by which the processes of one run are recognised: it is passed on to those that a
/// process starts, even if they leave its group or its session.
const RUN_VARIABLE: &str = "DIBBER_STARTED_BY";

/// The number of the next run.
static NEXT_RUN: AtomicU64 = AtomicU64::new(0);

/// Kills its own process group as soon as its standard input is closed. The system closes it even if this
/// process is killed, which cannot do anything then.
#[cfg(unix)]
const WATCHDOG: &str = "read -r _; kill -KILL 0";

/// A program with what it has started. When this is dropped before the program has ended, all of
/// them are killed: the process group, and on Linux also what has left it and has kept its
/// environment. If this process is killed, the process group is.
pub(crate) struct RunningProgram {
    pub(crate) child: Child,
    /// The first process of the group, which is there before the program: whenever this process is killed,
    /// the program is. Without one, only that differs.
    #[cfg(unix)]
    watchdog: Option<Child>,
    #[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "there is no `/proc`"))]
    run: String,
}

impl RunningProgram {
    /// Starts a program.
    pub(crate) fn start(mut command: Command) -> io::Result<Self> {
        let number = NEXT_RUN.fetch_add(1, Ordering::Relaxed);
        let run = format!("{}-{number}", std::process::id());
        command.env(RUN_VARIABLE, &run).kill_on_drop(true);
        #[cfg(unix)]
        let watchdog = watchdog().ok();
        #[cfg(unix)]
        command.process_group(group_of(watchdog.as_ref()).unwrap_or(0));
        let child = command.spawn()?;
        Ok(Self {
            child,
            #[cfg(unix)]
            watchdog,
            run,
        })
    }

    /// Returns the id of the process group; none once what it is taken from was waited for.
    #[cfg(unix)]
    fn group(&self) -> Option<i32> {
        group_of(self.watchdog.as_ref()).or_else(|| group_of(Some(&self.child)))
    }

    /// Waits until the program has ended, and kills what it has left running.
    pub(crate) async fn wait(&mut self) -> io::Result<ExitStatus> {
        #[cfg(unix)]
        let group = self.group();
        let status = self.child.wait().await?;
        // The id cannot be that of another group yet: the watchdog was not waited for; without one, systems
        // give ids in turn, and this one was in use until now.
        #[cfg(unix)]
        self.kill_all(group);
        Ok(status)
    }

    /// Kills the process group of the program, and what has left the group.
    #[cfg(unix)]
    fn kill_all(&self, group: Option<i32>) {
        use rustix::process::{Pid, Signal, kill_process_group};
        // All of it may have ended already.
        let group = group.and_then(Pid::from_raw);
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
        #[cfg(target_os = "linux")]
        processes::kill_all(RUN_VARIABLE, &self.run);
    }
}

/// Returns the id of the process group that a process is the first of.
#[cfg(unix)]
fn group_of(first: Option<&Child>) -> Option<i32> {
    first?.id().and_then(|id| i32::try_from(id).ok())
}

/// Starts a watchdog, which is the first of a process group.
#[cfg(unix)]
fn watchdog() -> io::Result<Child> {
    Command::new("/bin/sh")
        .args(["-c", WATCHDOG])
        .env_clear()
        .current_dir("/")
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .process_group(0)
        .kill_on_drop(true)
        .spawn()
}

impl Drop for RunningProgram {
    fn drop(&mut self) {
        // As long as the program was not waited for, the id is that of its group and of no other.
        #[cfg(unix)]
        if self.child.id().is_some() {
            self.kill_all(self.group());
        }
    }
}

#[cfg(target_os = "linux")]
mod processes {
    use std::fs;

    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    /// How often the processes are looked through: one may start another while they are.
    const ROUNDS_MAX: usize = 8;

    /// Kills the processes that have this variable in their environment.
    pub(super) fn kill_all(variable: &str, value: &str) {
        let entry = format!("{variable}={value}");
        for _ in 0..ROUNDS_MAX {
            let Ok(processes) = fs::read_dir("/proc") else { return };
            let ids = processes.filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
            if ids.filter_map(Pid::from_raw).filter(|id| kill_if_in(*id, &entry)).count() == 0 {
                return;
            }
        }
    }

    /// Kills a process if its environment has this entry, and returns whether it has. The handle is
    /// opened first, so that the signal reaches no later process with the same id.
    fn kill_if_in(id: Pid, entry: &str) -> bool {
        let Ok(handle) = pidfd_open(id, PidfdFlags::empty()) else { return false };
        let path = format!("/proc/{}/environ", id.as_raw_nonzero());
        let environment = fs::read(path).unwrap_or_default();
        let is_in = environment.split(|byte| *byte == 0).any(|known| known == entry.as_bytes());
        is_in && pidfd_send_signal(handle, Signal::KILL).is_ok()
    }
}
