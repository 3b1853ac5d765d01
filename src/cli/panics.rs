//! What is shown of a panic, and the exit code of one outside the work on a skill.

use std::io::{self, Write};
use std::process::ExitCode;

use super::exit::Exit;
use dibber_text::isolation::{self, InternalError, REPORT_HELP};

/// Shows the place of each panic on standard error, and never its message, which may quote a
/// file.
pub fn install_panic_hook() {
    isolation::install_hook(show);
}

fn show(error: &InternalError) {
    let lines = format!("error: {error}\nhelp: {REPORT_HELP}\n");
    // If standard error is closed, there is nowhere else to report it.
    let _ = io::stderr().write_all(lines.as_bytes());
}

/// Returns the exit code of `work`, or that of an internal error when it panics.
pub(super) fn exit_code_of(work: impl FnOnce() -> ExitCode) -> ExitCode {
    isolation::isolated(work).unwrap_or_else(|_| Exit::InternalError.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_ends_with_its_own_code() {
        let shown = |code: ExitCode| format!("{code:?}");
        let ended = exit_code_of(|| panic!("outside of all isolation"));
        assert_eq!(shown(ended), shown(ExitCode::from(101)));
        assert_eq!(shown(exit_code_of(|| ExitCode::from(3))), shown(ExitCode::from(3)));
    }
}
