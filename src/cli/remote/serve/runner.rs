//! What executes the runs of heartbeats: `[runner]` of the configuration, or `--run`.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use jiff::SignedDuration;

use super::program;
use crate::cli::error::CommandError;
use crate::cli::lint::configuration::config_error;
use crate::cli::remote::own_config::{self, Configured};
use crate::cli::term::ui::Ui;
use dibber_client::{CommandLineError, ServerCommand};
use dibber_server::Server;
use dibber_server::firing::{
    CommandOptions, CommandRunner, Execute, Executor, RUN_ENVIRONMENT, SchedulerOptions,
    WebhookOptions, WebhookRunner,
};
use dibber_skill::config::{ConfigError, RunnerCommand, RunnerEntry, RunnerTarget, SpannedString};
use dibber_text::{Message, file, message, quote_display, quote_path};

/// The longest time of a run, in seconds, if nothing else is configured.
const TIMEOUT: u64 = 600;
/// The most bytes of an output, if nothing else is configured (1 MiB).
const OUTPUT_BYTES: u64 = 1 << 20;
/// The most bytes of the file with the key of the signature (16 KiB).
const SECRET_BYTES_MAX: u64 = 16 << 10;
/// The mode bits of a file that give others than its owner access.
#[cfg(unix)]
const OTHERS: u32 = 0o077;

/// The value of `--run`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RunOption {
    /// Nothing is executed.
    Nothing,
    /// This program.
    Command(ServerCommand),
}

impl FromStr for RunOption {
    type Err = CommandLineError;

    fn from_str(text: &str) -> Result<Self, CommandLineError> {
        match text.trim() {
            "none" => Ok(Self::Nothing),
            text => ServerCommand::parse(text).map(Self::Command),
        }
    }
}

/// What executes runs, and how they are fired.
pub(super) struct ServerRunner {
    pub(super) runner: Option<Arc<dyn Execute>>,
    /// `command` or `webhook`.
    pub(super) kind: Option<&'static str>,
    pub(super) options: SchedulerOptions,
    /// Whether the configuration has limits, and nothing that they are for.
    has_unused_limits: bool,
}

impl ServerRunner {
    /// Returns what may not be meant, or what this system cannot do for the runner, with its help.
    pub(super) fn warning(&self) -> Option<(&'static str, &'static str)> {
        match self.kind {
            None if self.has_unused_limits => Some((
                "`[runner]` has limits, and no `command` or `webhook`: runs wait for an agent",
                "help: add a line such as `command = [\"claude\", \"-p\"]`, or use `--run`",
            )),
            Some("command") if cfg!(windows) => Some((
                "on Windows, what the program of a run has started is not ended with it",
                "help: let the program wait for everything that it starts",
            )),
            Some("webhook") if cfg!(windows) => Some((
                "on Windows, it is not checked whether others can read `secret-file`",
                "help: give only your own account access to it",
            )),
            _ => None,
        }
    }
}

/// Returns what executes the runs of a server with its database in `data`. With `--run`, only the
/// limits of the configuration count.
pub(super) fn of_server(
    server: &Server,
    data: &Path,
    run: Option<&RunOption>,
    ui: &Ui,
) -> Result<ServerRunner, CommandError> {
    let configured = own_config::configured::<RunnerEntry>(data)?;
    let data = std::path::absolute(data)
        .map_err(|error| CommandError::io("cannot resolve the data directory", error))?;
    let limits = Limits::of(configured.as_ref().map(|configured| &configured.entry));
    let options = limits.scheduler.clone();
    let command = |options| -> Arc<dyn Execute> {
        let runner = CommandRunner::new(server.clone(), options);
        Arc::new(runner.with_log_mask(Arc::new(ui.mask())))
    };
    let target = configured.as_ref().and_then(|it| Some((it, it.entry.target.as_ref()?)));
    let (runner, kind) = match (run, target) {
        (Some(RunOption::Nothing), _) | (None, None) => (None, None),
        (Some(RunOption::Command(typed)), _) => {
            (Some(command(limits.of_typed(typed, data)?)), Some("command"))
        }
        (None, Some((configured, RunnerTarget::Command(target)))) => {
            (Some(command(limits.of_command(target, configured, data, ui)?)), Some("command"))
        }
        (None, Some((configured, RunnerTarget::Webhook { url, secret_file }))) => {
            let runner = limits.webhook(server, configured, url, secret_file.as_ref(), ui)?;
            (Some(runner), Some("webhook"))
        }
    };
    let has_unused_limits = run.is_none() && configured.is_some() && kind.is_none();
    Ok(ServerRunner { runner, kind, options, has_unused_limits })
}

/// The limits of runs.
struct Limits {
    timeout: Duration,
    output_bytes: u64,
    scheduler: SchedulerOptions,
}

impl Limits {
    fn of(entry: Option<&RunnerEntry>) -> Self {
        let number = |pick: fn(&RunnerEntry) -> Option<(u64, dibber_text::Span)>| {
            entry.and_then(pick).map(|(number, _)| number)
        };
        let default = SchedulerOptions::default();
        // What is read from a file is within small limits.
        let seconds = |number: u64| SignedDuration::from_secs(i64::try_from(number).unwrap_or(1));
        let lease = number(|entry| entry.lease).map(seconds);
        let kept = number(|entry| entry.keep_days).map(|days| seconds(days * 24 * 60 * 60));
        let concurrency = number(|entry| entry.concurrency);
        let concurrency = concurrency.and_then(|number| usize::try_from(number).ok());
        Self {
            timeout: Duration::from_secs(number(|entry| entry.timeout).unwrap_or(TIMEOUT)),
            output_bytes: number(|entry| entry.output_bytes).unwrap_or(OUTPUT_BYTES),
            scheduler: SchedulerOptions {
                concurrency: concurrency.unwrap_or(default.concurrency),
                lease: lease.unwrap_or(default.lease),
                kept: kept.unwrap_or(default.kept),
            },
        }
    }

