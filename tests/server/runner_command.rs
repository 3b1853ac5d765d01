//! Runs that a program executes: what becomes its result, and how it is ended.

use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use dibber_server::firing::{
    CommandOptions, CommandRunner, Execute, Executor, Job, Outcome, RUN_ENVIRONMENT, Retry,
    RunResult,
};
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::server::runner_webhook::job;
use crate::support::wire::TestServer;

/// How long a killed process may take to end; what survives takes much longer.
const ENDS_WITHIN: Duration = Duration::from_mins(1);

fn with_prompt(prompt: &str) -> Job {
    Job { prompt: prompt.to_owned(), ..job() }
}

/// A shell script that executes runs in a directory of its own.
struct Script {
    directory: TempDir,
    options: CommandOptions,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Script {
    fn new(script: &str) -> Self {
        let directory = TempDir::new().expect("a temporary directory");
        let options = CommandOptions {
            program: "sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            directory: directory.path().to_owned(),
            environment: RUN_ENVIRONMENT.iter().map(|&name| name.to_owned()).collect(),
            timeout: ENDS_WITHIN,
            output_bytes: 100_000,
            executor: Executor::Server,
        };
        Self { directory, options, lines: Arc::default() }
    }

    fn timeout(mut self, timeout: Duration) -> Self {
        self.options.timeout = timeout;
        self
    }

    fn runner(&self) -> CommandRunner {
        let lines = Arc::clone(&self.lines);
        let runner = CommandRunner::new(TestServer::new().server, self.options.clone());
        runner.with_on_line(Arc::new(move |run, line| {
            lines.lock().expect("no panic").push(format!("{run}: {line}"));
        }))
    }

    async fn run(&self) -> Outcome {
        self.runner().execute(with_prompt("Water the fern.")).await
    }

    fn logged(&self) -> Vec<String> {
        self.lines.lock().expect("no panic").clone()
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.directory.path().join(name)).unwrap_or_default()
    }
}

/// The result of a script.
async fn result_of(script: &str) -> Value {
    match Script::new(script).run().await {
        Outcome::Completed(result) => Value::Object(result.into_map()),
        Outcome::Failed { reason, .. } => panic!("{reason}"),
    }
}

/// The reason why a script failed.
fn failed(outcome: Outcome) -> (String, Retry) {
    match outcome {
        Outcome::Completed(result) => panic!("{result:?}"),
        Outcome::Failed { reason, retry } => (reason, retry),
    }
}

fn is_running(id: &str) -> bool {
    let status = Command::new("ps").args(["-o", "stat=", "-p", id.trim()]).output().expect("ps");
    let state = String::from_utf8_lossy(&status.stdout);
    !state.trim().is_empty() && !state.trim().starts_with('Z')
}

