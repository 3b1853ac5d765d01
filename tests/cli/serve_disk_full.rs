//! A disk that is full while heartbeats fire: nothing is executed twice, the log says what failed, and
//! the runs go on when there is space again.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use dibber_server::store::FiredRun;
use dibber_skill::contract::RunState;

use crate::support::Tree;
use crate::support::due_runs;
use crate::support::server_process::{Serving, serve};

/// Appends the id of the run to a file.
const EFFECT: &str = "\
sed -n 's/.*\"runId\": \"\\(.*\\)\".*/\\1/p' \"$DIBBER_RUN\" >> effects
echo done
";

const CONFIG: &str = "\
[runner]
command = [\"sh\", \"effect.sh\"]
lease = 1
concurrency = 2
";

/// Starts a program that cannot make a file longer than so many bytes: writing more is an error, as on a
/// full disk.
const LIMITED: &str = "trap '' XFSZ; limit=$1; shift; exec prlimit --fsize=\"$limit:\" -- \"$@\"";

const RUNS: usize = 4;

/// The most looks at the runs until all have ended, of a fifth of a second each.
const LOOKS_MAX: usize = 300;

/// The sizes in KiB that the write-ahead log reaches: before a decision, and between a start and the
/// end of its run.
fn limits() -> Vec<u64> {
    let is_thorough = std::env::var("DIBBER_EVERY_FAULT").is_ok_and(|value| value == "1");
    if is_thorough { vec![40, 70, 100, 130, 160, 220] } else { vec![40, 160] }
}

fn start(data: &Path, limit: u64) -> Serving {
    let unlimited = serve(data, &["--listen", "127.0.0.1:0"]);
    let mut command = Command::new("sh");
    let limit = OsString::from((limit << 10).to_string());
    command.args(["-c", LIMITED, "sh"]).arg(limit);
    command.arg(unlimited.get_program()).args(unlimited.get_args());
    for (name, value) in unlimited.get_envs() {
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
    }
    command.env("XDG_CONFIG_HOME", data.join("no-config"));
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    Serving::of(command, data)
}

fn lift_limit(server: &Serving) {
    let id = server.id().to_string();
    let lifted = Command::new("prlimit").args(["--fsize=unlimited:", "--pid", &id]).status();
    assert!(lifted.expect("prlimit").success());
}

fn wait_for_runs(data: &Path) -> Vec<FiredRun> {
    for _ in 0..LOOKS_MAX {
        let runs = due_runs::runs_in(data);
        if runs.len() == RUNS && runs.iter().all(|run| run.ended_at.is_some()) {
            return runs;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    panic!("{:#?}", due_runs::runs_in(data));
}

#[tokio::test]
async fn a_full_disk_repeats_no_run_and_loses_none() {
    let mut logs = String::new();
    for limit in limits() {
        let tree = Tree::new();
        let data = tree.path().join("data");
        due_runs::make(&data, RUNS).await;
        tree.write("data/effect.sh", EFFECT.as_bytes());
        tree.write("data/dibber.toml", CONFIG.as_bytes());
        let server = start(&data, limit);
        std::thread::sleep(Duration::from_secs(2));
        lift_limit(&server);
        let runs = wait_for_runs(&data);
        server.signal("TERM");
        let (_, log) = server.ended();
        let mut effects = BTreeMap::<String, usize>::new();
        for id in tree.read("data/effects").lines() {
            *effects.entry(id.to_owned()).or_default() += 1;
        }
        for run in &runs {
            assert_eq!(run.state, RunState::Completed, "{limit} KiB: {run:#?}\n{log}");
            assert_eq!(effects.remove(run.id.as_str()), Some(1), "{limit} KiB: {run:#?}\n{log}");
        }
        assert!(effects.is_empty(), "{limit} KiB: {effects:?}");
        logs += &log;
    }
    for message in ["cannot fire heartbeats", "cannot write what happens to a run yet"] {
        assert!(logs.contains(message), "{message}:\n{logs}");
    }
}
