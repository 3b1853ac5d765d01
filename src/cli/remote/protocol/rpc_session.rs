//! A client of the chosen server of the Skills Protocol, for a command that is not asynchronous
//! itself.

use std::future::Future;
use std::time::Duration;

use clap::{ArgMatches, Command as ClapCommand};
use jiff::Timestamp;
use tokio::runtime::{Builder, Runtime};

use crate::cli::error::CommandError;
use crate::cli::remote::call_errors::call_error;
use crate::cli::remote::server_options::{self, VERBOSE};
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::skills_protocol::{RpcServer, SkillsProtocolClient};
use dibber_client::{ClientError, Options, ServerTarget};
use dibber_skill::contract::skills_protocol::RUN_SECONDS_MAX;
use dibber_text::message;

/// The option with the time.
const TIMEOUT: &str = "timeout";

/// How long a run is waited for if no time is typed: the longest time that a server of dibber
/// permits, and some for the queue (330 s).
const RUN_WAIT_DEFAULT: Duration = Duration::from_secs(RUN_SECONDS_MAX + 30);
/// How much longer than the time of a run its answer is waited for.
const RUN_WAIT_EXTRA: Duration = Duration::from_secs(30);

/// How many bytes of a blob are sent in a second at the least: 1 Mbit/s.
const STORED_BYTES_PER_SECOND: usize = 128 << 10;
/// The most time for that: the one that a server of dibber gives (10 min).
const STORE_TIME_MAX: Duration = Duration::from_mins(10);

/// A client and its runtime.
pub(super) struct RpcSession {
    pub(super) client: SkillsProtocolClient,
    runtime: Runtime,
    has_token: bool,
}

/// What a command does at its server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// It reads; nothing is changed.
    Read,
    /// It runs a skill or code.
    Run,
    /// It stores a blob.
    Store,
}

impl Purpose {
    /// Returns what to do about an answer that was lost.
    const fn help(self) -> &'static str {
        match self {
            Self::Read => "nothing was changed; run the same command again",
            Self::Run => "it may have run: check what it has done before you run it again",
            Self::Store => {
                "the blob may have been stored; if you run the same command again, it may be stored \
                 twice, and each expires by itself"
            }
        }
    }

    /// Returns what is printed when Ctrl-C ends the command before its answer.
    const fn interrupted(self) -> Option<&'static str> {
        match self {
            Self::Read => None,
            Self::Run => Some(
                "error: interrupted before the server answered\n\
                 help: it may have run: check what it has done before you run it again",
            ),
            Self::Store => Some(
                "error: interrupted before the server answered\n\
                 help: the blob may have been stored; it expires by itself",
            ),
        }
    }
}

/// Adds the options that select the server.
pub(super) fn define(command: ClapCommand) -> ClapCommand {
    server_options::define(command)
        .mut_arg("server", |argument| {
            argument.help("The server: a URL, or a configured name").long_help(
                "The server: the URL of its endpoint, such as `http://127.0.0.1:7340/rpc`; or the \
                 name of a server with a URL, as `dibber servers` lists them. A URL without a path \
                 gets `/rpc`, and beside an MCP endpoint `/mcp` it is `/rpc` that is used. Otherwise \
                 DIBBER_SERVER, and then the server of `dibber.toml`",
            )
        })
        .mut_arg("data", |argument| argument.hide(true))
        .mut_arg(VERBOSE, |argument| argument.hide(true))
}

/// Adds the same options, of which the time is that of a run.
pub(super) fn define_run(command: ClapCommand) -> ClapCommand {
    define(command).mut_arg(TIMEOUT, |argument| {
        argument.help("The longest time of the run, in seconds [default: the server's]").long_help(
            "The longest time of the run, in seconds; a server may have a limit of its own, such \
                 as 300. Its answer is waited for 30 seconds longer, or 330 seconds if no time is \
                 given [default: the server's]",
        )
    })
}

impl RpcSession {
    /// Gets ready; nothing is sent before the first call.
    pub(super) fn open(matches: &ArgMatches, purpose: Purpose) -> Result<Self, CommandError> {
        Self::open_for(matches, purpose, 0)
    }

