//! Tests that need a sandbox, on machines where none works.

use std::process::{Command, Stdio};

/// The variable of a machine on which no sandbox has to work, though it isolates programs.
const VARIABLE: &str = "DIBBER_TEST_NO_SANDBOX";

/// Says that a test does less here than elsewhere.
///
/// # Panics
/// If this machine isolates programs: then a sandbox has to work, and dibber is wrong.
#[expect(clippy::print_stderr, reason = "a test that is skipped says so")]
pub(crate) fn skip(reason: &str) {
    assert!(
        std::env::var_os(VARIABLE).is_some() || !isolates_programs(),
        "no sandbox works, and {VARIABLE} is not set: {reason}"
    );
    eprintln!("skipped: {reason}");
}

/// Returns `true` if programs other than dibber get namespaces here, and there is an interpreter.
fn isolates_programs() -> bool {
    let runs = |program: &str, arguments: &[&str]| {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    cfg!(target_os = "linux")
        && runs("python3", &["-c", "pass"])
        && runs("unshare", &["--user", "--map-root-user", "--mount", "--pid", "--fork", "true"])
}
