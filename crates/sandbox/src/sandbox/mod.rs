//! Starting launchers, and finding the modes that work on this machine.

use std::io;
use std::path::PathBuf;
use std::time::Instant;

use crate::container::ContainerCommand;
use crate::control::Controller;
use crate::interpreter::Interpreter;
use crate::job::Job;
use crate::mode::{Mode, ModeStatus};
use crate::outcome::{Logs, Outcome, Output, SandboxError, Unavailable};
use crate::specification::{BEGUN_MARK, Refusal, Report, Specification, harness_job, new_run_name};

mod answer;
#[cfg(target_os = "linux")]
mod launch;
#[cfg(not(target_os = "linux"))]
#[path = "unsupported.rs"]
mod launch;
mod launcher;
mod read;

pub use launcher::Launcher;

use answer::PROGRAM_EXITED;

/// What a sandbox needs of the machine.
#[derive(Clone, Debug)]
pub struct SandboxSetup {
    /// The command that starts the launcher.
    pub launcher: Launcher,
    /// The interpreter of the runs.
    pub interpreter: Interpreter,
    /// A directory for the files of runs in modes without a file system of their own.
    pub scratch: PathBuf,
    /// The command of [`Mode::Container`].
    pub container: Option<ContainerCommand>,
}

/// A way to run jobs that was found to work.
#[derive(Clone, Debug)]
pub struct Sandbox {
    setup: SandboxSetup,
    mode: Mode,
    #[cfg(feature = "disable-layers")]
    disabled: Vec<crate::layer::Layer>,
}

impl Sandbox {
    /// Returns a sandbox in the first of the accepted modes that works.
    pub async fn new(setup: SandboxSetup, accepted: &[Mode]) -> Result<Self, Unavailable> {
        let mut tried = Vec::new();
        for mode in accepted {
            let sandbox = Self::unchecked(setup.clone(), *mode);
            let status = sandbox.status().await;
            if status.problem.is_none() {
                return Ok(sandbox);
            }
            tried.push(status);
        }
        Err(Unavailable { tried })
    }

    /// Runs a job in the first of the accepted modes that works, which the job itself shows: that saves
    /// the start of a function to try the mode. Only if none of its code has begun to run, a function is run to
    /// see whether the mode is the reason; then the next mode is tried. So no code runs twice.
    ///
    /// # Errors
    /// If no accepted mode works. The inner error is that of [`Sandbox::run`].
    pub async fn run_once(
        setup: &SandboxSetup,
        accepted: &[Mode],
        job: &Job,
    ) -> Result<Result<Outcome, SandboxError>, Unavailable> {
        let mut tried = Vec::new();
        for mode in accepted {
            let sandbox = Self::unchecked(setup.clone(), *mode);
            let attempt = sandbox.attempt(job, std::future::pending()).await;
            if !attempt.may_be_unusable() {
                return Ok(attempt.ran);
            }
            let status = sandbox.status().await;
            if status.problem.is_none() {
                return Ok(attempt.ran);
            }
            tried.push(status);
        }
        Err(Unavailable { tried })
    }

    /// Runs a function in each mode, and returns why it does not work in some of them.
    pub async fn probe(setup: &SandboxSetup) -> Vec<ModeStatus> {
        let mut found = Vec::new();
        for mode in Mode::ALL {
            found.push(Self::unchecked(setup.clone(), mode).status().await);
        }
        found
    }

    /// Returns how runs are isolated.
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// Runs a job. If the returned future is dropped, the run is cancelled, and ends some time after that.
    pub async fn run(&self, job: &Job) -> Result<Outcome, SandboxError> {
        self.run_until(job, std::future::pending()).await
    }

    /// Runs a job, and cancels it when `cancelled` is ready. This returns only when the run and its launcher
    /// have ended; without namespaces, a launcher that does not end is waited for a minute.
    pub async fn run_until(
        &self,
        job: &Job,
        cancelled: impl Future<Output = ()>,
    ) -> Result<Outcome, SandboxError> {
        self.attempt(job, cancelled).await.ran
    }

    /// Runs a job, and finds out whether it began.
    async fn attempt(&self, job: &Job, cancelled: impl Future<Output = ()>) -> Attempt {
        if let Some(problem) = job.name_problem() {
            return Attempt { ran: Err(SandboxError::InvalidJob(problem)), has_begun: false };
        }
        let start = Instant::now();
        let specification = self.specification(job);
        let exchanged = launch::exchange(&self.setup.launcher, &specification, cancelled).await;
        let mut exchange = match exchanged {
            Ok(exchange) => exchange,
            Err(error) => return Attempt { ran: Err(error), has_begun: false },
        };
        let has_begun = exchange.result.remove_prefix(BEGUN_MARK);
        let (ending, controllers) = match exchange.report {
            Report::Refused(refusal) => {
                return Attempt { ran: Err(refusal_error(refusal, has_begun)), has_begun };
            }
            Report::Ended { ending, controllers } => (ending, controllers),
        };
        let result = answer::result(ending, &exchange.result, &job.limits);
        let logs = Logs {
            text: String::from_utf8_lossy(&exchange.logs.bytes).into_owned(),
            dropped_bytes: exchange.logs.dropped,
        };
        let duration = start.elapsed();
        let outcome = Outcome { mode: self.mode, result, logs, duration, controllers };
        Attempt { ran: Ok(outcome), has_begun }
    }

