//! Running git in a repository of others.

use std::path::Path;
use std::process::{Command, Stdio};

/// The protocols by which git may read what a partial clone lacks.
const PROTOCOLS: &str = "file:git:http:https:ssh";

/// Returns a run of git in a directory, without a pager, without the program of the repository that
/// watches files, and without remotes that are programs. A repository that is committed inside of another
/// one is not entered: its configuration, which names programs, would come with a clone.
pub(super) fn command(directory: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(["--no-pager", "-c", "core.fsmonitor=false"]);
    command.args(["-c", "safe.bareRepository=explicit", "-C"]).arg(directory);
    command.env("GIT_ALLOW_PROTOCOL", PROTOCOLS);
    command.args(arguments).stdin(Stdio::null());
    command
}
