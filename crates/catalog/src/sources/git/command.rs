//! Running git so that nothing of a repository, and nothing of the user's configuration, takes effect.

use std::fs;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use dibber_text::{message, quote_display, quote_in_full};

use crate::sources::offered::{SourceError, SourceErrorKind};

/// The pause between two looks at whether git has ended.
const PAUSE: Duration = Duration::from_millis(20);

/// How long git may run.
const RUN_MAX: Duration = Duration::from_mins(5);

/// The most bytes of a repository that are fetched (512 MiB).
const REPOSITORY_BYTES_MAX: u64 = 512 << 20;

/// The most bytes of messages that are read.
const MESSAGE_BYTES_MAX: u64 = 64 << 10;

/// The protocols by which repositories are fetched.
const PROTOCOLS: &str = "file:https:ssh";

/// What overrides every configuration: no hooks, no programs, no other remotes.
const SETTINGS: [&str; 9] = [
    "protocol.ext.allow=never",
    "core.hooksPath=/dev/null",
    "core.fsmonitor=false",
    "credential.helper=",
    "fetch.recurseSubmodules=false",
    "fetch.unpackLimit=1",
    "transfer.bundleURI=false",
    "gc.auto=0",
    "maintenance.auto=false",
];

const NULL_DEVICE: &str = if cfg!(windows) { "NUL" } else { "/dev/null" };

/// Returns a run of git in a bare repository of our own.
fn command(repository: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os() {
        // Variables of git name programs, directories and configuration.
        if name.to_string_lossy().starts_with("GIT_") {
            command.env_remove(name);
        }
    }
    command
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", NULL_DEVICE)
        .env("GIT_ATTR_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0")
        .env("GIT_ALLOW_PROTOCOL", PROTOCOLS)
        .env("GIT_LFS_SKIP_SMUDGE", "1")
        .env("GIT_NO_LAZY_FETCH", "1")
        // Keys of an agent are used; nothing is asked for.
        .env("GIT_SSH_COMMAND", "ssh -oBatchMode=yes -oConnectTimeout=30 -oServerAliveInterval=15")
        .env("LC_ALL", "C")
        .env_remove("SSH_ASKPASS")
        .env_remove("XDG_CONFIG_HOME")
        .arg("--no-pager");
    for setting in SETTINGS {
        command.args(["-c", setting]);
    }
    command.arg("--git-dir").arg(repository).args(arguments).current_dir(repository);
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, so that it can be ended with all that it starts.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Runs git, and returns what it prints: at most so many bytes.
pub(super) fn run(
    repository: &Path,
    arguments: &[&str],
    input: &[u8],
    bytes_max: u64,
) -> Result<Vec<u8>, SourceError> {
    let mut command = command(repository, arguments);
    command.stdin(Stdio::piped());
    let mut child = command.spawn().map_err(|error| {
        let message = message!["cannot run `git`: ", quote_display(error)];
        SourceError::new(SourceErrorKind::Failed, message)
    })?;
    let (stdin, stdout, stderr) = (child.stdin.take(), child.stdout.take(), child.stderr.take());
    thread::scope(|scope| {
        scope.spawn(move || {
            // A git that has ended reads no more, and its status says why.
            stdin.map(|mut stdin| stdin.write_all(input).and_then(|()| stdin.flush()))
        });
        let output = scope.spawn(move || read_up_to(stdout, bytes_max + 1));
        let messages = scope.spawn(move || read_up_to(stderr, MESSAGE_BYTES_MAX));
        let ended = wait(&mut child, repository, || output.is_finished());
        if ended.is_err() {
            kill(&mut child);
        }
        let (output, messages) = (output.join().unwrap_or_default(), messages.join());
        let messages = messages.unwrap_or_default();
        let is_successful = ended?;
        if output.len() as u64 > bytes_max {
            return Err(too_large("what git lists", bytes_max));
        }
        if is_successful { Ok(output) } else { Err(failure(&messages)) }
    })
}

/// Ends git and the programs that it has started, such as ssh, which keep its output open.
fn kill(child: &mut Child) {
    #[cfg(unix)]
    {
        use rustix::process::{Pid, Signal, kill_process_group};
        // It is not waited for yet, so the number is still its own.
        let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
        let _ = group.map(|group| kill_process_group(group, Signal::KILL));
    }
    // It may have ended meanwhile.
    let _ = child.kill();
    let _ = child.wait();
}

/// Waits for git to end, and returns whether it was successful.
fn wait(
    child: &mut Child,
    repository: &Path,
    has_output: impl Fn() -> bool,
) -> Result<bool, SourceError> {
    let mut waited = Duration::ZERO;
    loop {
        let status = child
            .try_wait()
            .map_err(|error| SourceError::new(SourceErrorKind::Failed, quote_display(error)))?;
        if let Some(status) = status {
            return Ok(status.success());
        }
        if waited >= RUN_MAX {
            return Err(SourceError::new(SourceErrorKind::Failed, "git took more than 5 minutes"));
        }
        // Once nothing more is read, git waits for ever.
        let is_stuck = has_output() && waited > PAUSE * 50;
        if is_stuck || size_of(&repository.join("objects")) > REPOSITORY_BYTES_MAX {
            return Err(too_large("the repository", REPOSITORY_BYTES_MAX));
        }
        thread::sleep(PAUSE);
        waited += PAUSE;
    }
}

/// Reads at most so many bytes.
fn read_up_to(stream: Option<impl Read>, bytes_max: u64) -> Vec<u8> {
    let mut bytes = Vec::new();
    if let Some(stream) = stream {
        // What was read before an error counts: the status of git says more.
        let _ = stream.take(bytes_max).read_to_end(&mut bytes);
    }
    bytes
}

/// Returns the bytes of the files in a directory and in those directly below: the packs.
fn size_of(directory: &Path) -> u64 {
    let mut size = 0;
    let mut directories = vec![(directory.to_owned(), 0)];
    while let Some((directory, depth)) = directories.pop() {
        for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
            let Ok(metadata) = entry.metadata() else { continue };
            if metadata.is_dir() && depth == 0 {
                directories.push((entry.path(), 1));
            } else {
                size += metadata.len();
            }
        }
    }
    size
}

fn too_large(what: &'static str, bytes_max: u64) -> SourceError {
    let message = message![what, " has more than ", bytes_max >> 20, " MiB"];
    SourceError::new(SourceErrorKind::Refused, message)
}

/// Returns the error of what git says, without its hints.
fn failure(messages: &[u8]) -> SourceError {
    let text = String::from_utf8_lossy(messages);
    let is_own = |line: &&str| line.starts_with("fatal: ") || line.starts_with("error: ");
    let line = text.lines().find(is_own).or_else(|| text.lines().find(|line| !line.is_empty()));
    let line = line.unwrap_or("git failed").trim_start_matches("fatal: ");
    let is_missing = ["couldn't find remote ref", "not our ref", "does not exist", "not found"];
    let kind = if is_missing.iter().any(|words| line.contains(words)) {
        SourceErrorKind::NotFound
    } else {
        SourceErrorKind::Failed
    };
    SourceError::new(kind, message!["git: ", quote_in_full(line)])
}
