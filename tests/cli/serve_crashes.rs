//! A server that is killed while it executes runs: none is lost, and none is repeated unsaid.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use dibber_skill::contract::RunState;

use crate::support::Tree;
use crate::support::chance::Chance;
use crate::support::due_runs;
use crate::support::server_process::{Serving, serve};

/// Appends the id of the run to a file, and takes a while to end.
const EFFECT: &str = "\
sed -n 's/.*\"runId\": \"\\(.*\\)\".*/\\1/p' \"$DIBBER_RUN\" >> effects
sleep 0.1
echo done
";

const CONFIG: &str = "\
[runner]
command = [\"sh\", \"effect.sh\"]
lease = 1
concurrency = 2
";

/// The number of times that the server is killed.
fn kills() -> usize {
    let is_thorough = std::env::var("DIBBER_EVERY_FAULT").is_ok_and(|value| value == "1");
    if is_thorough { 200 } else { 10 }
}

/// The most starts after the last kill, until everything has ended.
const ROUNDS_MAX: usize = 30;

fn start(data: &Path) -> Serving {
    let mut command = serve(data, &["--listen", "127.0.0.1:0"]);
    command.env("XDG_CONFIG_HOME", data.join("no-config"));
    Serving::of(command, data)
}

#[tokio::test]
async fn each_run_has_its_effect_and_repeats_are_said() {
    let tree = Tree::new();
    let data = tree.path().join("data");
    let kills = kills();
    // Each server executes a few of them before it is killed.
    due_runs::make(&data, 4 * kills).await;
    tree.write("data/effect.sh", EFFECT.as_bytes());
    tree.write("data/dibber.toml", CONFIG.as_bytes());
    let mut chance = Chance::new(14);
    for _ in 0..kills {
        let server = start(&data);
        let moment = u64::try_from(chance.below(400)).expect("a small number");
        std::thread::sleep(Duration::from_millis(moment));
        server.signal("KILL");
        server.ended();
    }
    let mut runs = Vec::new();
    for _ in 0..ROUNDS_MAX {
        let server = start(&data);
        std::thread::sleep(Duration::from_secs(2));
        server.signal("TERM");
        server.ended();
        runs = due_runs::runs_in(&data);
        if runs.iter().all(|run| run.ended_at.is_some()) {
            break;
        }
    }
    assert_eq!(runs.len(), 4 * kills, "one run for each planned time");
    let mut effects = BTreeMap::<String, usize>::new();
    for id in tree.read("data/effects").lines() {
        *effects.entry(id.to_owned()).or_default() += 1;
    }
    for run in &runs {
        let count = effects.remove(run.id.as_str()).unwrap_or_default();
        // One that was interrupted in each attempt says so.
        let is_given_up = run.state == RunState::Failed && run.may_have_repeated;
        assert!(run.state == RunState::Completed || is_given_up, "{run:?}");
        assert!(count > 0 || is_given_up, "no effect of {run:?}");
        assert!(count == 1 || run.may_have_repeated, "{count} effects of {run:?}");
    }
    assert!(effects.is_empty(), "{effects:?}");
    let repeated = runs.iter().filter(|run| run.may_have_repeated).count();
    assert!(repeated > 0, "no kill fell into a run");
}