    /// Gets ready to store so many bytes, for which there is more time if none is typed.
    pub(super) fn open_to_store(matches: &ArgMatches, bytes: usize) -> Result<Self, CommandError> {
        Self::open_for(matches, Purpose::Store, bytes)
    }

    fn open_for(
        matches: &ArgMatches,
        purpose: Purpose,
        bytes: usize,
    ) -> Result<Self, CommandError> {
        let selected = server_options::select(matches)?;
        let timeout = match (purpose, typed_time(matches)) {
            (Purpose::Run, Some(time)) => time + RUN_WAIT_EXTRA,
            (Purpose::Run, None) => RUN_WAIT_DEFAULT,
            (Purpose::Store, None) => {
                let seconds = (bytes / STORED_BYTES_PER_SECOND) as u64;
                selected.timeout + Duration::from_secs(seconds).min(STORE_TIME_MAX)
            }
            (Purpose::Read | Purpose::Store, _) => selected.timeout,
        };
        let server = match selected.selection.target {
            ServerTarget::Url { url, credential, headers, authority } => {
                let token = credential.map(|credential| credential.token);
                RpcServer { url, token, headers, authority }
            }
            ServerTarget::Local { .. } | ServerTarget::Program { .. } => return Err(no_url()),
        };
        let has_token = server.token.is_some();
        let options = Options { timeout, ..Options::new(Timestamp::now) };
        let client =
            SkillsProtocolClient::new(server, options).map_err(|error| call_error(&error))?;
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| CommandError::io("cannot start", error))?;
        Ok(Self { client, runtime, has_token })
    }

    /// Waits for a call.
    pub(super) fn wait<T>(
        &self,
        purpose: Purpose,
        call: impl Future<Output = Result<T, ClientError>>,
    ) -> Result<T, CommandError> {
        let interrupt = Interrupt::watch()?;
        interrupt.set_last_message(move || purpose.interrupted().map(Into::into));
        let done = self.runtime.block_on(call);
        interrupt.set_last_message(|| None);
        done.map_err(|error| self.command_error(purpose, &error))
    }

    /// Returns the URL of the server, as it may be shown.
    pub(super) fn shown_server(&self, ui: &Ui) -> String {
        ui.masked(&self.client.url().without_query()).into_owned()
    }

    /// Warns of what the server ignored, and of what is masked in its answer.
    pub(super) fn warn(&self, warnings: &[String], ui: &mut Ui) {
        for warning in warnings {
            ui.warning(message!["the server warns: ", dibber_text::quote_in_full(warning)]);
        }
        if self.client.has_masked() {
            ui.warning("the server sent back the token, or another secret; it is masked");
        }
    }

    /// Returns the error of a call for its user.
    pub(super) fn command_error(&self, purpose: Purpose, error: &ClientError) -> CommandError {
        let shown = call_error(error);
        match error {
            ClientError::Unauthorized if !self.has_token => {
                shown.with_message("the server requires a token, and none is set")
            }
            ClientError::OutcomeUnknown(_) => shown.help(purpose.help()),
            ClientError::Unreachable(_) => shown.help(
                "check that the server runs, and the address that `--server` names; nothing was run \
                 or changed",
            ),
            ClientError::Protocol(_) => shown.help(
                "`--server` names the endpoint of the Skills Protocol, such as \
                 `http://127.0.0.1:7340/rpc`, and not one of MCP",
            ),
            _ => shown,
        }
    }
}

/// Returns the longest time of a run, if one was typed.
pub(super) fn run_milliseconds(matches: &ArgMatches) -> Option<u64> {
    typed_time(matches).and_then(|time| u64::try_from(time.as_millis()).ok())
}

fn typed_time(matches: &ArgMatches) -> Option<Duration> {
    matches.get_one::<u64>(TIMEOUT).copied().map(Duration::from_secs)
}

fn no_url() -> CommandError {
    CommandError::new("the Skills Protocol needs a server with a URL").help(
        "start one with `dibber serve --skills DIR`, and name it with `--server 127.0.0.1:7340`",
    )
}
