//! Each layer of the sandbox refuses something: without it, at least one case succeeds.
//!
//! Where another layer refuses the same, both are left out. The process namespace and the root
//! directory cannot be left out: they are what makes the mode.

use std::process::Command;
use std::time::Duration;

use dibber_sandbox::{Job, Layer, Limits, Mode, Outcome, Sandbox};
use serde_json::{Value, json};

use super::cases::{HOST, shared_memory_key};
use super::nothing_remains::outlives_its_launcher;
use crate::support::{User, block_on, setup, value_of};

/// Returns a sandbox of an unprivileged user without some layers.
fn weakened(mode: Mode, disabled: &[Layer]) -> Sandbox {
    let user = if rustix::process::geteuid().is_root() { User::Nobody } else { User::Own };
    Sandbox::weakened(setup(user), mode, disabled.to_vec())
}

fn run(mode: Mode, disabled: &[Layer], job: &Job) -> Outcome {
    let outcome = block_on(weakened(mode, disabled).run(job));
    outcome.unwrap_or_else(|error| panic!("{mode} without {disabled:?}: {error}"))
}

/// Runs code with small limits, and returns the kind of its error.
fn error_kind(mode: Mode, disabled: &[Layer], code: &str) -> Option<String> {
    let limits = Limits {
        timeout: Duration::from_secs(1),
        memory_bytes: 256 * 1024 * 1024,
        ..Limits::default()
    };
    let job = Job { limits, ..Job::code(code) };
    run(mode, disabled, &job).result.err().map(|error| error.kind)
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
    let _shared = SharedMemory::create();
    for (mode, disabled, function, expected) in ACHIEVED {
        let outcome = run(mode, disabled, &HOST.job(function));
        let Value::Array(names) = value_of(&outcome, function) else { panic!("{function}") };
        let achieved =
            names.iter().any(|name| name.as_str().is_some_and(|name| name.starts_with(expected)));
        assert!(achieved, "{mode} without {disabled:?}: {function} achieved {names:?}");
    }
}

/// Code that is stopped with a kind of error, and that succeeds without some layers.
const STOPPED: [(&[Layer], &str, &[Layer], &str); 9] = [
    (
        &[],
        "MemoryError",
        &[Layer::AddressSpaceLimit, Layer::MemoryWatch],
        "def main(args): return len(bytearray(300 * 1024 * 1024))",
    ),
    (
        &[],
        "MemoryLimit",
        &[Layer::MemoryWatch],
        "import os, time\ndef main(args):\n  for _ in range(6):\n    if os.fork() == 0:\n      held = bytearray(b'x' * 1024) * 102400\n      time.sleep(60)\n  time.sleep(0.7)",
    ),
    (
        &[],
        "OSError",
        &[Layer::DiskLimit],
        "def main(args):\n  for name in 'abcd':\n    with open(name, 'wb') as file: file.write(bytes(30_000_000))",
    ),
    (
        &[],
        "OSError",
        &[Layer::FileSizeLimit],
        "def main(args):\n  with open('x', 'wb') as file: file.truncate(100 * 1024 * 1024)",
    ),
    (
        &[],
        "OSError",
        &[Layer::OpenFilesLimit],
        "def main(args): held = [open('/dev/null') for _ in range(600)]",
    ),
    (
        &[],
        "BlockingIOError",
        &[Layer::ProcessLimit],
        "import os, time\ndef main(args):\n  for _ in range(60):\n    if os.fork() == 0: time.sleep(60)",
    ),
    (&[], "Timeout", &[Layer::Timeout], "import time\ndef main(args): time.sleep(1.3)"),
    (
        &[Layer::Timeout],
        "CpuLimit",
        &[Layer::Timeout, Layer::CpuLimit],
        "import time\ndef main(args):\n  while time.process_time() < 3: pass",
    ),
    (&[], "PermissionError", &[Layer::Seccomp], "import socket\ndef main(args): socket.socket()"),
];

#[test]
fn without_a_layer_code_is_not_stopped() {
    for (with, kind, without, code) in STOPPED {
        assert_eq!(error_kind(Mode::Full, with, code).as_deref(), Some(kind), "{code}");
        assert_eq!(error_kind(Mode::Full, without, code), None, "without {without:?}: {code}");
    }
}

#[test]
fn without_the_signal_a_run_outlives_its_launcher() {
    assert!(outlives_its_launcher(&weakened(Mode::Full, &[Layer::ParentDeathSignal])));
}

#[test]
fn without_the_sweep_a_process_outlives_its_run() {
    let code = "import os, time\n\ndef main(args):\n    if os.fork() == 0:\n        os.setsid()\n        time.sleep(2)\n        os._exit(0)\n    time.sleep(0.3)\n";
    let with = run(Mode::Landlock, &[], &Job::code(code));
    assert!(with.duration < Duration::from_millis(1500), "{:?}", with.duration);
    // The process holds the pipe for what it prints.
    let without = run(Mode::Landlock, &[Layer::Sweep], &Job::code(code));
    assert!(without.duration > Duration::from_millis(1900), "{:?}", without.duration);
}

#[test]
fn without_the_other_user_a_run_of_root_is_root() {
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let disabled = vec![Layer::UnprivilegedUser, Layer::Capabilities];
    let sandbox = Sandbox::weakened(setup(User::Own), Mode::Full, disabled);
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
        let status = Command::new("/usr/bin/python3").args(["-I", "-c", &code]).status();
        assert!(status.expect("a Python interpreter").success(), "{expression}");
    }
}

impl Drop for SharedMemory {
    fn drop(&mut self) {
        let key = shared_memory_key();
        Self::call(&format!("shmctl(libc.shmget({key}, 0, 0), 0, None)"));
    }
}
