//! The launcher: a process with one thread that prepares a sandbox and watches a run.
//!
//! ```text
//! server ── launcher ── init (process 1 of its namespace) ── program     full
//! server ── launcher ── supervisor ── program                            landlock, container
//! ```

mod clean_up;
mod confine;
mod control_group;
mod copy;
mod delegation;
mod disk;
mod full;
mod guard;
mod harness;
mod init;
mod landlock;
mod lock;
mod main;
mod mounts;
mod paths;
mod processes;
mod root_directory;
mod scratch;
mod seccomp;
mod setup_error;
mod status;
mod supervise;
mod syscalls;
mod unsafe_calls;
mod usage;
mod user;

pub(crate) use main::main;