    /// Returns a sandbox without the given layers, in a mode that was not tried.
    #[cfg(feature = "disable-layers")]
    pub fn weakened(setup: SandboxSetup, mode: Mode, disabled: Vec<crate::layer::Layer>) -> Self {
        Self { setup, mode, disabled }
    }

    fn unchecked(setup: SandboxSetup, mode: Mode) -> Self {
        Self {
            setup,
            mode,
            #[cfg(feature = "disable-layers")]
            disabled: Vec::new(),
        }
    }

    /// Runs a function, and returns whether it works.
    async fn status(&self) -> ModeStatus {
        let (problem, controllers) = match self.run_probe().await {
            Ok(controllers) => (None, controllers),
            Err(problem) => (Some(problem), Vec::new()),
        };
        ModeStatus { mode: self.mode, problem, controllers }
    }

    /// Runs a function, and returns what a control group limited, or why the function does not work.
    async fn run_probe(&self) -> Result<Vec<Controller>, String> {
        if self.mode == Mode::Container && self.setup.container.is_none() {
            return Err("no command for containers is configured".to_owned());
        }
        let outcome = self.run(&Job::code("def main(args): return 42")).await;
        let outcome = outcome.map_err(|error| error.to_string())?;
        match outcome.result {
            Ok(Output::Inline(value)) if value == 42 => Ok(outcome.controllers),
            Ok(_) => Err("a function returned something else".to_owned()),
            Err(error) => {
                let lines = outcome.logs.text.lines().last().unwrap_or_default();
                Err(format!("{}: {} {lines}", error.kind, error.message).trim_end().to_owned())
            }
        }
    }

    fn specification(&self, job: &Job) -> Specification {
        let skills = job.skills.iter().map(|skill| (skill.name.clone(), skill.directory.clone()));
        let blobs = job.blobs.iter().map(|blob| (blob.id.clone(), blob.file.clone()));
        Specification {
            mode: self.mode,
            limits: job.limits.clone(),
            interpreter: self.setup.interpreter.clone(),
            skills: skills.collect(),
            blobs: blobs.collect(),
            job: harness_job(job),
            scratch: self.setup.scratch.clone(),
            run_name: new_run_name(),
            server: std::process::id(),
            container: self.setup.container.clone(),
            #[cfg(feature = "disable-layers")]
            disabled: self.disabled.clone(),
        }
    }
}

/// What became of one attempt to run a job.
struct Attempt {
    ran: Result<Outcome, SandboxError>,
    /// Whether the harness has said that it is about to run the code of the job. If the launcher failed,
    /// this is not known.
    has_begun: bool,
}

impl Attempt {
    /// Returns `true` if the job did not begin, and the reason may be that its mode does not work: it was
    /// refused, or nothing was returned, as by a container runtime that has no image.
    fn may_be_unusable(&self) -> bool {
        let is_suspicious = match &self.ran {
            Err(error) => matches!(error, SandboxError::Refused { .. }),
            Ok(outcome) => {
                matches!(&outcome.result, Err(error) if error.kind == PROGRAM_EXITED)
            }
        };
        is_suspicious && !self.has_begun
    }
}

/// Returns the error of a refusal, which after the begin of the job is a failure of the launcher: some of the
/// code may have run.
fn refusal_error(refusal: Refusal, has_begun: bool) -> SandboxError {
    let error = SandboxError::from(refusal);
    if has_begun { SandboxError::Launcher(io::Error::other(error.to_string())) } else { error }
}

#[cfg(test)]
mod tests {
    use super::refusal_error;
    use crate::outcome::SandboxError;
    use crate::specification::{BEGUN_MARK, HARNESS, Refusal};

    #[test]
    fn the_harness_writes_the_mark() {
        let mark = String::from_utf8_lossy(BEGUN_MARK).escape_debug().to_string();
        assert!(HARNESS.contains(&format!("BEGUN_MARK = b\"{mark}\"")), "{mark}");
    }

    #[test]
    fn a_refusal_after_the_begin_does_not_say_that_nothing_ran() {
        let refusal = || Refusal::new("watch the program", "no more files");
        assert!(matches!(refusal_error(refusal(), false), SandboxError::Refused { .. }));
        let error = refusal_error(refusal(), true);
        assert!(matches!(error, SandboxError::Launcher(_)), "{error}");
        assert!(error.to_string().contains("cannot watch the program: no more files"), "{error}");
    }
}
