//! Executing runs with a program: without a shell, and with a bounded environment, time and output.

use std::fs;
use std::io::{self, ErrorKind};
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::process::Command;

use super::command_error::CommandError;
use super::execute::Execute;
use super::job::{Job, Outcome};
use super::output;
use super::run_files::{self, RunFiles};
use crate::firing::start::Executor;
use crate::program_log::ProgramLog;
use crate::roster;
use crate::running_program::RunningProgram;
use crate::server::Server;
use crate::store::StoreExt;
use dibber_skill::names::Roster;
use dibber_skill::privacy::Privacy;
use dibber_text::Mask;

/// The variable with the path of the run as JSON.
const RUN_VARIABLE: &str = "DIBBER_RUN";
/// The variable with the path at which the program may write its result.
const RESULT_VARIABLE: &str = "DIBBER_RESULT";

/// How long the output of a program is still read after its end.
const READ_TIME_AFTER_END: Duration = Duration::from_secs(2);

/// The variables of the server that a program gets if they are set and nothing else is configured:
/// what programs need in order to start and to find their own configuration, and no secret.
pub const RUN_ENVIRONMENT: &[&str] = if cfg!(windows) {
    &[
        "APPDATA",
        "COMSPEC",
        "LOCALAPPDATA",
        "PATH",
        "PATHEXT",
        "SYSTEMDRIVE",
        "SYSTEMROOT",
        "TEMP",
        "TMP",
        "USERNAME",
        "USERPROFILE",
    ]
} else {
    &["HOME", "LANG", "LC_ALL", "LOGNAME", "PATH", "SHELL", "TMPDIR", "TZ", "USER"]
};

/// Receives the id of a run, and each line that its program writes to standard error: masked,
/// shortened and escaped.
pub type OnRunLine = Arc<dyn Fn(&str, &str) + Send + Sync>;

/// A program that executes runs, and its limits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandOptions {
    /// The program.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// The directory in which it runs.
    pub directory: PathBuf,
    /// The variables of the server that it gets.
    pub environment: Vec<String>,
    /// The longest time of a run.
    pub timeout: Duration,
    /// The most bytes of its standard output, and of its result file.
    pub output_bytes: u64,
    /// In whose place it executes runs.
    pub executor: Executor,
}

/// Executes runs with a program, which reads the prompt on standard input.
pub struct CommandRunner {
    server: Server,
    options: CommandOptions,
    on_line: OnRunLine,
    log_mask: Arc<dyn Mask + Send + Sync>,
}

impl CommandRunner {
    /// Creates the runner of a server's runs. What the program writes to standard error goes to the
    /// log. Removes the files of runs that earlier servers of this user have left because they were
    /// killed.
    pub fn new(server: Server, options: CommandOptions) -> Self {
        run_files::remove_abandoned();
        let on_line: OnRunLine = Arc::new(|run, line| {
            tracing::info!(run, %line, "the program of a run wrote to standard error");
        });
        Self { server, options, on_line, log_mask: Arc::new(()) }
    }

    /// Changes what receives the lines that the program writes to standard error.
    #[must_use]
    pub fn with_on_line(self, on_line: OnRunLine) -> Self {
        Self { on_line, ..self }
    }

    /// Masks this too in the lines that the program writes to standard error: what the owner of the
    /// server hides in all output.
    #[must_use]
    pub fn with_log_mask(self, log_mask: Arc<dyn Mask + Send + Sync>) -> Self {
        Self { log_mask, ..self }
    }

    async fn execute_job(&self, job: &Job) -> Outcome {
        let mut log = ProgramLog::default();
        let timeout = self.options.timeout;
        let ended = tokio::time::timeout(timeout, self.run(job, &mut log)).await;
        let last_lines = self.report(job, &log).await;
        match ended.unwrap_or(Err(CommandError::TooLate(timeout))) {
            Ok(outcome) => outcome,
            Err(error) => error.into_outcome(&last_lines),
        }
    }

