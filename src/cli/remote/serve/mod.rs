//! `dibber serve`.

mod address;
mod client_config;
mod failure;
mod logs;
mod once;
mod program;
mod runner;
mod signals;
mod skills;
mod tls_files;
pub(super) mod token_file;

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgMatches, Args};
use futures_util::FutureExt;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::oneshot;

use super::family::arguments::public_url;
use super::safety::{self, SafetyLog};
use super::{database_address, server_options, session};
use crate::cli::command::{Command, parse_args};
use crate::cli::default_zone::DefaultZone;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use address::Address;
use client_config::{McpClient, Transport};
use dibber_client::TOKEN_VARIABLE;
use dibber_server::firing::Scheduler;
use dibber_server::http::{Hosts, Limits, Listener, MCP_PATH, RPC_PATH};
use dibber_server::{Issuer, Server};
use dibber_text::{message, quote_in_full, quote_path};
use failure::failed;
use logs::LogFormat;
use runner::{RunOption, ServerRunner};
use signals::Signals;
use skills::{SkillOptions, Skills};
use tls_files::TlsFiles;
use token_file::TokenFile;

pub(super) const COMMAND: Command = Command { name: "serve", define: ServeArgs::augment_args, run };

/// The warning when other machines can connect.
const PUBLIC_ADDRESS: &str =
    "other machines can connect, and the connection is not encrypted: a token can be intercepted";
const PUBLIC_ADDRESS_HELP: &str =
    "help: encrypt it with `--tls-cert` and `--tls-key`, or listen on 127.0.0.1";

/// The warning when the database is on another machine.
const UNENCRYPTED_DATABASE: &str = "the connection to the database is not encrypted: the password \
    and all that is stored can be read on the way";
const UNENCRYPTED_DATABASE_HELP: &str = "help: remove `sslmode=disable` from the URL";

/// Serve the families of this machine to MCP clients
///
/// It serves MCP over HTTP at `/mcp`. Every client needs the token that is created at the first
/// start, in the file `token` in the data directory. With `--stdio` it serves the program that
/// started it, without a token. Ctrl-C or a termination signal stops it: requests in
/// flight are answered first, a second signal does not wait for them.
///
/// It serves 256 connections that have sent a token, up to 2,048 where the system permits as many open
/// files, and 256 others; fewer where it permits few. When there are more, the oldest of the others is
/// closed, or one of the token that has the most: the one that has been idle longest. A
/// connection whose client reads nothing of an answer for 30 seconds is closed, too.
///
/// `[safety] command = ["PROGRAM", "ARG"]` in `dibber.toml` in the data directory, or in your own
/// configuration, names a program that judges what is published: see `dibber schema safety-input`
/// and `safety-output`. It can only make a decision stricter, and if it fails, nothing is written.
///
/// With `--skills DIR`, it also serves the skills in a directory, with the same tokens: as resources of MCP
/// with the extension `io.modelcontextprotocol/skills`, as the published skills are; over the Skills
/// Protocol, JSON-RPC 2.0 over HTTP at `/rpc`, with which agents also run them; and as the index of a site at
/// `/.well-known/agent-skills/index.json`.
///
/// Heartbeats fire while it runs: what is due is executed by the program or the webhook of
/// `[runner]` in `dibber.toml`, in the same places, or by the program of `--run`. Without one, runs wait for an
/// agent that asks for them with the tool `heartbeat_due`.
///
/// The log on standard error has a line for each request. It has no tokens, no arguments and no
/// names. `DIBBER_LOG` sets the level: off, error, warn, info (the default), debug or trace.
#[derive(Args)]
struct ServeArgs {
    /// The address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7340")]
    listen: Address,
    #[command(flatten)]
    tls: TlsFiles,
    /// The URL at which browsers and agents reach the server, as behind a proxy
    ///
    /// Agents get tokens from there (OAuth), once a grown-up has allowed it in a browser. Without it, this is
    /// the address of `--listen`, if that is on this computer or encrypted.
    #[arg(long, value_name = "URL", value_parser = public_url, conflicts_with = "stdio")]
    public_url: Option<Issuer>,
    /// Use standard input and output instead, one message per line
    #[arg(long, conflicts_with = "listen")]
    stdio: bool,
    /// Fire what is due, wait until it has ended, and exit: for a timer
    ///
    /// It prints what was done. The exit code is 0 as soon as everything due was fired, also if runs
    /// have failed: they are tried again when they are due again.
    #[arg(long, conflicts_with_all = ["listen", "stdio", "tls_cert", "tls_key", "print_config"])]
    once: bool,
    /// With `--once`, print what was done as JSON
    #[arg(long, requires = "once")]
    json: bool,
    /// Execute runs with this program, instead of `[runner]`; `none` executes nothing
    ///
    /// The program and its arguments are in one word, with quotes as in a shell, but no shell runs:
    /// `--run 'claude -p'`. It reads the prompt on standard input. The limits of `[runner]` count. With
    /// `--stdio`, only this option executes anything: the client may end the server, and its runs with
    /// it, at any time.
    #[arg(long, value_name = "COMMAND", conflicts_with = "print_config")]
    run: Option<RunOption>,
    #[command(flatten)]
    skills: SkillOptions,
    /// The directory of the database and the token; the default is `DIBBER_DATA`, or your state
    /// directory
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The database: `postgres://USER@HOST/NAME`, or the directory of a SQLite database; the default
    /// is `DIBBER_DATABASE`, or the data directory
    ///
    /// A connection to another computer is encrypted and verified, unless the URL has
    /// `?sslmode=disable`. The password can be in the URL or in `PGPASSWORD`; what is typed can be
    /// seen by other users of this computer, so write it into the environment.
    #[arg(long, value_name = "URL", conflicts_with = "print_config")]
    database: Option<String>,
    /// The format of the log: human or json
    #[arg(long, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    log: LogFormat,
    /// Print the configuration that an MCP client needs for this server, and start nothing
    ///
    /// It is the configuration for HTTP, or with `--stdio` the one that lets the client start the
    /// server. It never contains a token.
    #[arg(long, value_name = "CLIENT")]
    print_config: Option<McpClient>,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ServeArgs = parse_args(matches);
    if let Some(client) = arguments.print_config {
        return print_config(client, &arguments, matches, ui);
    }
    logs::start(arguments.log, ui.mask())?;
    let data = server_options::data(matches)?;
    let database = database_address::database(arguments.database.as_deref(), &data)?;
    let server = session::open_server(&database)?;
    if database.is_unencrypted() {
        warn(arguments.log, UNENCRYPTED_DATABASE, UNENCRYPTED_DATABASE_HELP, ui);
    }
    let server = safety::add_safety_check(server, &data, SafetyLog::Server, ui)?;
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::io("cannot start", error))?;
    let only_typed = arguments.stdio && arguments.run.is_none();
    let run = if only_typed { Some(&RunOption::Nothing) } else { arguments.run.as_ref() };
    let runner = runner::of_server(&server, &data, run, ui)?;
    if let Some((warning, help)) = runner.warning() {
        warn(arguments.log, warning, help, ui);
    }
    let skills =
        if arguments.once { None } else { skills::add(&server, &data, &arguments.skills, ui)? };
    let server = skills.as_ref().map_or(server, |skills| skills.server.clone());
    let tasks = Tasks { runner, skills };
    let ended = if arguments.once {
        once::run(&server, &runtime, tasks.runner, arguments.json, ui)
    } else if arguments.stdio {
        over_stdio(&server, &runtime, tasks)
    } else {
        let token = TokenFile::in_directory(&data);
        over_http(&server, &runtime, tasks, &arguments, &token, ui)
    };
    // A task may still be blocked reading standard input, which cannot be cancelled.
    runtime.shutdown_background();
    server.store().close();
    ended
}