    /// Returns the program of `--run`, which is found from the current directory.
    fn of_typed(
        &self,
        typed: &ServerCommand,
        data: PathBuf,
    ) -> Result<CommandOptions, CommandError> {
        let current = std::env::current_dir()
            .map_err(|error| CommandError::io("cannot determine the current directory", error))?;
        let options = CommandOptions {
            program: own_config::program(&typed.program, &current),
            arguments: typed.arguments.clone(),
            directory: data,
            environment: default_environment(),
            timeout: self.timeout,
            output_bytes: self.output_bytes,
            executor: Executor::Server,
        };
        program::check(&options)
            .map_err(|(message, help)| CommandError::new(message).help(help))?;
        Ok(options)
    }

    /// Returns the program of the configuration.
    fn of_command(
        &self,
        target: &RunnerCommand,
        configured: &Configured<RunnerEntry>,
        data: PathBuf,
        ui: &Ui,
    ) -> Result<CommandOptions, CommandError> {
        let RunnerCommand { words, directory, environment, is_home_agent } = target;
        let error = |span, message: Message, help: Message| {
            let error = ConfigError::new(&configured.source, span, message).help(help);
            config_error(&error, ui.privacy())
        };
        let from = configured.directory();
        let working = directory.as_ref().map_or(data, |(path, _)| from.join(path));
        if let Some((_, span)) = directory
            && !working.is_dir()
        {
            let message = message!["the directory ", quote_path(&working), " does not exist"];
            let help = "make it, or name another one: the program runs there";
            return Err(error(*span, message, help.into()));
        }
        let (program, span) = words.first().expect("it has a program");
        let arguments = words.iter().skip(1).map(|(word, _)| word.clone());
        let names =
            |names: &Vec<SpannedString>| names.iter().map(|(name, _)| name.clone()).collect();
        let options = CommandOptions {
            program: own_config::program(program, from),
            arguments: arguments.collect(),
            directory: working,
            environment: environment.as_ref().map_or_else(default_environment, names),
            timeout: self.timeout,
            output_bytes: self.output_bytes,
            executor: if *is_home_agent { Executor::HomeAgent } else { Executor::Server },
        };
        program::check(&options).map_err(|(message, help)| error(*span, message, help))?;
        Ok(options)
    }

    /// Returns the webhook of the configuration.
    fn webhook(
        &self,
        server: &Server,
        configured: &Configured<RunnerEntry>,
        (url, span): &SpannedString,
        secret_file: Option<&SpannedString>,
        ui: &Ui,
    ) -> Result<Arc<dyn Execute>, CommandError> {
        let secret = secret_file.map(|(path, span)| {
            let path = configured.directory().join(path);
            read_secret(&path).map_err(|(message, help)| {
                let error = ConfigError::new(&configured.source, *span, message).help(help);
                config_error(&error, ui.privacy())
            })
        });
        let options = WebhookOptions {
            url: url.clone(),
            secret: secret.transpose()?,
            timeout: self.timeout,
            output_bytes: self.output_bytes,
        };
        let runner = WebhookRunner::new(server.clone(), options).map_err(|error| {
            let message = message!["`webhook` cannot be used: ", quote_display(error)];
            let mut error = ConfigError::new(&configured.source, *span, message).help(
                "write a URL such as `https://example.org/runs`; `http` is for this computer",
            );
            // The URL may be a secret.
            error.line = None;
            config_error(&error, ui.privacy())
        })?;
        Ok(Arc::new(runner))
    }
}

fn default_environment() -> Vec<String> {
    RUN_ENVIRONMENT.iter().map(|&name| name.to_owned()).collect()
}

/// Reads the key of the signature; an error has its help.
fn read_secret(path: &Path) -> Result<Vec<u8>, (Message, Message)> {
    let shown = || quote_path(path);
    let cannot_read = |error: &dyn std::fmt::Display| {
        let help = "name a file with the key that the receiver knows, too";
        (message!["cannot read ", shown(), ": ", quote_display(error)], help.into())
    };
    let opened = file::open_regular(path).map_err(|error| cannot_read(&error))?;
    // The file is open: it cannot be replaced between this check and the reading.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = opened.metadata().map_err(|error| cannot_read(&error))?.permissions().mode();
        if mode & OTHERS != 0 {
            let message =
                message![shown(), " can be read or changed by other users of this computer"];
            return Err((message, message!["run `chmod 600 ", shown(), "`"]));
        }
    }
    let mut secret = Vec::new();
    opened.take(SECRET_BYTES_MAX).read_to_end(&mut secret).map_err(|error| cannot_read(&error))?;
    let secret = secret.trim_ascii().to_vec();
    if secret.is_empty() {
        let help = "write the key into it, such as 32 random bytes in base64";
        return Err((message![shown(), " is empty"], help.into()));
    }
    Ok(secret)
}
