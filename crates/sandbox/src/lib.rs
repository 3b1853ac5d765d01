//! Runs untrusted Python functions in a sandbox that exists for one run.
//!
//! # How a run works
//!
//! A server has many threads and must not fork, so [`Sandbox::run`] starts the program's own executable
//! again. [`enter`], the first call of `main`, recognises it by its first argument and becomes the
//! *launcher*: a process with one thread that prepares the sandbox, forks the program into it,
//! watches its limits, and ends every process of the run.
//!
//! The descriptors of the launcher are its protocol:
//!
//! - 0 is a socket for the specification of the run, and for the launcher's report at the end; if the
//!   other side closes it, the run is cancelled.
//! - 1 is for the result that the function returned.
//! - 2 is for what the program prints.
//!
//! # Modes
//!
//! - [`Mode::Full`]: namespaces for users, mounts, processes, network, IPC, host name and cgroups; a
//!   root directory that contains only the interpreter, its libraries, the skills and the blobs, all
//!   read-only, and a bounded `/workspace`; no capabilities, `no_new_privs`, a list of allowed system
//!   calls, Landlock where the kernel has it, and resource limits. Needs Linux 5.12.
//! - [`Mode::Landlock`]: the same without namespaces, for systems that refuse them. Needs Landlock ABI 6
//!   (Linux 6.12), because older ones do not keep signals in. Host paths are refused instead of absent:
//!   whether one exists, and its size, owner and times, can be seen. Permissions and times of files are
//!   not changed, although the calls succeed. The total of disk space and processes
//!   is checked only several times a second. Two processes watch each other and the run; only if both
//!   are killed at once, processes that the run has detached remain; with a control group, the next run ends
//!   them.
//! - [`Mode::Container`]: a command of the owner, such as podman or docker, isolates the run.
//!
//! [`Sandbox::probe`] runs a function in each mode and says why a mode does not work. A weaker mode than
//! the caller accepts is never used: without any, [`Sandbox::new`] and [`Sandbox::run_once`] fail.
//!
//! # Control groups
//!
//! In the first two modes, each run has a control group (cgroup v2) if the manager of the system has
//! delegated a part of the hierarchy to the process, as systemd does with `Delegate=yes`. It caps the memory
//! of all processes and of the kernel for them, and what is written to files in memory: the kernel ends
//! the whole run when it has more. It caps processes and threads, keeps one processor free, and ends all
//! processes at once. [`Outcome::controllers`] says what was limited so.
//!
//! A group with processes cannot have groups with limits below it. So the launcher moves itself and the
//! process that started it to a group `dibber` in the delegated one if no other processes are in it. A group
//! that contains groups of others is not used.
//!
//! # What is not isolated
//!
//! - The kernel: a run that exploits it is out. [`Mode::Container`] with gVisor or a virtual machine is
//!   the answer to that.
//! - Without a control group, the total memory of a run is sampled, not capped: each process has its own
//!   limit, and a run whose sum exceeds it is ended within some tens of milliseconds. Memory of the
//!   kernel is then bounded only by what a process may have of each kind: page tables and sockets count,
//!   but not descriptions of mappings (some 16 MiB for each process), pipes (64 MiB for each user) and
//!   locks of files.
//! - The disk of a run without namespaces is looked at every 100 ms, and it can write meanwhile.
//! - What files of the host are called: without namespaces, a run can ask whether a path exists, how
//!   large the file is and where a symbolic link leads to, as far as its user may.
//! - Where some files of the host are: with namespaces, `/proc/self/mountinfo` shows the paths of blobs and
//!   of the interpreter in their file systems.
//! - Time: a run can measure the speed of the machine, and see how long the machine has been up.
//!
//! # Modules
//!
//! | floor | module | contents | never |
//! |---|---|---|---|
//! | 0 | `limits` | what a run may use | |
//! | 0 | `control` | what a control group limits | creating one |
//! | 0 | `layer` | the layers that tests can leave out | |
//! | 0 | `channel` | frames between a sandbox and its launcher | |
//! | 0 | `interpreter` | finding a Python interpreter and what it needs | |
//! | 1 | `container` | the command of a container runtime | running it |
//! | 1 | `job` | what is to be run | |
//! | 1 | `mode` | the modes, and why one is unavailable | |
//! | 2 | `specification` | what the launcher gets and what it reports | |
//! | 3 | `outcome` | the result of a run | |
//! | 3 | `linux` | the launcher | being called from a process with threads |
//! | 4 | `sandbox` | starting launchers, and the probe | forking |

mod channel;
mod container;
mod control;
mod interpreter;
mod job;
mod layer;
mod limits;
#[cfg(target_os = "linux")]
mod linux;
mod mode;
mod outcome;
mod sandbox;
mod specification;

use std::ffi::OsStr;

pub use container::ContainerCommand;
pub use control::Controller;
pub use interpreter::{Interpreter, InterpreterError};
pub use job::{Job, MountedBlob, MountedSkill, Program, Secrets};
#[cfg(feature = "disable-layers")]
pub use layer::Layer;
pub use limits::{Limits, TIMEOUT_MAX};
pub use mode::{Mode, ModeStatus};
pub use outcome::{
    Logs, OUTPUT_INLINE_BYTES_MAX, Outcome, Output, RunError, SandboxError, Unavailable,
};
pub use sandbox::{Launcher, Sandbox, SandboxSetup};

/// Becomes the launcher, and never returns, if the program was started as one.
///
/// Call it at the very start of `main`, before any thread exists.
pub fn enter() {
    if std::env::args_os().nth(1).as_deref() == Some(OsStr::new(channel::LAUNCHER_ARGUMENT)) {
        #[cfg(target_os = "linux")]
        linux::main();
    }
}
