//! `dibber serve`.

mod address;
mod failure;
mod logs;
mod signals;
mod token_file;

use std::path::PathBuf;

use clap::{ArgMatches, Args};
use tokio::runtime::{Builder, Runtime};

use super::{server_options, session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use address::Address;
use dibber_server::Server;
use dibber_server::http::{Hosts, Limits, MCP_PATH};
use failure::failed;
use logs::LogFormat;
use signals::Signals;
use token_file::TokenFile;

pub(super) const COMMAND: Command = Command { name: "serve", define: ServeArgs::augment_args, run };

/// Serve the families of this machine to MCP clients
///
/// It serves MCP over HTTP at `/mcp`. Every client needs the token that is created at the first
/// start, in the file `token` in the data directory. With `--stdio` it serves the program that
/// started it, without a token. Ctrl-C or a termination signal stops it: requests in
/// flight are answered first, a second signal does not wait for them.
///
/// It serves 256 connections that have sent a token, and 256 others. When there are more, the
/// oldest of the others is closed, or the one with a token that has been idle longest; an answer
/// of which nothing is read for 30 seconds ends its connection.
///
/// The log on standard error has a line for each request. It holds no tokens, no arguments and no
/// names. `DIBBER_LOG` sets the level: off, error, warn, info (the default), debug or trace.
#[derive(Args)]
struct ServeArgs {
    /// The address and port to listen on; port 0 takes a free one
    #[arg(long, value_name = "HOST:PORT", default_value = "127.0.0.1:7340")]
    listen: Address,
    /// Use standard input and output instead, a message on a line
    #[arg(long, conflicts_with = "listen")]
    stdio: bool,
    /// The directory of the database and the token; the default is `DIBBER_DATA`, or your state
    /// directory
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// The format of the log: human or json
    #[arg(long, value_name = "FORMAT", default_value = "human", hide_possible_values = true)]
    log: LogFormat,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ServeArgs = parse_args(matches);
    logs::start(arguments.log)?;
    let data = server_options::data(matches)?;
    let server = session::open_server(&data)?;
    let runtime = Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| CommandError::io("cannot start", error))?;
    let ended = if arguments.stdio {
        over_stdio(&server, &runtime)
    } else {
        let token = TokenFile::in_directory(&data);
        over_http(&server, &runtime, &arguments, &token, ui)
    };
    // A task may still be blocked reading standard input, which cannot be cancelled.
    runtime.shutdown_background();
    server.store().close();
    ended
}

fn over_stdio(server: &Server, runtime: &Runtime) -> Result<Exit, CommandError> {
    let owner = server.home().and_then(|home| server.owner_of(&home.id)).map_err(failed)?;
    runtime.block_on(async {
        let signals = Signals::watch()?;
        tokio::select! {
            ended = server.serve(owner, tokio::io::stdin(), tokio::io::stdout()) => {
                ended.map_err(|error| CommandError::io("cannot use standard input", error))?;
            }
            () = signals.after(1) => {}
        }
        Ok(Exit::Done)
    })
}

fn over_http(
    server: &Server,
    runtime: &Runtime,
    arguments: &ServeArgs,
    token: &TokenFile,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let address = &arguments.listen;
    let listener = runtime.block_on(address.listen())?;
    token.prepare(server)?;
    runtime.block_on(async {
        let signals = Signals::watch()?;
        let port = listener.local_addr().map_or(address.port(), |address| address.port());
        let url = format!("http://{}{MCP_PATH}", address.with_port(port));
        announce(&url, token, arguments.log, ui);
        let hosts = Hosts::new(address.host());
        tokio::select! {
            () = server.listen(listener, hosts, Limits::default(), signals.after(1)) => {
                Ok(Exit::Done)
            }
            () = signals.after(2) => Ok(Exit::Interrupted),
        }
    })
}

/// Announces the address: to a person as a sentence, to a program as a line of the log.
fn announce(url: &str, token: &TokenFile, format: LogFormat, ui: &mut Ui) {
    let path = token.path().to_string_lossy();
    let path = ui.shown(&path).in_full().to_string();
    match format {
        LogFormat::Human => {
            ui.eprintln(&format!("listening on {url}"));
            ui.eprintln(&format!("the token for clients is in {path}"));
        }
        LogFormat::Json => tracing::info!(url, token_file = path, "listening"),
    }
}
