//! Runs by the command of a container runtime, which are a shell here.

use std::fs;
use std::time::Duration;

use dibber_sandbox::{ContainerCommand, Job, Limits, Mode, Sandbox, SandboxSetup};

use crate::support::{User, block_on, setup};

/// A command that starts Python and writes down its own process, and one that writes down whether
/// that process is there when the container is stopped.
fn shell(directory: &str) -> ContainerCommand {
    let run = format!("echo $$ > {directory}/pid; python3 \"$@\"; :");
    let stop = format!("kill -0 $(cat {directory}/pid) && echo there || echo gone");
    let shell = |script: String| vec!["sh".to_owned(), "-c".to_owned(), script, "sh".to_owned()];
    ContainerCommand { run: shell(run), stop: shell(format!("({stop}) >> {directory}/log")) }
}

#[test]
fn a_container_is_stopped_when_its_command_can_no_longer_start_it() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().to_str().expect("a name");
    // Without an interpreter, there is nothing to run.
    let Some(setup) = setup(User::Own) else { return };
    let setup = SandboxSetup { container: Some(shell(path)), ..setup };
    let sandbox = block_on(Sandbox::new(setup, &[Mode::Container])).expect("a sandbox");
    assert!(!directory.path().join("log").exists(), "a container that ended is not stopped");

    let limits = Limits { timeout: Duration::from_millis(700), ..Limits::default() };
    let job = Job { limits, ..Job::code("import time\ndef main(args): time.sleep(60)") };
    let error = block_on(sandbox.run(&job)).expect("a run").result.expect_err("it takes too long");
    assert_eq!(error.kind, "Timeout");
    let log = fs::read_to_string(directory.path().join("log")).expect("it was stopped");
    assert_eq!(log.lines().collect::<Vec<_>>(), ["there", "gone"]);
}

/// Its directory is the only trace of a container whose launcher was killed.
#[test]
fn only_the_runtime_of_a_left_container_removes_its_directory() {
    let Some(setup) = setup(User::Own) else { return };
    let scratch = tempfile::tempdir().expect("a directory");
    let leftover = scratch.path().join(format!("dibber-sandbox-{}", "a".repeat(32)));
    fs::create_dir(&leftover).expect("a directory");
    fs::write(leftover.join("stop"), format!("touch\0{}/stopped", scratch.path().display()))
        .expect("a file");
    let run = |stop: &[String]| {
        let words = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
        let run = words(&["sh", "-c", "exec python3 \"$@\"", "sh"]);
        let container = Some(ContainerCommand { run, stop: stop.to_vec() });
        let setup = SandboxSetup { container, scratch: scratch.path().to_owned(), ..setup.clone() };
        block_on(Sandbox::new(setup, &[Mode::Container])).expect("a sandbox");
    };
    run(&["true".to_owned()]);
    std::thread::sleep(Duration::from_millis(300));
    assert!(leftover.exists(), "another runtime cannot end the container");
    let stopped = scratch.path().join("stopped");
    run(&["touch".to_owned(), stopped.to_string_lossy().into_owned()]);
    for _ in 0..500 {
        if !leftover.exists() {
            break;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(stopped.exists() && !leftover.exists(), "{}", leftover.display());
}
