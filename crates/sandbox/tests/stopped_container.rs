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
