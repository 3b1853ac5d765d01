//! Control groups, where the tests may create some; elsewhere there is nothing to show.
//!
//! `DIBBER_TEST_CONTROL_GROUPS=1` makes it a failure that there is none.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use dibber_sandbox::{Controller, Job, Limits};
use serde_json::{Value, json};

use crate::support::{SETTINGS, Setting, User, alone, function, value_of};

/// The source of all functions.
const CODE: &str = include_str!("control_groups.py");

const MIB: u64 = 1024 * 1024;

/// Returns the settings in which runs are limited by a control group.
fn settings() -> Vec<&'static Setting> {
    let is_limited = |setting: &&Setting| {
        let outcome = setting.run(&Job::code("def main(args): pass"));
        outcome.controllers.contains(&Controller::Memory)
            && outcome.controllers.contains(&Controller::Pids)
    };
    let found: Vec<_> = SETTINGS.iter().filter(is_limited).collect();
    let is_required = std::env::var_os("DIBBER_TEST_CONTROL_GROUPS").is_some();
    assert!(!is_required || !found.is_empty(), "no control group is delegated");
    found
}

fn job(name: &str) -> Job {
    let limits =
        Limits { timeout: Duration::from_mins(1), memory_bytes: 128 * MIB, ..Limits::default() };
    Job { limits, ..function(CODE, name) }
}

/// Returns the groups of runs that are there.
fn groups() -> Vec<PathBuf> {
    fn find(directory: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let path = entry.path();
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                let name = entry.file_name();
                if name.to_str().is_some_and(|name| name.starts_with("dibber-sandbox-")) {
                    found.push(path.clone());
                }
                find(&path, found);
            }
        }
    }
    let mut found = Vec::new();
    find(Path::new("/sys/fs/cgroup"), &mut found);
    found
}

#[test]
fn memory_that_no_process_is_charged_for_ends_the_run() {
    let _alone = alone();
    for setting in settings() {
        let mut job = job("memory_of_the_kernel");
        job.limits.memory_bytes = 48 * MIB;
        job.limits.disk_bytes = MIB;
        let error = setting.error(&job);
        assert_eq!(error.kind, "MemoryLimit", "{setting:?}: {error:?}");
    }
}

#[test]
fn memory_of_many_processes_ends_the_run_at_once() {
    let _alone = alone();
    for setting in settings() {
        let outcome = setting.run(&job("memory_of_many_processes"));
        let error = outcome.result.expect_err("too much memory");
        assert_eq!(error.kind, "MemoryLimit", "{setting:?}: {error:?}");
    }
}

#[test]
fn no_more_processes_and_threads_are_started() {
    let _alone = alone();
    for setting in settings() {
        for name in ["processes", "threads"] {
            let started = value_of(&setting.run(&job(name)), &format!("{setting:?}"));
            assert_eq!(started, json!(31), "{setting:?}: {name}");
        }
    }
}

#[test]
fn the_files_of_the_workspace_do_not_count_as_memory_of_the_program() {
    for setting in settings() {
        let value = value_of(&setting.run(&job("files")), &format!("{setting:?}"));
        assert_eq!(value, json!(60), "{setting:?}");
    }
}

#[test]
fn code_does_not_see_where_its_group_is_and_cannot_leave_it() {
    for setting in settings() {
        let value = value_of(&setting.run(&job("group")), &format!("{setting:?}"));
        let Value::Object(found) = &value else { panic!("{value}") };
        assert_eq!(found["written"], json!([]), "{setting:?}");
        if setting.mode == dibber_sandbox::Mode::Full {
            assert!(["0::/", ""].contains(&found["group"].as_str().unwrap_or("?")), "{value}");
        }
    }
}

#[test]
fn those_of_killed_launchers_are_ended() {
    let _alone = alone();
    for setting in settings().into_iter().filter(|setting| setting.user == User::Own) {
        let leftover = parent_of_groups().join(format!("dibber-sandbox-{}", "f".repeat(32)));
        fs::create_dir(&leftover).expect("a group");
        let mut process = Command::new("sleep").arg("600").spawn().expect("a process");
        fs::write(leftover.join("cgroup.procs"), process.id().to_string()).expect("a member");
        // The first run kills the processes, and the second one may find that they have ended.
        for _ in 0..2 {
            setting.run(&Job::code("def main(args): pass")).result.expect("a result");
            process.wait().expect("it was killed");
        }
        assert!(!leftover.exists(), "{setting:?}");
    }
}

/// Returns where the groups of runs are created by the launchers of this process.
fn parent_of_groups() -> PathBuf {
    let shown = fs::read_to_string("/proc/self/cgroup").expect("groups");
    let path = shown.lines().find_map(|line| line.strip_prefix("0::/")).expect("version 2");
    let own = Path::new("/sys/fs/cgroup").join(path);
    if own.ends_with("dibber") { own.parent().expect("a group").to_owned() } else { own }
}

#[test]
fn nothing_remains_of_them() {
    let _alone = alone();
    for setting in settings() {
        for name in ["group", "leaves_processes"] {
            setting.run(&job(name)).result.expect("a result");
        }
    }
    // Those of other tests may be there for a while.
    for _ in 0..100 {
        if groups().is_empty() {
            return;
        }
        std::thread::sleep(Duration::from_millis(200));
    }
    panic!("{:?}", groups());
}
