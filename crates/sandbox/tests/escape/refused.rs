//! What is refused in every mode.

use dibber_sandbox::Mode;
use serde_json::{Value, json};

use super::cases::HOST;
use crate::support::{SETTINGS, Setting, block_on, value_of};

/// Returns what a function of `cases.py` achieved.
fn achieved(setting: &Setting, function: &str) -> Value {
    value_of(&setting.run(&HOST.job(function)), &format!("{setting:?}: {function}"))
}

#[track_caller]
fn assert_refused(functions: &[&str], is_tested: impl Fn(&Setting) -> bool) {
    for setting in SETTINGS.iter().filter(|setting| is_tested(setting)) {
        for function in functions {
            assert_eq!(achieved(setting, function), json!([]), "{setting:?}: {function}");
        }
    }
}

#[test]
fn files_of_the_host() {
    assert_refused(
        &[
            "host_files",
            "host_metadata",
            "root_listing",
            "host_process_files",
            "links_out",
            "devices",
        ],
        |_| true,
    );
}

#[test]
fn processes_of_the_host() {
    assert_refused(&["other_processes", "signals_to_parents"], |_| true);
}

#[test]
fn environment_and_descriptors() {
    assert_refused(&["environment", "descriptors"], |_| true);
}

#[test]
fn network() {
    assert_refused(&["sockets", "connections"], |_| true);
}

#[test]
fn system_calls() {
    assert_refused(&["system_calls"], |_| true);
}

#[test]
fn changes_of_files() {
    assert_refused(&["system_files", "inputs", "execution"], |_| true);
}

#[test]
fn privileges() {
    assert_refused(&["superuser"], |_| true);
    // Without namespaces, the files that tell it are out of reach.
    assert_refused(&["privileges"], |setting| setting.mode == Mode::Full);
}

#[test]
fn properties_of_the_machine() {
    assert_refused(&["host_name", "interfaces", "shared_memory"], |setting| {
        setting.mode == Mode::Full
    });
}

#[test]
fn two_runs_do_not_see_each_other() {
    let code = "import os, time\n\ndef main(args):\n    own = str(time.monotonic_ns())\n    for place in ('.', '/tmp', '/dev/shm'):\n        try: open(place + '/' + own, 'w').close()\n        except OSError: pass\n    time.sleep(0.5)\n    seen = []\n    for place in ('.', '/tmp', '/dev/shm', '..', '../..', '/proc'):\n        try: seen += [name for name in os.listdir(place) if name != own]\n        except OSError: pass\n    return [name for name in seen if name.isdigit() and int(name) > 3 and name != str(os.getpid()) or 'run' in name]\n";
    let job = dibber_sandbox::Job::code(code);
    for setting in SETTINGS.iter() {
        let sandbox = &setting.sandbox;
        let (first, second) =
            block_on(async { tokio::join!(sandbox.run(&job), sandbox.run(&job)) });
        for outcome in [first, second] {
            let outcome = outcome.expect("a run");
            assert_eq!(value_of(&outcome, &format!("{setting:?}")), json!([]), "{setting:?}");
        }
    }
}