    /// Reports the first lines of a log, and returns the last ones.
    async fn report(&self, job: &Job, log: &ProgramLog) -> String {
        let family = job.family.clone();
        let loaded = self.server.store.read(move |store| roster::load(store, &family)).await;
        let roster: Roster = match loaded {
            Ok(roster) => roster,
            Err(cause) => {
                // Without the names, nothing can be masked.
                let run = job.run_id.as_str();
                tracing::error!(%cause, run, "the log of a run is not shown");
                return String::new();
            }
        };
        let privacy = Privacy { roster: &roster };
        let masks: [&dyn Mask; 2] = [&privacy, &*self.log_mask];
        log.lines(&masks).iter().for_each(|line| (self.on_line)(job.run_id.as_str(), line));
        log.last_lines(&masks)
    }

    async fn run(&self, job: &Job, log: &mut ProgramLog) -> Result<Outcome, CommandError> {
        let files = RunFiles::create(job).map_err(|error| CommandError::Files(error.kind()))?;
        let is_directory = fs::metadata(&self.options.directory).map(|found| found.is_dir());
        match is_directory {
            Ok(true) => {}
            Ok(false) => return Err(CommandError::NoDirectory(ErrorKind::NotADirectory)),
            Err(error) => return Err(CommandError::NoDirectory(error.kind())),
        }
        let mut running = RunningProgram::start(self.command(&files))
            .map_err(|error| CommandError::NotStarted(error.kind()))?;
        let child = &mut running.child;
        let (Some(stdin), Some(stdout), Some(stderr)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            unreachable!("the streams are pipes")
        };
        let mut output = Vec::new();
        let streams = async {
            tokio::try_join!(
                write_prompt(stdin, job.prompt.as_bytes()),
                self.read_output(stdout, &mut output),
                async {
                    log.read(stderr).await;
                    Ok(())
                },
            )
        };
        let status = wait_and_read(&mut running, streams).await?;
        if !status.success() {
            return Err(CommandError::Failed(status.code()));
        }
        let result = match files.read_result(self.options.output_bytes)? {
            Some(bytes) => output::of_file(&bytes),
            None => output::of_output(&output).map_err(|error| error.to_string()),
        };
        result.map(Outcome::Completed).map_err(CommandError::Invalid)
    }

    fn command(&self, files: &RunFiles) -> Command {
        let names = self.options.environment.iter();
        let variables = names.filter_map(|name| Some((name, std::env::var_os(name)?)));
        let mut command = Command::new(&self.options.program);
        command
            .args(&self.options.arguments)
            .current_dir(&self.options.directory)
            .env_clear()
            .envs(variables)
            .env(RUN_VARIABLE, files.run())
            .env(RESULT_VARIABLE, files.result())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    async fn read_output(
        &self,
        stdout: impl AsyncRead + Unpin,
        output: &mut Vec<u8>,
    ) -> Result<(), CommandError> {
        let max = self.options.output_bytes;
        let mut stdout = stdout.take(max.saturating_add(1));
        let read = stdout.read_to_end(output).await;
        match read.map_err(|error| CommandError::Streams(error.kind()))? as u64 {
            bytes if bytes <= max => Ok(()),
            _ => Err(CommandError::TooLong(max)),
        }
    }
}

impl Execute for CommandRunner {
    fn execute(&self, job: Job) -> Pin<Box<dyn Future<Output = Outcome> + Send + '_>> {
        Box::pin(async move { self.execute_job(&job).await })
    }

    fn executor(&self) -> Executor {
        self.options.executor
    }
}

/// Waits until a program has ended and its streams are read. What it has left running is killed at its
/// end; a process that cannot be recognised may hold a pipe open, and is not waited for.
async fn wait_and_read<T>(
    running: &mut RunningProgram,
    streams: impl Future<Output = Result<T, CommandError>>,
) -> Result<ExitStatus, CommandError> {
    let mut streams = pin!(streams);
    let failed = |error: io::Error| CommandError::Streams(error.kind());
    tokio::select! {
        read = &mut streams => {
            read?;
            running.wait().await.map_err(failed)
        }
        status = running.wait() => {
            let status = status.map_err(failed)?;
            if let Ok(read) = tokio::time::timeout(READ_TIME_AFTER_END, streams).await {
                read?;
            }
            Ok(status)
        }
    }
}

/// Writes the prompt. A program may end without reading all of it.
async fn write_prompt(
    mut stdin: impl AsyncWrite + Unpin,
    prompt: &[u8],
) -> Result<(), CommandError> {
    let _ = stdin.write_all(prompt).await;
    let _ = stdin.shutdown().await;
    Ok(())
}
