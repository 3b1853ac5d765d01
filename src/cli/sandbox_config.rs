//! `[sandbox]` of the configuration: how the code of skills is run on this machine.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::error::CommandError;
use super::interpreter_cache;
use super::remote::own_config::{self, Configured};
use dibber_sandbox::{
    ContainerCommand, Interpreter, Job, Launcher, Limits, Mode, Outcome, Sandbox, SandboxError,
    SandboxSetup, Unavailable,
};
use dibber_skill::config::{
    ContainerEntry, ContainerRuntime, SandboxEntry, SandboxMode, SpannedNumber, SpannedString,
};

/// The interpreter if none is configured: the first one in PATH.
const PYTHON: &str = "python3";

/// How the code of skills is run.
#[derive(Clone, Debug)]
pub(super) struct SandboxConfig {
    /// The modes in which code is run, in the order in which they are tried: the strictest one alone,
    /// unless the user names others.
    pub(super) accepted: Vec<Mode>,
    /// What a run may use, if its call says nothing else.
    pub(super) limits: Limits,
    /// Whether there is a `[sandbox]`.
    pub(super) is_configured: bool,
    python: PathBuf,
    container: Option<ContainerCommand>,
}

impl SandboxConfig {
    /// Returns what is configured for the server with its database in `data`, and for commands of the
    /// same user.
    pub(super) fn read(data: &Path) -> Result<Self, CommandError> {
        let configured = own_config::configured::<SandboxEntry>(data)?;
        Ok(configured.map_or_else(Self::default, |configured| Self::of(&configured)))
    }

    fn of(Configured { entry, path, .. }: &Configured<SandboxEntry>) -> Self {
        let directory = path.parent().unwrap_or(Path::new("/"));
        let default = Self::default();
        let modes: Vec<_> = entry.modes.iter().map(|(mode, _)| mode_of(*mode)).collect();
        let python = entry.python.as_ref();
        Self {
            accepted: if modes.is_empty() { default.accepted } else { modes },
            limits: limits(entry),
            is_configured: true,
            python: python.map_or(default.python, |(name, _)| own_config::program(name, directory)),
            container: entry.container.as_ref().map(container),
        }
    }

    /// Looks at the interpreter, for which it is started, and returns what a sandbox needs. What is known
    /// of the interpreter is kept for [`SandboxConfig::run_once`]. The error is the reason.
    pub(super) fn setup(&self) -> Result<SandboxSetup, String> {
        let interpreter = interpreter_cache::query_and_store(&self.python);
        self.setup_with(interpreter.map_err(|error| error.to_string())?)
    }

    fn setup_with(&self, interpreter: Interpreter) -> Result<SandboxSetup, String> {
        let scratch = std::path::absolute(std::env::temp_dir());
        Ok(SandboxSetup {
            launcher: Launcher::current()
                .map_err(|error| format!("cannot find the program itself: {error}"))?,
            interpreter,
            scratch: scratch.map_err(|error| format!("no directory for files: {error}"))?,
            container: self.container.clone(),
        })
    }

    /// Returns a sandbox in the first accepted mode that works. The error says why none does.
    pub(super) async fn open(&self) -> Result<Sandbox, String> {
        let python = self.python.clone();
        let interpreter = blocking(move || Interpreter::find(&python)).await?;
        let setup = self.setup_with(interpreter.map_err(|error| error.to_string())?)?;
        Sandbox::new(setup, &self.accepted).await.map_err(|error| error.to_string())
    }

    /// Runs a job in the first accepted mode that works, with as few starts of the interpreter as
    /// possible. The outer error says why no mode works.
    pub(super) async fn run_once(
        &self,
        job: &Job,
    ) -> Result<Result<Outcome, SandboxError>, String> {
        let mut modes = self.accepted.clone();
        let mut tried = Vec::new();
        if let Some(interpreter) = interpreter_cache::find_known(&self.python) {
            let setup = self.setup_with(interpreter)?;
            match Sandbox::run_once(&setup, &modes, job).await {
                Ok(ran) => return Ok(ran),
                Err(unavailable) => tried = unavailable.tried,
            }
            // What is known of the interpreter may be the reason. A container has one of its own.
            tried.retain(|status| status.mode == Mode::Container);
            modes.retain(|mode| *mode != Mode::Container);
        }
        if !modes.is_empty() {
            let config = self.clone();
            let setup = blocking(move || config.setup()).await??;
            match Sandbox::run_once(&setup, &modes, job).await {
                Ok(ran) => return Ok(ran),
                Err(unavailable) => tried.extend(unavailable.tried),
            }
        }
        Err(Unavailable { tried }.to_string())
    }
}

/// Does something that blocks, such as waiting for another program.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, String> {
    tokio::task::spawn_blocking(work).await.map_err(|error| error.to_string())
}

impl Default for SandboxConfig {
    fn default() -> Self {
        Self {
            accepted: vec![Mode::Full],
            limits: Limits::default(),
            is_configured: false,
            python: PYTHON.into(),
            container: None,
        }
    }
}

fn mode_of(mode: SandboxMode) -> Mode {
    match mode {
        SandboxMode::Full => Mode::Full,
        SandboxMode::Landlock => Mode::Landlock,
        SandboxMode::Container => Mode::Container,
    }
}

fn limits(entry: &SandboxEntry) -> Limits {
    let number = |number: Option<SpannedNumber>| number.map(|(number, _)| number);
    let default = Limits::default();
    Limits {
        timeout: number(entry.timeout).map_or(default.timeout, Duration::from_secs),
        memory_bytes: number(entry.memory_bytes).unwrap_or(default.memory_bytes),
        disk_bytes: number(entry.disk_bytes).unwrap_or(default.disk_bytes),
        processes: number(entry.processes).unwrap_or(default.processes),
        ..default
    }
}

fn container(entry: &ContainerEntry) -> ContainerCommand {
    let words =
        |words: &[SpannedString]| words.iter().map(|(word, _)| word.clone()).collect::<Vec<_>>();
    match entry {
        ContainerEntry::Image { runtime, image: (image, _) } => match runtime {
            ContainerRuntime::Docker => ContainerCommand::docker(image),
            ContainerRuntime::Podman => ContainerCommand::podman(image),
            ContainerRuntime::Runsc => ContainerCommand::runsc(image),
        },
        ContainerEntry::Command { run, stop } => {
            ContainerCommand { run: words(run), stop: words(stop) }
        }
    }
}
