//! A server that is a program of this computer: how it is started, what it writes to standard
//! error, and how it is ended.

use std::collections::VecDeque;
use std::env;
use std::process::{ExitStatus, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::io::{AsyncBufReadExt, AsyncReadExt, BufReader};
use tokio::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command};
use tokio::sync::watch;

use super::address::mask_urls;
use super::command_line::ServerCommand;
use super::error::ClientError;
use super::failure::{Failure, NextAttempt};
use dibber_text::MASKED;

/// The variables of this process that the program gets, if they are set: what programs need in
/// order to find others and the user's files, and no secret.
const VARIABLES: &[&str] = if cfg!(windows) {
    &[
        "APPDATA",
        "COMSPEC",
        "HOMEDRIVE",
        "HOMEPATH",
        "LOCALAPPDATA",
        "PATH",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE",
        "PROGRAMDATA",
        "PROGRAMFILES",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
        "WINDIR",
    ]
} else {
    &["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TERM", "TMPDIR", "TZ", "USER"]
};
/// The most lines of standard error that remain.
const LINES_MAX: usize = 20;
/// The most bytes of a line of standard error; the rest of it is another line.
const LINE_BYTES_MAX: u64 = 2_000;
/// The longest time that a program has to end by itself when its standard input is closed.
const END_TIMEOUT: Duration = Duration::from_millis(500);
/// The longest wait for the last lines of a program that has failed.
const LAST_LINES_TIMEOUT: Duration = Duration::from_millis(200);

/// Receives each line that a program writes to standard error.
pub type OnLine = Arc<dyn Fn(&str) + Send + Sync>;

/// A running program.
pub(super) struct Process {
    program: String,
    child: tokio::sync::Mutex<Child>,
    lines: Arc<Mutex<VecDeque<String>>>,
    /// Whether all of standard error was read.
    is_read: watch::Receiver<bool>,
}

/// The pipes of its standard output and input.
pub(super) type Pipes = (ChildStdout, ChildStdin);

impl Process {
    /// Starts a program.
    pub(super) fn start(
        command: &ServerCommand,
        on_line: Option<&OnLine>,
    ) -> Result<(Self, Pipes), Failure> {
        let variables = VARIABLES.iter().filter_map(|name| Some((name, env::var_os(name)?)));
        let started = Command::new(&command.program)
            .args(&command.arguments)
            .env_clear()
            .envs(variables)
            .envs(command.environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn();
        let mut child = started.map_err(|error| {
            let cause = format!("cannot start `{}`: {error}", command.program);
            Failure::permanent(ClientError::Unreachable(cause)).not_sent()
        })?;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("the streams are pipes")
        };
        let lines = Arc::default();
        let (read, is_read) = watch::channel(false);
        let collected = collect(stderr, command.secrets(), Arc::clone(&lines), on_line.cloned());
        tokio::spawn(async move {
            collected.await;
            read.send_replace(true);
        });
        let (program, child) = (command.program.clone(), tokio::sync::Mutex::new(child));
        Ok((Self { program, child, lines, is_read }, (stdout, stdin)))
    }

    /// Adds to a failure how the program ended, and its last lines, if it has ended. Starting it
    /// again would lead to the same.
    pub(super) async fn explain(&self, failure: Failure) -> Failure {
        let wait = async {
            let status = self.child.lock().await.wait().await;
            // A program that it has started may keep standard error open.
            let mut is_read = self.is_read.clone();
            let read = is_read.wait_for(|is_read| *is_read);
            let _ = tokio::time::timeout(LAST_LINES_TIMEOUT, read).await;
            status
        };
        let status = tokio::time::timeout(2 * LAST_LINES_TIMEOUT, wait).await;
        let status = status.ok().and_then(Result::ok);
        let lines =
            lock_lines(&self.lines).iter().map(|line| format!("\n  {line}")).collect::<String>();
        let failure = Failure { next_attempt: NextAttempt::Never, ..failure };
        let explained = |cause: &str| {
            let program = &self.program;
            let ended = match status {
                Some(status) => format!("`{program}` ended ({})", describe_status(status)),
                None => format!("`{program}`: {cause}"),
            };
            match lines.as_str() {
                "" => ended,
                lines => format!("{ended}; its last lines on standard error:{lines}"),
            }
        };
        let error = match failure.error {
            ClientError::Unreachable(cause) => ClientError::Unreachable(explained(&cause)),
            ClientError::Protocol(cause) => ClientError::Protocol(explained(&cause)),
            error => error,
        };
        Failure { error, ..failure }
    }

    /// Waits until the program has ended, since its standard input is closed, and ends it if it
    /// does not.
    pub(super) async fn end(self) {
        let mut child = self.child.into_inner();
        if tokio::time::timeout(END_TIMEOUT, child.wait()).await.is_err() {
            // It may have ended just now.
            let _ = child.kill().await;
        }
    }
}

/// Reads standard error to its end, so that the program never waits for a reader. The secrets of its
/// command line are masked.
async fn collect(
    stderr: ChildStderr,
    secrets: Vec<String>,
    lines: Arc<Mutex<VecDeque<String>>>,
    on_line: Option<OnLine>,
) {
    let mut stderr = BufReader::new(stderr);
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = (&mut stderr).take(LINE_BYTES_MAX).read_until(b'\n', &mut line).await;
        if !read.is_ok_and(|bytes| bytes > 0) {
            return;
        }
        let text = String::from_utf8_lossy(&line);
        let text = without(&secrets, text.trim_end());
        let text = text.as_str();
        if let Some(on_line) = &on_line {
            on_line(text);
        }
        let mut lines = lock_lines(&lines);
        if lines.len() == LINES_MAX {
            lines.pop_front();
        }
        lines.push_back(text.to_owned());
    }
}

/// Returns a line without these secrets, and without those of the URLs in it.
fn without(secrets: &[String], line: &str) -> String {
    let masked = mask_urls(line).into_owned();
    secrets.iter().fold(masked, |line, secret| line.replace(secret.as_str(), MASKED))
}

fn lock_lines(lines: &Mutex<VecDeque<String>>) -> MutexGuard<'_, VecDeque<String>> {
    lines.lock().unwrap_or_else(PoisonError::into_inner)
}

fn describe_status(status: ExitStatus) -> String {
    match status.code() {
        Some(code) => format!("exit code {code}"),
        None => status.to_string(),
    }
}
