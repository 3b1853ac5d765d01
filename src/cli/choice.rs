//! Which server a command speaks with, and why.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Arg, ArgMatches, Command as ClapCommand, value_parser};
use etcetera::BaseStrategy;

use super::CommandError;
use crate::client::{TIMEOUT_DEFAULT, Token};

/// The word for the embedded server.
const LOCAL: &str = "local";
/// The folder of the embedded server's database, below the user's state directory.
const FOLDER_IN_STATE: &str = "dibber";

/// A server, and who said so.
#[derive(Clone, Debug)]
pub(super) struct Choice {
    pub(super) place: Place,
    pub(super) source: Origin,
    /// How long one request may take.
    pub(super) timeout: Duration,
}

/// Where a server is.
#[derive(Clone, Debug)]
pub(super) enum Place {
    /// In this process, with its database in that folder.
    Local { data: PathBuf },
    /// An MCP endpoint.
    Url { url: String, token: Option<Token> },
}

/// Who chose a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// `--server`.
    Argument,
    /// `DIBBER_SERVER`.
    Environment,
    /// Nobody.
    Default,
}

impl Choice {
    /// The server's name in `dibber.lock`, in the journal and in sentences: `local`, or its URL.
    pub(super) fn name(&self) -> &str {
        match &self.place {
            Place::Local { .. } => LOCAL,
            Place::Url { url, .. } => url,
        }
    }
}

pub(super) fn define(command: ClapCommand) -> ClapCommand {
    command
        .arg(
            Arg::new("server")
                .long("server")
                .value_name("URL|local")
                .help("The server: an MCP endpoint, or `local` for the one in this program")
                .help_heading("Server"),
        )
        .arg(
            Arg::new("data")
                .long("data")
                .value_name("DIR")
                .help("Where the server in this program keeps its database")
                .value_parser(value_parser!(PathBuf))
                .help_heading("Server"),
        )
        .arg(
            Arg::new("token-file")
                .long("token-file")
                .value_name("FILE")
                .help("The file that holds the token for the server; otherwise DIBBER_TOKEN")
                .value_parser(value_parser!(PathBuf))
                .help_heading("Server"),
        )
        .arg(
            Arg::new("timeout")
                .long("timeout")
                .value_name("SECONDS")
                .help("How long one request may take [default: 30]")
                .value_parser(value_parser!(u64).range(1..=3600))
                .help_heading("Server"),
        )
}

pub(super) fn choose(matches: &ArgMatches) -> Result<Choice, CommandError> {
    let from_environment = || environment("DIBBER_SERVER");
    let (named, source) = match matches.get_one::<String>("server") {
        Some(server) => (server.clone(), Origin::Argument),
        None => match from_environment() {
            Some(server) => (server, Origin::Environment),
            None => (LOCAL.to_owned(), Origin::Default),
        },
    };
    let place = if named == LOCAL {
        Place::Local { data: data(matches)? }
    } else {
        Place::Url { url: named, token: token(matches)? }
    };
    let seconds = matches.get_one::<u64>("timeout").copied();
    let timeout = seconds.map_or(TIMEOUT_DEFAULT, Duration::from_secs);
    Ok(Choice { place, source, timeout })
}

fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The folder of the embedded server's database.
pub(super) fn data(matches: &ArgMatches) -> Result<PathBuf, CommandError> {
    if let Some(data) = matches.get_one::<PathBuf>("data") {
        return Ok(data.clone());
    }
    if let Some(data) = environment("DIBBER_DATA") {
        return Ok(PathBuf::from(data));
    }
    let strategy = etcetera::choose_base_strategy().map_err(|_| {
        CommandError::new("nobody knows where your state folder is")
            .hint("say where the database is to be, with `--data DIR`")
    })?;
    let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Ok(state.join(FOLDER_IN_STATE))
}

fn token(matches: &ArgMatches) -> Result<Option<Token>, CommandError> {
    match matches.get_one::<PathBuf>("token-file") {
        None => Ok(environment("DIBBER_TOKEN").map(|token| Token::new(&token))),
        Some(path) => {
            let text = std::fs::read_to_string(path).map_err(|error| {
                CommandError::io(format_args!("cannot read {}", path.display()), error)
            })?;
            Ok(Some(Token::new(&text)))
        }
    }
}