/// Prints the configuration of a client, and where it belongs to on standard error.
fn print_config(
    client: McpClient,
    arguments: &ServeArgs,
    matches: &ArgMatches,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let transport = if arguments.stdio {
        let mut command = vec!["serve".to_owned(), "--stdio".to_owned()];
        if let Some(data) = &arguments.data {
            let data = std::path::absolute(data)
                .map_err(|error| CommandError::io("cannot resolve `--data`", error))?;
            command.extend(["--data".to_owned(), data.to_string_lossy().into_owned()]);
        }
        Transport::Stdio(command)
    } else {
        let address = &arguments.listen;
        if address.port() == 0 {
            return Err(CommandError::new("port 0 takes a different port at each start")
                .help("choose a port, as in `--listen 127.0.0.1:7340`"));
        }
        Transport::Http(url(address, address.port(), MCP_PATH, &arguments.tls))
    };
    let snippet = client_config::snippet(client, &transport)?;
    ui.print(snippet.text.as_bytes())?;
    ui.eprintln(message!["add it to ", snippet.file]);
    if let Transport::Http(_) = transport {
        let token = TokenFile::in_directory(&server_options::data(matches)?);
        let path = quote_path(token.path());
        ui.eprintln(if snippet.needs_token_variable {
            message!["set ", TOKEN_VARIABLE, " to the content of ", path]
        } else {
            message!["it asks for the token once, which is in ", path]
        });
    }
    Ok(Exit::Done)
}

/// What the server does by itself, beside answering.
struct Tasks {
    runner: ServerRunner,
    skills: Option<Skills>,
}

