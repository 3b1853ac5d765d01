//! Random histories of two machines that publish the same project, and of a foreign writer,
//! compared with a model: no text is lost that was not shown, no exit code lies, and no second
//! skill is made without a warning that names the first one.

mod checks;
mod choice;
mod commands;
mod heartbeat_checks;
mod history;
mod state;

use crate::support::chance::Chance;
use choice::any_step;
use history::History;

/// The histories that are tried; with `DIBBER_EVERY_FAULT`, all of them.
fn histories() -> u64 {
    if std::env::var_os("DIBBER_EVERY_FAULT").is_some() { 200 } else { 24 }
}

/// The threads that run them.
const THREADS: u64 = 2;
/// The steps of a history.
const STEPS: usize = 16;

#[test]
fn two_machines_lose_no_text_that_was_not_shown() {
    let failed = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..THREADS).map(|thread| scope.spawn(move || run_from(thread))).collect();
        let threads = threads.into_iter().flat_map(|thread| thread.join().expect("no panic"));
        threads.collect::<Vec<u64>>()
    });
    assert!(failed.is_empty(), "histories {failed:?}");
}

/// Runs the histories of a thread, and returns those that failed, which were printed.
fn run_from(thread: u64) -> Vec<u64> {
    let seeds = (thread..histories()).step_by(usize::try_from(THREADS).expect("few"));
    seeds.filter(|seed| std::panic::catch_unwind(|| run(*seed)).is_err()).collect()
}

fn run(seed: u64) {
    let mut chance = Chance::new(seed);
    let mut history = History::begin(seed);
    for _ in 0..STEPS {
        let step = any_step(&mut chance, &history);
        history.step(step);
    }
    history.end();
}
