//! Nothing remains of runs: no processes, mounts, files or descriptors.

use std::fs;
use std::os::unix::fs::chown;
use std::path::Path;
use std::pin::pin;
use std::time::{Duration, Instant};

use dibber_sandbox::{Job, Mode, Sandbox};
use rustix::fs::{FlockOperation, flock};
use rustix::process::{Pid, Signal, kill_process};

use crate::support::{SETTINGS, Setting, User, block_on, function, own_scratch};

/// How many runs there are in each setting.
fn run_count() -> usize {
    std::env::var("DIBBER_SANDBOX_RUNS").map_or(10, |count| count.parse().expect("a number"))
}

/// Returns a job that leaves processes behind, whose command line contains a marker.
fn leaves_processes(marker: &str) -> Job {
    let mut job = function(include_str!("remains.py"), "leave");
    job.arguments.insert("marker".to_owned(), marker.into());
    job
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
fn remains(scratch: &Path) -> (usize, usize, usize) {
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
        let job = leaves_processes(&marker);
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

/// What waits for the end of a cancelled run finds nothing of it.
#[test]
fn of_a_cancelled_run_that_has_returned() {
    for (number, setting) in SETTINGS.iter().enumerate() {
        let marker = format!("dibber-test-until-{}-{number}", std::process::id());
        let (scratch, sandbox) = own_scratch(setting);
        let mut job = leaves_processes(&marker);
        job.arguments.insert("sleep".to_owned(), 60.into());
        let started = async {
            while marked_processes(&marker) == 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        let outcome = block_on(sandbox.run_until(&job, started)).expect("a run");
        assert_eq!(outcome.result.expect_err("it was cancelled").kind, "Cancelled");
        assert_eq!((marked_processes(&marker), remains(scratch.path()).2), (0, 0), "{setting:?}");
    }
}

#[test]
fn of_a_run_whose_launcher_is_killed() {
    for (number, setting) in SETTINGS.iter().enumerate() {
        let marker = format!("dibber-test-kill-{}-{number}", std::process::id());
        let (scratch, sandbox) = own_scratch(setting);
        // The run is not dropped before: that alone would cancel it.
        start_and_stop(&sandbox, &marker, 60, || {
            kill_launcher_of(&marker);
            wait_until(|| marked_processes(&marker) == 0 && remains(scratch.path()).2 == 0);
        });
    }
}

/// Without namespaces, it is the child of the launcher that watches the run.
#[test]
fn of_a_run_whose_supervisor_is_killed() {
    for (number, setting) in SETTINGS.iter().enumerate() {
        if setting.mode == Mode::Full {
            continue;
        }
        let marker = format!("dibber-test-supervisor-{}-{number}", std::process::id());
        let (scratch, sandbox) = own_scratch(setting);
        start_and_stop(&sandbox, &marker, 60, || {
            kill_process(above(&marker, 1), Signal::KILL).expect("it is there");
            wait_until(|| marked_processes(&marker) == 0 && remains(scratch.path()).2 == 0);
        });
    }
}

/// Starts a run, waits until its processes are there, and drops it.
fn start_and_stop(sandbox: &Sandbox, marker: &str, seconds: u64, before_the_end: impl FnOnce()) {
    let mut job = leaves_processes(marker);
    job.arguments.insert("sleep".to_owned(), seconds.into());
    block_on(async {
        // `select!` drops only a reference to it, so it goes on until the launcher was killed.
        let mut run = pin!(sandbox.run(&job));
        let started = async {
            while marked_processes(marker) == 0 {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
        };
        tokio::select! {
            outcome = &mut run => panic!("it ended: {outcome:?}"),
            () = started => before_the_end(),
        }
    });
}

/// Kills the launcher above the processes with a marker: the child of this process.
fn kill_launcher_of(marker: &str) {
    kill_process(above(marker, 0), Signal::KILL).expect("it is a child");
}

/// Returns a process above those with a marker: the child of this process, or one so many below it.
fn above(marker: &str, below: usize) -> Pid {
    let parent = |pid: u32| -> Option<u32> {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
        stat.rsplit_once(") ")?.1.split(' ').nth(1)?.parse().ok()
    };
    let mut found = None;
    // The command line of a process cannot be read while it executes another program, and a process
    // that has lost its parent is not yet below another one.
    wait_until(|| {
        let own = std::process::id();
        found = marked(marker).iter().find_map(|pid| {
            let above: Vec<_> = std::iter::successors(Some(*pid), |pid| parent(*pid)).collect();
            let child = above.iter().position(|pid| parent(*pid) == Some(own))?;
            above.get(child.checked_sub(below)?).copied()
        });
        found.is_some()
    });
    let found = found.and_then(|pid| Pid::from_raw(pid.try_into().ok()?));
    found.expect("a process")
}

/// Without namespaces, it is a directory; with them, nothing is on the disk.
#[test]
fn of_earlier_runs_whose_processes_were_all_killed() {
    for setting in SETTINGS.iter().filter(|setting| setting.mode == Mode::Landlock) {
        let (scratch, sandbox) = own_scratch(setting);
        let path =
            |digit: &str| scratch.path().join(format!("dibber-sandbox-{}", digit.repeat(32)));
        let [leftover, running, link, strange] = ["a", "b", "c", "x"].map(path);
        for directory in [&leftover, &running, &strange] {
            fs::create_dir_all(directory.join("workspace/deep")).expect("directories");
            fs::write(directory.join("workspace/deep/file"), "kept").expect("a file");
        }
        std::os::unix::fs::symlink(&strange, &link).expect("a link");
        chown_for(setting, &leftover);
        chown_for(setting, &running);
        let opened = fs::File::open(&running).expect("a directory");
        flock(&opened, FlockOperation::LockExclusive).expect("a lock");

        block_on(sandbox.run(&Job::code("def main(args): pass"))).expect("a run");
        wait_until(|| !leftover.exists());
        for kept in [&running, &link, &strange] {
            assert!(kept.join("workspace/deep/file").exists(), "{setting:?}: {}", kept.display());
        }
        if setting.user == User::Own && rustix::process::geteuid().is_root() {
            // That of another user is his own.
            drop(opened);
            chown(&running, Some(65534), Some(65534)).expect("another owner");
            block_on(sandbox.run(&Job::code("def main(args): pass"))).expect("a run");
            assert!(running.exists(), "{setting:?}");
        }
    }
}

/// Lets a directory and what is in it belong to the user of the launcher.
fn chown_for(setting: &Setting, directory: &Path) {
    if setting.user == User::Nobody {
        for name in ["", "workspace", "workspace/deep", "workspace/deep/file"] {
            chown(directory.join(name), Some(65534), Some(65534)).expect("another owner");
        }
    }
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
