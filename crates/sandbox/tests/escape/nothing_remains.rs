//! Nothing remains of runs: no processes, mounts, files or descriptors.

use std::fs;
use std::time::{Duration, Instant};

use dibber_sandbox::{Job, Sandbox};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{SETTINGS, block_on, own_scratch};

/// How many runs there are in each setting.
fn run_count() -> usize {
    std::env::var("DIBBER_SANDBOX_RUNS").map_or(10, |count| count.parse().expect("a number"))
}

/// Code that leaves processes behind, whose command line contains a marker.
fn leaves_processes(marker: &str) -> String {
    format!(
        "import os, sys, time\n\ndef main(args):\n    if os.fork() == 0:\n        os.setsid()\n        if os.fork() == 0: os.execv(sys.executable, [sys.executable, '-c', 'import time; time.sleep(60)', '{marker}'])\n        os._exit(0)\n    time.sleep(args.get('sleep', 0.05))\n    open('file', 'w').close()\n"
    )
}

/// Returns the processes with a marker in their command line.
fn marked(marker: &str) -> Vec<u32> {
    let entries = fs::read_dir("/proc").expect("/proc").flatten();
    let ids = entries.filter_map(|entry| {
        let line = fs::read(entry.path().join("cmdline")).ok()?;
        let pid = entry.file_name().to_str()?.parse().ok()?;
        String::from_utf8_lossy(&line).contains(marker).then_some(pid)
    });
    ids.collect()
}

/// Returns how many processes have a marker in their command line.
fn marked_processes(marker: &str) -> usize {
    marked(marker).len()
}

/// Waits until a condition holds.
#[track_caller]
fn wait_until(mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < Duration::from_secs(20), "it takes too long");
        std::thread::sleep(Duration::from_millis(10));
    }
}

/// Returns what runs could leave behind in this process and on this machine.
fn remains(scratch: &std::path::Path) -> (usize, usize, usize) {
    let mounts = fs::read_to_string("/proc/self/mountinfo").expect("mounts").lines().count();
    let descriptors = fs::read_dir("/proc/self/fd").expect("descriptors").count();
    let files = fs::read_dir(scratch).expect("a directory").count();
    (mounts, descriptors, files)
}

/// Starts a run of some seconds, kills its launcher, and returns `true` if its processes remain.
#[cfg(feature = "disable-layers")]
pub(super) fn outlives_its_launcher(sandbox: &Sandbox) -> bool {
    let marker = format!("dibber-test-outlive-{}", std::process::id());
    start_and_stop(sandbox, &marker, 10, || kill_launcher_of(&marker));
    std::thread::sleep(Duration::from_millis(200));
    let remains = marked_processes(&marker) > 0;
    wait_until(|| marked_processes(&marker) == 0);
    remains
}

#[test]
fn of_many_runs() {
    for (number, setting) in SETTINGS.iter().enumerate() {
        let marker = format!("dibber-test-many-{}-{number}", std::process::id());
        let (scratch, sandbox) = own_scratch(setting);
        let job = Job::code(leaves_processes(&marker));
        for _ in 0..run_count() {
            block_on(sandbox.run(&job)).expect("a run").result.expect("a result");
            assert_eq!(marked_processes(&marker), 0, "{setting:?}");
            assert_eq!(remains(scratch.path()).2, 0, "{setting:?}");
        }
    }
}

#[test]
fn of_a_run_that_nobody_waits_for() {
    for (number, setting) in SETTINGS.iter().enumerate() {
        let marker = format!("dibber-test-cancel-{}-{number}", std::process::id());
        let (scratch, sandbox) = own_scratch(setting);
        start_and_stop(&sandbox, &marker, 60, || {});
        wait_until(|| marked_processes(&marker) == 0 && remains(scratch.path()).2 == 0);
    }
}

#[test]
fn of_a_run_whose_launcher_is_killed() {
    let settings = SETTINGS.iter().filter(|setting| setting.mode == dibber_sandbox::Mode::Full);
    for (number, setting) in settings.enumerate() {
        let marker = format!("dibber-test-kill-{}-{number}", std::process::id());
        let (_scratch, sandbox) = own_scratch(setting);
        start_and_stop(&sandbox, &marker, 60, || kill_launcher_of(&marker));
        wait_until(|| marked_processes(&marker) == 0);
    }
}

/// Starts a run, waits until its processes are there, and drops it.
fn start_and_stop(sandbox: &Sandbox, marker: &str, seconds: u64, before_the_end: impl FnOnce()) {
    let mut job = Job::code(leaves_processes(marker));
    job.arguments.insert("sleep".to_owned(), seconds.into());
    block_on(async {
        let run = sandbox.run(&job);
        let started = async {
            while marked_processes(marker) == 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::select! {
            outcome = run => panic!("it ended: {outcome:?}"),
            () = started => before_the_end(),
        }
    });
}

/// Kills the launcher above the processes with a marker: the child of this process.
fn kill_launcher_of(marker: &str) {
    let parent = |pid: u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
    };
    let mut pid = None;
    // The command line of a process cannot be read while it executes another program.
    wait_until(|| {
        pid = marked(marker).first().copied();
        pid.is_some()
    });
    let own = std::process::id();
    let launcher = std::iter::successors(pid, |pid| parent(*pid))
        .find(|pid| parent(*pid) == Some(own))
        .and_then(|pid| Pid::from_raw(pid.try_into().ok()?));
    kill_process(launcher.expect("a launcher"), Signal::KILL).expect("it is a child");
}

#[test]
fn in_this_process() {
    for setting in SETTINGS.iter() {
        let (scratch, sandbox) = own_scratch(setting);
        let before = remains(scratch.path()).0;
        for _ in 0..5 {
            block_on(sandbox.run(&Job::code("def main(args): pass"))).expect("a run");
        }
        assert_eq!(remains(scratch.path()).0, before, "{setting:?}");
    }
}
