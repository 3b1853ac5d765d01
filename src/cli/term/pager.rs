//! Long pages at a terminal, a screen at a time.

use std::env;
use std::io::{self, Write};
use std::process::{Command, Stdio};

use tempfile::NamedTempFile;

use crate::cli::error::CommandError;

/// The environment variable with the user's pager.
pub(in crate::cli) const PAGER_VARIABLE: &str = "PAGER";
/// The pager of a user without one.
const PAGER_DEFAULT: &str = "less";
/// The options of `less`: to show colours, and to leave the page on the screen.
const LESS_OPTIONS: &str = "FRX";

/// Shows a manual page, which is roff, with `man`. Returns `false` if there is no `man`.
pub(in crate::cli) fn show_manual(roff: &[u8]) -> Result<bool, CommandError> {
    let write = || -> io::Result<NamedTempFile> {
        let mut file = NamedTempFile::new()?;
        file.write_all(roff)?;
        Ok(file)
    };
    let file = write().map_err(|error| CommandError::io("cannot write the manual page", error))?;
    let shown = Command::new("man").arg("-l").arg(file.path()).stderr(Stdio::null()).status();
    Ok(shown.is_ok_and(|status| status.success()))
}

/// Returns the command line of the user's pager.
pub(in crate::cli) fn command_line() -> String {
    env::var(PAGER_VARIABLE).unwrap_or_else(|_| PAGER_DEFAULT.to_owned())
}

/// Shows a page with the user's pager. Returns `false` if there is none.
pub(in crate::cli) fn show(page: &str) -> bool {
    let pager = command_line();
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return false };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if env::var_os("LESS").is_none() {
        command.env("LESS", LESS_OPTIONS);
    }
    let Ok(mut running) = command.spawn() else { return false };
    if let Some(mut input) = running.stdin.take() {
        // The user may leave the pager before the end of the page.
        let _ = input.write_all(page.as_bytes());
    }
    running.wait().is_ok_and(|status| status.success())
}