/// Waits for the end of the process whose id is in a file.
fn assert_ends(directory: &Path, file: &str) {
    let id = fs::read_to_string(directory.join(file)).expect("the id of a process");
    let started = Instant::now();
    while is_running(&id) {
        assert!(started.elapsed() < ENDS_WITHIN, "{file}: process {id} lives on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[tokio::test]
async fn the_prompt_is_read_and_a_text_is_a_result() {
    assert_eq!(result_of("cat").await, json!({"summary": "Water the fern."}));
    let text = result_of("echo; echo '  One line.  '; echo; echo Another.").await;
    let expected = json!({"summary": "One line.", "data": {"text": "One line.  \n\nAnother."}});
    assert_eq!(text, expected);
    let long = result_of("printf '%0400d' 0").await;
    let summary = long["summary"].as_str().expect("a summary");
    assert_eq!(summary, format!("{}…", "0".repeat(300)));
    assert_eq!(long["data"]["text"], "0".repeat(400));
    assert_eq!(result_of("true").await, json!({"summary": "The program ended without output."}));
}

#[tokio::test]
async fn an_object_with_a_summary_is_a_result() {
    let object = json!({"summary": "Watered.", "data": {"litres": 2}});
    assert_eq!(result_of(&format!("echo '{object}'")).await, object);
    let in_file = result_of(&format!("echo chatter; echo '{object}' > \"$DIBBER_RESULT\"")).await;
    assert_eq!(in_file, object);
    let other = result_of("echo '{\"litres\": 2}'").await;
    assert_eq!(other["summary"], "{\"litres\": 2}", "an object without a summary is a text");
}

#[tokio::test]
async fn a_result_file_that_is_not_valid_fails_once() {
    for (script, part) in [
        ("echo '{' > \"$DIBBER_RESULT\"", "not a JSON object (line 2, column 0)"),
        ("echo '[]' > \"$DIBBER_RESULT\"", "not a JSON object"),
        ("echo '{\"data\": {}}' > \"$DIBBER_RESULT\"", "the result has no `summary`"),
        ("mkfifo \"$DIBBER_RESULT\"", "cannot be read: is a pipe"),
        ("printf '%0200000d' 0 > \"$DIBBER_RESULT\"", "more than 100000 bytes"),
    ] {
        let (reason, retry) = failed(Script::new(script).run().await);
        assert!(reason.contains(part), "{script}: {reason}");
        assert_eq!(retry, Retry::Never, "{script}");
    }
}

#[tokio::test]
async fn the_run_is_in_a_file_and_the_environment_is_bounded() {
    let script = Script::new(
        "cat \"$DIBBER_RUN\" > run; env > env; dirname \"$DIBBER_RUN\" > at; \
                              stat -c %a \"$(dirname \"$DIBBER_RUN\")\" > mode || true",
    );
    assert!(matches!(script.run().await, Outcome::Completed(_)));
    let run: Value = serde_json::from_str(&script.read("run")).expect("JSON");
    assert_eq!(
        run,
        json!({
            "runId": "run_1", "attempt": 2, "heartbeatId": "hb_1", "name": "Plants",
            "skillId": "sk_1", "plannedAt": "2026-05-23T09:00:00-04:00",
            "timeZone": "America/New_York", "mayHaveRepeated": false, "promptHash": "h_1",
            "responseModel": {"type": "object"},
        })
    );
    let of_shell = ["PWD", "OLDPWD", "SHLVL", "_"];
    for line in script.read("env").lines() {
        let name = line.split('=').next().expect("a name");
        let is_known = RUN_ENVIRONMENT.contains(&name) || of_shell.contains(&name);
        assert!(is_known || name.starts_with("DIBBER_"), "{line}");
    }
    assert!(!Path::new(script.read("at").trim()).exists(), "its directory is removed");
    // Not every `stat` prints the mode like this.
    assert!(["700", ""].contains(&script.read("mode").trim()), "its directory is private");
}

#[tokio::test]
async fn a_program_that_fails_is_tried_again_with_its_last_words() {
    let script =
        Script::new("i=0; while [ $i -lt 9 ]; do i=$((i+1)); echo line $i >&2; done; exit 7");
    let (reason, retry) = failed(script.run().await);
    assert_eq!(
        reason,
        "the program ended with exit code 7: line 5; line 6; line 7; line 8; line 9"
    );
    assert_eq!(retry, Retry::Later);
    assert_eq!(script.logged().len(), 9);
    let (reason, retry) = failed(Script::new("kill -TERM $$").run().await);
    assert_eq!(retry, Retry::MayRepeat, "it may have done its work");
    assert_eq!(reason, "the program was ended by a signal");
}

#[tokio::test]
async fn what_is_shown_of_standard_error_is_masked_and_bounded() {
    // The parts are joined at run time, so that scanners do not report this file.
    let token = ["ghp", "_", "zQWBuTSOoRi4A9spHcVY5ncnsDkxkJ", "0mLq17"].concat();
    let text = format!("printf 'for Ottilie \\033[31m\\n' >&2; echo {token} >&2");
    // Much more than is kept, and more than a pipe holds.
    let flood = "i=0; while [ $i -lt 300 ]; do i=$((i+1)); printf '%01000d\\n' 0 >&2; done";
    let script = Script::new(&format!("{text}; {flood}; {text}; exit 1"));
    let (reason, _) = failed(script.run().await);
    let logged = script.logged();
    assert!(logged.len() <= 20, "{}", logged.len());
    assert!(logged[0].starts_with("run_1: for *******"), "{}", logged[0]);
    assert!(reason.len() < 1_000 && reason.contains("for *******"), "{reason}");
    for shown in logged.iter().chain([&reason]) {
        let is_hidden = !shown.contains("Ottilie") && !shown.contains("zQWB");
        assert!(is_hidden && !shown.contains('\u{1b}'), "{shown}");
    }
}

#[tokio::test]
async fn a_program_that_cannot_start_any_more_is_tried_again() {
    let run = async |change: &dyn Fn(&mut CommandOptions)| {
        let mut script = Script::new("true");
        change(&mut script.options);
        failed(script.run().await)
    };
    let (reason, retry) = run(&|options| options.program = "/nonexistent/program".into()).await;
    assert_eq!(reason, "the program does not exist, or cannot be found in PATH");
    assert_eq!(retry, Retry::Later);
    let (reason, retry) = run(&|options| {
        let program = options.directory.join("program");
        fs::write(&program, "#!/bin/sh\n").expect("a file");
        fs::set_permissions(&program, fs::Permissions::from_mode(0o600)).expect("a mode");
        options.program = program;
    })
    .await;
    assert_eq!((reason.as_str(), retry), ("the program is not executable", Retry::Later));
    let (reason, retry) = run(&|options| options.directory = "/nonexistent".into()).await;
    let expected = "the working directory of the program cannot be used: entity not found";
    assert_eq!((reason.as_str(), retry), (expected, Retry::Later));
}

#[tokio::test]
async fn a_program_that_hangs_is_killed_with_what_it_has_started() {
    let hangs = "echo waiting >&2; sleep 1000 & echo $! > child; echo $$ > self; wait";
    let script = Script::new(hangs).timeout(Duration::from_secs(1));
    let (reason, retry) = failed(script.run().await);
    assert_eq!(reason, "the program has not ended after 1 seconds: waiting");
    assert_eq!(retry, Retry::MayRepeat);
    assert_ends(script.directory.path(), "self");
    assert_ends(script.directory.path(), "child");
}

#[tokio::test]
async fn a_program_that_floods_its_output_is_killed() {
    let script = Script::new("echo $$ > self; yes");
    let (reason, retry) = failed(script.run().await);
    assert_eq!(reason, "the program writes more than 100000 bytes");
    assert_eq!(retry, Retry::Never);
    assert_ends(script.directory.path(), "self");
}

#[tokio::test]
async fn what_a_program_leaves_running_is_killed() {
    // It holds the output open, and nothing waits for it.
    let script = Script::new("sleep 1000 & echo $! > child; echo done");
    let outcome = tokio::time::timeout(ENDS_WITHIN / 2, script.run()).await.expect("it ends");
    let Outcome::Completed(result) = outcome else { panic!("{outcome:?}") };
    assert_eq!(result.into_map()["summary"], "done");
    assert_ends(script.directory.path(), "child");
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn what_has_left_the_group_is_killed_too() {
    let script = Script::new(
        "setsid sh -c 'echo $$ > child; exec sleep 1000' > /dev/null 2>&1 &\n\
         while ! [ -s child ]; do sleep 0.01; done",
    );
    assert!(matches!(script.run().await, Outcome::Completed(_)));
    assert_ends(script.directory.path(), "child");
}

/// A process without the environment and outside of the group is not recognised. The program has ended
/// all the same.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn a_stream_that_another_process_keeps_open_does_not_delay_the_end() {
    let script = Script::new("setsid env -i /bin/sleep 100 > /dev/null & echo sent");
    let sent = RunResult::from_summary("sent").expect("a result");
    assert_eq!(script.run().await, Outcome::Completed(sent));
}

#[tokio::test]
async fn a_run_that_is_taken_over_is_killed() {
    let script = Script::new("echo $$ > id; mv id self; exec sleep 1000");
    let runner = script.runner();
    let running = runner.execute(with_prompt(""));
    let started = async {
        while script.read("self").is_empty() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::select! {
        outcome = running => panic!("{outcome:?}"),
        () = started => {}
    }
    assert_ends(script.directory.path(), "self");
}

#[test]
fn the_files_of_a_run_whose_server_was_killed_are_removed() {
    let make = |prefix: &str| {
        let directory = tempfile::Builder::new().prefix(prefix).tempdir().expect("a directory");
        fs::write(directory.path().join("run.json"), "{}").expect("a file");
        directory
    };
    let (left, used, unlocked) = (make("dibber-run-"), make("dibber-run-"), make("dibber-run-"));
    let elsewhere = make("dibber-test-");
    let lock = |directory: &TempDir| {
        File::create_new(directory.path().join("lock")).expect("a file to lock")
    };
    // It is locked before it is seen: other tests start servers, too.
    let held = lock(&elsewhere);
    held.lock().expect("a lock");
    fs::rename(elsewhere.path().join("lock"), used.path().join("lock")).expect("a move");
    drop((lock(&elsewhere), lock(&left)));
    let link = left.path().with_file_name(format!("dibber-run-link-{}", std::process::id()));
    symlink(elsewhere.path(), &link).expect("a link");
    drop(Script::new("true").runner());
    fs::remove_file(&link).expect("a link that is still there");
    assert!(!left.path().exists(), "no server uses it");
    assert!(used.path().join("run.json").exists(), "a server has locked it");
    assert!(unlocked.path().join("run.json").exists(), "it may just be made");
    assert!(elsewhere.path().join("run.json").exists(), "a link is not followed");
}

#[tokio::test]
async fn a_program_need_not_read_a_long_prompt() {
    let script = Script::new("echo done");
    let outcome = script.runner().execute(with_prompt(&"x".repeat(1 << 20))).await;
    assert!(matches!(outcome, Outcome::Completed(_)), "{outcome:?}");
}
