//! Ways around a single check: what one limit does not see, another one has to.

use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixDatagram;

use dibber_sandbox::{Job, Limits, Mode, Program};
use serde_json::json;

use crate::support::{SETTINGS, value_of};

/// Returns a job that calls a function of `bypass.py`.
fn job(function: &str) -> Job {
    let source = include_str!("bypass.py").to_owned();
    let mut job =
        Job { program: Program::Code { source, function: function.to_owned() }, ..Job::code("") };
    job.arguments.insert("clone".to_owned(), json!(libc::SYS_clone));
    job.arguments.insert("fallocate".to_owned(), json!(libc::SYS_fallocate));
    job.arguments.insert("exit".to_owned(), json!(libc::SYS_exit));
    job
}

#[test]
fn messages_do_not_reach_sockets_of_the_host() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("socket");
    let host = UnixDatagram::bind(&path).expect("a socket");
    host.set_nonblocking(true).expect("a socket that does not block");
    for (path, mode) in [(directory.path(), 0o755), (&path, 0o666)] {
        std::fs::set_permissions(path, PermissionsExt::from_mode(mode)).expect("permissions");
    }
    let mut job = job("datagrams_to_the_host");
    job.arguments.insert("socket".to_owned(), json!(path));
    for setting in SETTINGS.iter() {
        setting.run(&job).result.expect("it only fails to send");
        assert!(host.recv(&mut [0; 8]).is_err(), "{setting:?}: the host got a message");
    }
}

/// Asserts that functions of `bypass.py` achieve nothing.
#[track_caller]
fn assert_nothing(function: &str) {
    for setting in SETTINGS.iter() {
        let outcome = setting.run(&job(function));
        assert_eq!(value_of(&outcome, function), json!([]), "{setting:?}: {function}");
    }
}

#[test]
fn memory_that_no_process_is_charged_for() {
    assert_nothing("memory_without_an_owner");
}

/// Asserts that functions of `bypass.py` are ended because they use too much memory.
#[track_caller]
fn assert_memory_limit(function: &str) {
    for setting in SETTINGS.iter() {
        let mut job = job(function);
        job.limits = Limits { memory_bytes: 256 * 1024 * 1024, ..Limits::default() };
        let outcome = setting.run(&job);
        let error = outcome.result.expect_err(&format!("{setting:?}: {function}"));
        assert_eq!(error.kind, "MemoryLimit", "{setting:?}: {function}: {error:?}");
    }
}

#[test]
fn memory_that_the_status_of_a_process_does_not_show() {
    assert_memory_limit("memory_of_processes_without_a_leader");
    assert_memory_limit("memory_of_page_tables");
}

#[test]
fn memory_of_the_kernel() {
    assert_memory_limit("memory_of_messages");
}

#[test]
fn descriptors_that_are_not_counted() {
    assert_nothing("descriptors_out_of_sight");
}

#[test]
fn disk_space_that_is_taken_at_once() {
    assert_nothing("disk_by_allocation");
}

#[test]
fn disk_space_that_is_hidden() {
    for setting in SETTINGS.iter() {
        let kind = if setting.mode == Mode::Full { "OSError" } else { "DiskLimit" };
        for function in ["disk_of_mapped_files", "disk_of_a_moving_directory"] {
            let error = setting.run(&job(function)).result.expect_err(function);
            assert_eq!(error.kind, kind, "{setting:?}: {function}: {error:?}");
        }
    }
}

#[test]
fn commands_for_descriptors_that_concern_others() {
    assert_nothing("descriptor_commands");
}

#[test]
fn core_dumps_for_programs_of_the_host() {
    // A lower limit of the tests cannot be raised.
    if rustix::process::getrlimit(rustix::process::Resource::Core).maximum != Some(0) {
        assert_nothing("core_dumps");
    }
}

#[test]
fn precedence_over_the_host() {
    assert_nothing("precedence");
}

#[test]
fn memory_that_two_processes_share_is_counted_once() {
    assert_nothing("memory_of_a_child_that_is_being_started");
}
