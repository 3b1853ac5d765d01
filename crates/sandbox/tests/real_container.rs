//! Runs in containers of a real runtime, where one is named.
//!
//! `DIBBER_TEST_CONTAINER_IMAGE` is an image with `python3`, and `DIBBER_TEST_CONTAINER` is `podman` (if it
//! is not set), `docker` or `runsc`. Without an image there is nothing to show.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use dibber_sandbox::{
    ContainerCommand, Job, Limits, Mode, MountedBlob, MountedSkill, Program, Sandbox, SandboxSetup,
    Secrets,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::support::{User, block_on, setup, value_of};

/// The source of all functions.
const CODE: &str = include_str!("real_container.py");

/// A runtime that was named.
struct Runtime {
    program: &'static str,
    command: ContainerCommand,
}

static RUNTIME: LazyLock<Option<Runtime>> = LazyLock::new(|| {
    let image = std::env::var("DIBBER_TEST_CONTAINER_IMAGE").ok()?;
    let name = std::env::var("DIBBER_TEST_CONTAINER").unwrap_or_else(|_| "podman".to_owned());
    let (program, command) = match name.as_str() {
        "podman" => ("podman", ContainerCommand::podman(&image)),
        "docker" => ("docker", ContainerCommand::docker(&image)),
        "runsc" => ("docker", ContainerCommand::runsc(&image)),
        _ => panic!("`{name}` is not a runtime"),
    };
    Some(Runtime { program, command })
});

/// Returns a sandbox of the runtime, and the directory that must be empty after its runs.
fn sandbox() -> Option<(TempDir, Sandbox)> {
    let runtime = RUNTIME.as_ref()?;
    let scratch = tempfile::tempdir().expect("a directory");
    let setup = SandboxSetup {
        scratch: scratch.path().to_owned(),
        container: Some(runtime.command.clone()),
        ..setup(User::Own)?
    };
    let sandbox = block_on(Sandbox::new(setup, &[Mode::Container])).expect("the runtime works");
    Some((scratch, sandbox))
}

fn job(name: &str) -> Job {
    let limits = Limits {
        timeout: Duration::from_mins(1),
        memory_bytes: 128 * 1024 * 1024,
        ..Limits::default()
    };
    let program = Program::Code { source: CODE.to_owned(), function: name.to_owned() };
    Job { limits, program, ..Job::code("") }
}

fn returned(sandbox: &Sandbox, job: &Job) -> Value {
    value_of(&block_on(sandbox.run(job)).expect("a run"), "container")
}

fn kind(sandbox: &Sandbox, job: &Job) -> String {
    let outcome = block_on(sandbox.run(job)).expect("a run");
    outcome.result.expect_err("an error").kind
}

/// Returns the names of the containers that are there.
fn containers() -> String {
    let program = RUNTIME.as_ref().expect("a runtime").program;
    let listed =
        Command::new(program).args(["ps", "--all", "--format={{.Names}}"]).output().expect("ps");
    String::from_utf8_lossy(&listed.stdout).into_owned()
}

#[test]
fn a_function_gets_its_skills_blobs_and_secrets() {
    let Some((scratch, sandbox)) = sandbox() else { return };
    let files = tempfile::tempdir().expect("a directory");
    let code = files.path().join("skill/code");
    fs::create_dir_all(&code).expect("directories");
    fs::write(code.join("main.py"), "def double(number): return 2 * number").expect("a file");
    fs::write(files.path().join("blob"), "blob\n").expect("a file");
    let mut job = job("uses_inputs");
    job.skills = vec![MountedSkill {
        name: "test.twice".to_owned(),
        directory: files.path().join("skill"),
        entrypoint: None,
    }];
    job.blobs = vec![MountedBlob { id: "b1".to_owned(), file: files.path().join("blob") }];
    job.secrets = Secrets([("KEY".to_owned(), "pässword".to_owned())].into());
    let expected = json!({
        "double": 42, "blobs": ["blob:b1"], "blob": "blob\n", "secret": "pässword",
        "directory": "/workspace",
    });
    assert_eq!(returned(&sandbox, &job), expected);
    assert!(is_empty(scratch.path()), "files remain");
}

#[test]
fn code_achieves_nothing_outside() {
    let Some((_scratch, sandbox)) = sandbox() else { return };
    let secret = tempfile::NamedTempFile::new().expect("a file");
    for name in ["host", "privileges", "network", "changes"] {
        let mut job = job(name);
        job.arguments.insert("secret".to_owned(), json!(secret.path()));
        assert_eq!(returned(&sandbox, &job), json!([]), "{name}");
    }
}

#[test]
fn limits_hold() {
    let Some((_scratch, sandbox)) = sandbox() else { return };
    assert_eq!(returned(&sandbox, &job("disk")), json!("OSError"));
    let started = returned(&sandbox, &job("processes")).as_u64().expect("a number");
    assert!((8..32).contains(&started), "{started}");
    // The kernel kills it without a word.
    let killed = kind(&sandbox, &job("memory"));
    assert!(["MemoryLimit", "ProgramExited", "MemoryError"].contains(&killed.as_str()), "{killed}");
    assert!(!Path::new("oom").exists(), "conmon left a file");
}

#[test]
fn nothing_remains_of_a_container_that_takes_too_long() {
    let Some((scratch, sandbox)) = sandbox() else { return };
    let start = Instant::now();
    let mut job = job("sleeps");
    job.limits.timeout = Duration::from_secs(5);
    assert_eq!(kind(&sandbox, &job), "Timeout");
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
    assert!(is_empty(scratch.path()), "files remain");
    assert!(!containers().contains("dibber-sandbox-"), "{}", containers());
}

fn is_empty(directory: &Path) -> bool {
    fs::read_dir(directory).expect("a directory").next().is_none()
}
