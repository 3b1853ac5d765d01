//! Running the program of the safety check: without a shell, and with a bounded environment, time,
//! output and number of processes.

use std::fmt;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::process::{ChildStdin, ChildStdout, Command};
use tokio::time::Instant;

use dibber_text::Mask;

use super::contract::{SafetyOutput, SafetySubject};
use super::turns::Turns;
use crate::program_log::ProgramLog;
use crate::running_program::RunningProgram;
use crate::store::FamilyId;

/// The most bytes of standard output (64 KiB).
const OUTPUT_BYTES_MAX: u64 = 64 << 10;

/// The variables of the server that the program gets, if they are set: what programs need in order
/// to start, and no secret.
const VARIABLES: &[&str] = if cfg!(windows) {
    &["COMSPEC", "PATH", "PATHEXT", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP", "USERPROFILE"]
} else {
    &["HOME", "LANG", "LC_ALL", "PATH", "TMPDIR", "TZ"]
};

/// Receives each line that the program writes to standard error: masked, shortened and escaped.
pub type OnSafetyLine = Arc<dyn Fn(&str) + Send + Sync>;

/// The program that judges what is to be published.
pub struct SafetyCommand {
    program: PathBuf,
    arguments: Vec<String>,
    directory: PathBuf,
    timeout: Duration,
    turns: Turns,
    on_line: OnSafetyLine,
    log_mask: Arc<dyn Mask + Send + Sync>,
}

/// Why there is no verdict. It names neither the program nor what it wrote: a caller reads it.
#[derive(Debug)]
pub(super) enum CheckError {
    NotStarted(std::io::ErrorKind),
    Pipe(std::io::ErrorKind),
    TooLate(Duration),
    NoTurn(Duration),
    TooLong,
    Failed(Option<i32>),
    Invalid { line: usize, column: usize },
}

impl SafetyCommand {
    /// The longest time until the checks of a call have ended, with the wait for their turns. A
    /// client waits longer for an answer. One run takes at most half of it, so that programs which
    /// never end leave time for a call that waits for its turn.
    pub const TIMEOUT: Duration = Duration::from_secs(20);

    /// Creates the check of a program, which runs in `directory`. What it writes to standard error
    /// goes to the log.
    pub fn new(program: PathBuf, arguments: Vec<String>, directory: PathBuf) -> Self {
        let on_line: OnSafetyLine =
            Arc::new(|line| tracing::warn!(%line, "the safety check wrote to standard error"));
        let (timeout, turns, log_mask) = (Self::TIMEOUT, Turns::new(), Arc::new(()));
        Self { program, arguments, directory, timeout, turns, on_line, log_mask }
    }

    /// Changes what receives the lines that the program writes to standard error.
    #[must_use]
    pub fn with_on_line(self, on_line: OnSafetyLine) -> Self {
        Self { on_line, ..self }
    }

    /// Masks this too in the lines that the program writes to standard error: what the owner of the
    /// server hides in all output.
    #[must_use]
    pub fn with_log_mask(self, log_mask: Arc<dyn Mask + Send + Sync>) -> Self {
        Self { log_mask, ..self }
    }

    /// Changes the longest time until the checks of a call have ended.
    #[must_use]
    pub const fn with_timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Lets the program judge a subject for a call of a family, which began then. What `mask` masks
    /// is not logged.
    pub(super) async fn check(
        &self,
        family: &FamilyId,
        subject: &SafetySubject,
        began: Instant,
        mask: &(dyn Mask + Sync),
    ) -> Result<SafetyOutput, CheckError> {
        let deadline = began + self.timeout;
        let turn = tokio::time::timeout_at(deadline, self.turns.wait(family)).await;
        let _turn = turn.map_err(|_| CheckError::NoTurn(self.timeout))?;
        let input = serde_json::to_vec(subject).expect("a subject has string keys");
        let mut log = ProgramLog::default();
        let started = Instant::now();
        let run_deadline = deadline.min(started + self.timeout / 2);
        let ended = tokio::time::timeout_at(run_deadline, self.run(&input, &mut log)).await;
        log.lines(&[mask, &*self.log_mask]).iter().for_each(|line| (self.on_line)(line));
        ended.unwrap_or(Err(CheckError::TooLate(run_deadline - started)))
    }

    fn command(&self) -> Command {
        let variables = VARIABLES.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        let mut command = Command::new(&self.program);
        command
            .args(&self.arguments)
            .current_dir(&self.directory)
            .env_clear()
            .envs(variables)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    async fn run(&self, input: &[u8], log: &mut ProgramLog) -> Result<SafetyOutput, CheckError> {
        let mut running = RunningProgram::start(self.command())
            .map_err(|error| CheckError::NotStarted(error.kind()))?;
        let child = &mut running.child;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("the streams are pipes")
        };
        let read_log = async {
            log.read(stderr).await;
            Ok(())
        };
        let ((), output, ()) =
            tokio::try_join!(write_input(stdin, input), read_output(stdout), read_log)?;
        let status = child.wait().await.map_err(|error| CheckError::Pipe(error.kind()))?;
        if !status.success() {
            return Err(CheckError::Failed(status.code()));
        }
        serde_json::from_slice(&output)
            .map_err(|error| CheckError::Invalid { line: error.line(), column: error.column() })
    }
}

/// Writes the subject. A program may decide without reading all of it.
async fn write_input(mut stdin: ChildStdin, input: &[u8]) -> Result<(), CheckError> {
    let _ = stdin.write_all(input).await;
    let _ = stdin.shutdown().await;
    Ok(())
}

/// Reads the verdict.
async fn read_output(stdout: ChildStdout) -> Result<Vec<u8>, CheckError> {
    let mut output = Vec::new();
    let mut stdout = stdout.take(OUTPUT_BYTES_MAX + 1);
    let read = stdout.read_to_end(&mut output).await;
    match read.map_err(|error| CheckError::Pipe(error.kind()))? as u64 {
        0..=OUTPUT_BYTES_MAX => Ok(output),
        _ => Err(CheckError::TooLong),
    }
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotStarted(std::io::ErrorKind::NotFound) => {
                f.write_str("the program does not exist, or cannot be found in PATH")
            }
            Self::NotStarted(error) => write!(f, "the program cannot be started: {error}"),
            Self::Pipe(error) => write!(f, "cannot read what the program writes: {error}"),
            Self::TooLate(timeout) => {
                write!(f, "the program has not ended after {:.0} seconds", timeout.as_secs_f32())
            }
            Self::NoTurn(timeout) => {
                write!(f, "other checks have not ended after {} seconds", timeout.as_secs_f32())
            }
            Self::TooLong => write!(f, "the program writes more than {OUTPUT_BYTES_MAX} bytes"),
            Self::Failed(Some(code)) => write!(f, "the program ended with exit code {code}"),
            Self::Failed(None) => f.write_str("the program was ended by a signal"),
            Self::Invalid { line, column } => {
                write!(f, "the output is not a valid verdict (line {line}, column {column})")
            }
        }
    }
}
