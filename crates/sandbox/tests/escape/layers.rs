//! Each layer of the sandbox refuses something: without it, at least one case succeeds.
//!
//! Where another layer refuses the same, both are left out. The process namespace and the root
//! directory cannot be left out: they are what makes the mode.

use std::io::ErrorKind;
use std::process::Command;
use std::time::Duration;

use dibber_sandbox::{Job, Layer, Limits, Mode, Outcome, Sandbox, SandboxError};
use serde_json::{Value, json};

use super::cases::{HOST, shared_memory_key};
use super::nothing_remains::outlives_its_launcher;
use crate::support::{SETTINGS, User, alone, block_on, function, setup, value_of};

/// The time of a run of the functions that are stopped because of their time; they take longer.
const TIMEOUT_SECONDS: u64 = 1;
/// The time of a run of the other functions, however slow the machine is.
const PATIENCE_SECONDS: u64 = 60;

/// The source of the functions that are stopped.
const STOPPED_CODE: &str = include_str!("layers.py");

/// Returns as whom the launchers of these tests run: an unprivileged user.
fn user() -> User {
    if rustix::process::geteuid().is_root() { User::Nobody } else { User::Own }
}

/// Returns `true` if a mode works with all of its layers; otherwise there is nothing to leave out.
fn works(mode: Mode) -> bool {
    SETTINGS.iter().any(|setting| setting.mode == mode && setting.user == user())
}

/// Returns a sandbox of an unprivileged user without some layers.
fn weakened(mode: Mode, disabled: &[Layer]) -> Sandbox {
    Sandbox::weakened(setup(user()).expect("an interpreter"), mode, disabled.to_vec())
}

fn run(mode: Mode, disabled: &[Layer], job: &Job) -> Outcome {
    let outcome = block_on(weakened(mode, disabled).run(job));
    outcome.unwrap_or_else(|error| panic!("{mode} without {disabled:?}: {error}"))
}

/// Calls a function with small limits, and returns the kind of its error; none if nothing stops it.
fn error_kind(disabled: &[Layer], name: &str, timeout_seconds: u64) -> Option<String> {
    let limits = Limits {
        timeout: Duration::from_secs(timeout_seconds),
        memory_bytes: 256 * 1024 * 1024,
        ..Limits::default()
    };
    let job = Job { limits, ..function(STOPPED_CODE, name) };
    match block_on(weakened(Mode::Full, disabled).run(&job)) {
        Ok(outcome) => outcome.result.err().map(|error| error.kind),
        // It still goes on, on a slow machine, when the sandbox no longer waits for its launcher.
        Err(SandboxError::Launcher(error)) if error.kind() == ErrorKind::TimedOut => None,
        Err(error) => panic!("{name} without {disabled:?}: {error}"),
    }
}

/// Functions of `cases.py` that achieve something without some layers, and what it is at least.
const ACHIEVED: [(Mode, &[Layer], &str, &str); 14] = [
    (Mode::Full, &[Layer::Seccomp], "system_calls", "keyctl"),
    (Mode::Full, &[Layer::Seccomp], "sockets", "inet"),
    (Mode::Full, &[Layer::Landlock], "root_listing", "/"),
    (Mode::Full, &[Layer::NetworkNamespace, Layer::Seccomp, Layer::Landlock], "connections", "tcp"),
    (Mode::Full, &[Layer::IpcNamespace, Layer::Seccomp], "shared_memory", "found"),
    (Mode::Full, &[Layer::HostNameNamespace], "host_name", ""),
    (Mode::Full, &[Layer::ReadOnlyMounts, Layer::Landlock], "inputs", "write"),
    (Mode::Full, &[Layer::Capabilities], "privileges", "CapBnd"),
    (
        Mode::Full,
        &[Layer::NoNewPrivileges, Layer::Seccomp, Layer::Landlock],
        "privileges",
        "NoNewPrivs",
    ),
    (Mode::Full, &[Layer::Environment], "environment", "CARGO_MANIFEST_DIR"),
    (Mode::Full, &[Layer::CloseDescriptors], "descriptors", "60"),
    (Mode::Landlock, &[Layer::Seccomp], "system_calls", "keyctl"),
    (Mode::Landlock, &[Layer::Seccomp], "host_metadata", "mode"),
    (Mode::Landlock, &[Layer::Landlock], "host_files", "/etc/passwd"),
];

