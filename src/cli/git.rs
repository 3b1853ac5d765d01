//! Running git in a repository of others.

use std::path::Path;
use std::process::{Command, Stdio};

/// Returns a run of git in a directory, without a pager and without the program of the repository that
/// watches files.
pub(super) fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(["--no-pager", "-c", "core.fsmonitor=false", "-C"]).arg(directory);
    command.args(arguments).stdin(Stdio::null());
    command
}