fn over_stdio(server: &Server, runtime: &Runtime, tasks: Tasks) -> Result<Exit, CommandError> {
    let home = server.home(&DefaultZone::of_typed().name);
    let owner = home.and_then(|home| server.owner_of(&home.id)).map_err(failed)?;
    runtime.block_on(async {
        let signals = Signals::watch()?;
        let (stop, stopped) = oneshot::channel::<()>();
        let serve = async {
            let ended = tokio::select! {
                ended = server.serve(owner, tokio::io::stdin(), tokio::io::stdout()) => {
                    ended.map_err(|error| CommandError::io("cannot use standard input", error))
                }
                () = signals.after(1) => Ok(()),
            };
            drop(stop);
            ended
        };
        let working = tasks.run(server, async { drop(stopped.await) });
        let (ended, ()) = tokio::join!(serve, working);
        ended.map(|()| Exit::Done)
    })
}

fn over_http(
    server: &Server,
    runtime: &Runtime,
    tasks: Tasks,
    arguments: &ServeArgs,
    token: &TokenFile,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let address = &arguments.listen;
    let tls = arguments.tls.read()?;
    let socket = runtime.block_on(address.listen())?;
    token.prepare(server)?;
    runtime.block_on(async {
        let signals = Signals::watch()?;
        let local = socket.local_addr();
        let port = local.as_ref().map_or(address.port(), SocketAddr::port);
        let url = |path| url(address, port, path, &arguments.tls);
        let rpc = tasks.skills.is_some().then(|| url(RPC_PATH));
        announce(&url(MCP_PATH), rpc.as_deref(), token, arguments.log, ui);
        if tls.is_none() && local.is_ok_and(|address| !address.ip().is_loopback()) {
            warn(arguments.log, PUBLIC_ADDRESS, PUBLIC_ADDRESS_HELP, ui);
        }
        let listener = Listener { socket, tls };
        let hosts = Hosts::new(address.host());
        let own_url = Issuer::parse(&url(""));
        let issuer = arguments.public_url.clone().or_else(|| own_url.ok());
        let (server, hosts) = match &issuer {
            Some(issuer) => {
                announce_pages(issuer, arguments.log, ui);
                (server.clone().with_authorization(issuer.clone()), hosts.with_public_url(issuer))
            }
            None => (server.clone(), hosts),
        };
        let server = &server;
        let skill_runs = tasks.skills.as_ref().map_or(0, |skills| skills.protocol.concurrency());
        let limits = Limits::of_process(skill_runs);
        let serve = server.listen(listener, hosts, limits, signals.after(1));
        let working = tasks.run(server, signals.after(1));
        tokio::select! {
            ((), ()) = async { tokio::join!(serve, working) } => Ok(Exit::Done),
            () = signals.after(2) => Ok(Exit::Interrupted),
        }
    })
}

impl Tasks {
    /// Fires the heartbeats of the server, and keeps what its skills need, until it stops.
    async fn run(self, server: &Server, stop: impl Future<Output = ()>) {
        let ServerRunner { runner, options, .. } = self.runner;
        let stop = stop.shared();
        let stopped = stop.clone();
        let firing = Scheduler::new(server.clone(), runner, options);
        let maintain = async {
            if let Some(skills) = &self.skills {
                skills.protocol.maintain(stopped).await;
            }
        };
        tokio::join!(firing.run_until(stop), maintain);
    }
}

fn url(address: &Address, port: u16, path: &str, tls: &TlsFiles) -> String {
    let scheme = if tls.is_given() { "https" } else { "http" };
    format!("{scheme}://{}{path}", address.with_port(port))
}

/// Warns that secrets cross a network that others may read.
fn warn(format: LogFormat, warning: &'static str, help: &'static str, ui: &mut Ui) {
    match format {
        LogFormat::Human => {
            ui.warning(warning);
            ui.eprintln(help);
        }
        LogFormat::Json => tracing::warn!("{warning}"),
    }
}

/// Announces the pages, to a person.
fn announce_pages(issuer: &Issuer, format: LogFormat, ui: &mut Ui) {
    match format {
        LogFormat::Human => {
            let command = "`dibber family invite` prints a link to sign in";
            ui.eprintln(message![
                "the pages for grown-ups are at ",
                quote_in_full(issuer.as_str()),
                "; ",
                command
            ]);
        }
        LogFormat::Json => tracing::info!(url = issuer.as_str(), "pages"),
    }
}

/// Announces the addresses, of MCP and of the Skills Protocol: to a person as sentences, to a program
/// as a line of the log.
fn announce(url: &str, rpc: Option<&str>, token: &TokenFile, format: LogFormat, ui: &mut Ui) {
    match format {
        LogFormat::Human => {
            ui.eprintln(message!["listening on ", quote_in_full(url)]);
            if let Some(rpc) = rpc {
                ui.eprintln(message!["skills are served at ", quote_in_full(rpc)]);
            }
            ui.eprintln(message!["the token for clients is in ", quote_path(token.path())]);
        }
        LogFormat::Json => {
            let path = token.path().to_string_lossy();
            let path = ui.shown(&path).in_full().to_string();
            tracing::info!(url, rpc_url = rpc, token_file = path, "listening");
        }
    }
}