#[test]
fn without_a_layer_something_is_achieved() {
    let _shared = works(Mode::Full).then(SharedMemory::create);
    for (mode, disabled, function, expected) in ACHIEVED {
        if !works(mode) {
            continue;
        }
        let outcome = run(mode, disabled, &HOST.job(function));
        let Value::Array(names) = value_of(&outcome, function) else { panic!("{function}") };
        let achieved =
            names.iter().any(|name| name.as_str().is_some_and(|name| name.starts_with(expected)));
        assert!(achieved, "{mode} without {disabled:?}: {function} achieved {names:?}");
    }
}

/// Functions of `layers.py` that are stopped with a kind of error, and that return without some layers.
const STOPPED: [(&[Layer], &str, &[Layer], &str); 9] = [
    (&[], "MemoryError", &[Layer::AddressSpaceLimit, Layer::MemoryWatch], "large_object"),
    (&[], "MemoryLimit", &[Layer::MemoryWatch], "memory_of_many_processes"),
    (&[], "OSError", &[Layer::DiskLimit], "disk_space"),
    (&[], "OSError", &[Layer::FileSizeLimit], "size_of_a_file"),
    (&[], "OSError", &[Layer::OpenFilesLimit], "open_files"),
    (&[], "BlockingIOError", &[Layer::ProcessLimit], "processes"),
    (&[], "Timeout", &[Layer::Timeout], "sleeps"),
    (&[Layer::Timeout], "CpuLimit", &[Layer::Timeout, Layer::CpuLimit], "spins"),
    (&[], "PermissionError", &[Layer::Seccomp], "opens_a_socket"),
];

#[test]
fn without_a_layer_code_is_not_stopped() {
    if !works(Mode::Full) {
        return;
    }
    let _alone = alone();
    for (with, kind, without, name) in STOPPED {
        let is_of_time = matches!(kind, "Timeout" | "CpuLimit");
        let timeout = if is_of_time { TIMEOUT_SECONDS } else { PATIENCE_SECONDS };
        assert_eq!(error_kind(with, name, timeout).as_deref(), Some(kind), "{name}");
        assert_eq!(error_kind(without, name, timeout), None, "without {without:?}: {name}");
    }
}

#[test]
fn without_the_signal_a_run_outlives_its_launcher() {
    if !works(Mode::Full) {
        return;
    }
    assert!(outlives_its_launcher(&weakened(Mode::Full, &[Layer::ParentDeathSignal])));
}

#[test]
fn without_the_sweep_a_process_outlives_its_run() {
    if !works(Mode::Landlock) {
        return;
    }
    let job = function(STOPPED_CODE, "leaves_a_process");
    let with = run(Mode::Landlock, &[], &job);
    assert!(with.duration < Duration::from_secs(5), "{:?}", with.duration);
    // The process holds the pipe for what it prints.
    let without = run(Mode::Landlock, &[Layer::Sweep], &job);
    assert!(without.duration > Duration::from_millis(5900), "{:?}", without.duration);
}

#[test]
fn without_the_other_user_a_run_of_root_is_root() {
    if !rustix::process::geteuid().is_root() || !works(Mode::Full) {
        return;
    }
    let disabled = vec![Layer::UnprivilegedUser, Layer::Capabilities];
    let sandbox =
        Sandbox::weakened(setup(User::Own).expect("an interpreter"), Mode::Full, disabled);
    let outcome = block_on(sandbox.run(&HOST.job("superuser"))).expect("a run");
    assert_eq!(value_of(&outcome, "superuser"), json!(["getuid", "geteuid", "getgid", "getegid"]));
}

/// A System V shared memory of the host.
struct SharedMemory;

impl SharedMemory {
    fn create() -> Self {
        let key = shared_memory_key();
        Self::call(&format!("shmget({key}, 4096, 0o1666)"));
        Self
    }

    fn call(expression: &str) {
        let code = format!("import ctypes\nlibc = ctypes.CDLL(None)\nlibc.{expression}");
        let interpreter = &setup(user()).expect("an interpreter").interpreter;
        let status = Command::new(&interpreter.executable).args(["-I", "-c", &code]).status();
        assert!(status.expect("a Python interpreter").success(), "{expression}");
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        let key = shared_memory_key();
        Self::call(&format!("shmctl(libc.shmget({key}, 0, 0), 0, None)"));
    }
}
