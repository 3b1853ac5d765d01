//! Code that uses more than it may: it is stopped, and what it started ends with it.

use std::time::Duration;

use dibber_sandbox::{Controller, Job, Limits, Mode};
use serde_json::json;

use crate::support::{SETTINGS, alone, function, value_of};

/// The source of all functions.
const BOMBS: &str = include_str!("bombs.py");

const MIB: u64 = 1024 * 1024;

fn limits() -> Limits {
    Limits { timeout: Duration::from_secs(20), memory_bytes: 256 * MIB, ..Limits::default() }
}

/// Returns a job that calls one of the functions.
fn bomb(name: &str, limits: &Limits) -> Job {
    Job { limits: limits.clone(), ..function(BOMBS, name) }
}

/// Asserts that a function ends with an error of a kind in each of the two modes.
#[track_caller]
fn assert_error(name: &str, limits: &Limits, kinds: [&str; 2]) {
    for setting in SETTINGS.iter() {
        let kind = if setting.mode == Mode::Full { kinds[0] } else { kinds[1] };
        let error = setting.error(&bomb(name, limits));
        assert_eq!(error.kind, kind, "{setting:?}: {error:?}");
    }
}

#[test]
fn time() {
    let limits = Limits { timeout: Duration::from_millis(500), ..limits() };
    for setting in SETTINGS.iter() {
        let outcome = setting.run(&bomb("ignores_signals", &limits));
        let error = outcome.result.expect_err("it takes too long");
        assert_eq!(error.kind, "Timeout");
        assert!(outcome.duration < Duration::from_secs(50), "{:?}", outcome.duration);
    }
}

#[test]
fn cpu_time() {
    let limits = Limits { timeout: Duration::from_millis(800), ..limits() };
    assert_error("spins", &limits, ["Timeout", "Timeout"]);
}

#[test]
fn memory_of_one_process() {
    assert_error("memory_of_one_process", &limits(), ["MemoryError", "MemoryError"]);
}

#[test]
fn memory_of_many_processes() {
    let _alone = alone();
    assert_error("memory_of_many_processes", &limits(), ["MemoryLimit", "MemoryLimit"]);
}

#[test]
fn forked_processes_that_share_their_memory_are_not_counted_twice() {
    let _alone = alone();
    for setting in SETTINGS.iter() {
        let outcome = setting.run(&bomb("shared_memory", &limits()));
        assert_eq!(value_of(&outcome, &format!("{setting:?}")), json!(100 * MIB));
    }
}

#[test]
fn processes() {
    let _alone = alone();
    for setting in SETTINGS.iter() {
        let outcome = setting.run(&bomb("processes", &limits()));
        if setting.mode == Mode::Full || outcome.controllers.contains(&Controller::Pids) {
            let started = value_of(&outcome, "processes").as_u64().expect("a number");
            assert!((20..=32).contains(&started), "{setting:?}: {started}");
        } else {
            // Without a control group, the kernel counts all processes of the user, so those of the run are watched.
            assert_eq!(outcome.result.expect_err("too many").kind, "ProcessLimit", "{setting:?}");
        }
    }
}

#[test]
fn fork_bomb() {
    let _alone = alone();
    let limits = Limits { timeout: Duration::from_secs(1), ..limits() };
    for setting in SETTINGS.iter() {
        let error = setting.error(&bomb("forks", &limits));
        assert!(["Timeout", "ProcessLimit"].contains(&error.kind.as_str()), "{error:?}");
    }
}

#[test]
fn threads() {
    let _alone = alone();
    for setting in SETTINGS.iter() {
        let error = setting.error(&bomb("threads", &limits()));
        let kinds = ["RuntimeError", "ProcessLimit", "MemoryError"];
        assert!(kinds.contains(&error.kind.as_str()), "{setting:?}: {error:?}");
    }
}

#[test]
fn disk_space() {
    assert_error("disk_space", &limits(), ["OSError", "DiskLimit"]);
}

#[test]
fn disk_space_of_deleted_files() {
    assert_error("disk_space_of_deleted_files", &limits(), ["OSError", "DiskLimit"]);
}

#[test]
fn size_of_a_file() {
    assert_error("size_of_a_file", &limits(), ["OSError", "OSError"]);
}

#[test]
fn number_of_files() {
    assert_error("number_of_files", &limits(), ["OSError", "DiskLimit"]);
}

#[test]
fn depth_of_directories() {
    assert_error("depth_of_directories", &limits(), ["OSError", "DiskLimit"]);
}

#[test]
fn open_files() {
    assert_error("open_files", &limits(), ["OSError", "OSError"]);
}

#[test]
fn output() {
    let limits = Limits { timeout: Duration::from_secs(1), ..limits() };
    for setting in SETTINGS.iter() {
        let outcome = setting.run(&bomb("prints", &limits));
        assert_eq!(outcome.result.expect_err("it never ends").kind, "Timeout");
        assert_eq!(outcome.logs.text.len(), limits.log_bytes);
    }
}

#[test]
fn deep_results() {
    for depth in [100_000, 500] {
        for setting in SETTINGS.iter() {
            let mut job = bomb("nested", &limits());
            job.arguments.insert("depth".to_owned(), json!(depth));
            assert_eq!(setting.error(&job).kind, "NotSerializable", "{setting:?}: {depth}");
        }
    }
}
