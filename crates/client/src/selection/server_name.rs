//! The string by which a server is named: `local`, a URL, a program, or a name that is configured.

use std::fmt;

use super::super::address::{Address, AddressError};
use super::super::command_line::{CommandLineError, ServerCommand};
use super::client_files::ClientServerProblem;
use dibber_text::{MASKED, Shown, closest_match};

/// The name of the embedded server.
pub const LOCAL_SERVER: &str = "local";
/// What begins the command line of a program.
pub(super) const PROGRAM: &str = "stdio:";
/// What begins the name of a server in the file of another client.
const OF_CLIENT: char = '@';

/// A server, as it is named.
#[derive(Clone, Debug)]
pub(super) enum ServerName {
    /// The embedded server.
    Local,
    /// An MCP endpoint.
    Url(Address),
    /// A program.
    Program(ServerCommand),
    /// A server of the user's own configuration.
    Configured(String),
    /// A server in the file of another client.
    OfClient(String),
}

/// Why a string does not name a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServerNameError {
    /// The string, cut if it is long, and masked if it may contain a password.
    pub shown: String,
    /// Whether the string may contain a password.
    pub may_contain_password: bool,
    /// Why it does not.
    pub cause: ServerNameCause,
    /// What may have been meant.
    pub suggestion: Option<ServerSuggestion>,
}

/// Why a string does not name a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerNameCause {
    /// It is not a URL of an endpoint.
    Url(AddressError),
    /// It is not the command line of a program.
    Command(CommandLineError),
    /// A server of that name is in the file of another client, and cannot be used.
    Unusable(ClientServerProblem),
    /// No server of that name is configured; these are.
    Unknown(Vec<String>),
    /// Here, only a URL or `local` is possible: a program would run that a file names.
    NotUrl,
}

/// A server that may have been meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ServerSuggestion {
    /// The embedded server.
    Local,
    /// This URL.
    Url(String),
    /// This name.
    Name(String),
}

impl fmt::Display for ServerSuggestion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Local => f.write_str(LOCAL_SERVER),
            Self::Url(url) => f.write_str(url),
            Self::Name(name) => f.write_str(name),
        }
    }
}

impl fmt::Display for ServerNameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid server `{}`: {}", self.shown, self.cause)
    }
}

impl fmt::Display for ServerNameCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Url(error) => error.fmt(f),
            Self::Command(error) => error.fmt(f),
            Self::Unusable(problem) => problem.fmt(f),
            Self::Unknown(_) => f.write_str("no server of that name is configured"),
            Self::NotUrl => f.write_str("expected a URL or `local`"),
        }
    }
}

impl std::error::Error for ServerNameError {}

/// Parses the name of a server.
pub(super) fn parse(name: &str) -> Result<ServerName, ServerNameError> {
    if name == LOCAL_SERVER {
        return Ok(ServerName::Local);
    }
    if let Some(command) = name.strip_prefix(PROGRAM) {
        let command = ServerCommand::parse(command);
        return command
            .map(ServerName::Program)
            .map_err(|cause| error(name, ServerNameCause::Command(cause)));
    }
    if let Some(name) = name.strip_prefix(OF_CLIENT).filter(|name| !name.is_empty()) {
        return Ok(ServerName::OfClient(name.to_owned()));
    }
    if is_name(name) {
        return Ok(ServerName::Configured(name.to_owned()));
    }
    let address = match name.parse::<Address>() {
        // The servers of this computer need no scheme.
        Err(_) if !name.contains("://") => format!("http://{name}")
            .parse()
            .ok()
            .filter(|address: &Address| address.is_loopback() && address.has_port())
            .ok_or_else(|| error(name, ServerNameCause::Url(AddressError::NOT_URL)))?,
        parsed => parsed.map_err(|cause| error(name, ServerNameCause::Url(cause)))?,
    };
    Ok(ServerName::Url(address.with_usual_path()))
}

/// Parses the name of a server that a file contains: none is the embedded one. A file must not
/// name a program, which would run.
pub(super) fn parse_url(name: &str) -> Result<Option<Address>, ServerNameError> {
    match parse(name)? {
        ServerName::Local => Ok(None),
        ServerName::Url(url) => Ok(Some(url)),
        ServerName::Configured(_) => match name.parse::<Address>() {
            Ok(url) => Ok(Some(url)),
            Err(cause) => Err(error(name, ServerNameCause::Url(cause))),
        },
        ServerName::Program(_) | ServerName::OfClient(_) => {
            Err(error(name, ServerNameCause::NotUrl))
        }
    }
}

/// Returns the error of a name that is not configured.
pub(super) fn unknown<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> ServerNameError {
    let known: Vec<&str> = known.into_iter().collect();
    let meant = closest_match(name, known.iter().copied());
    let meant = meant.map(|meant| ServerSuggestion::Name(meant.to_owned()));
    let cause = ServerNameCause::Unknown(known.into_iter().map(str::to_owned).collect());
    let error = error(name, cause);
    ServerNameError { suggestion: error.suggestion.clone().or(meant), ..error }
}

/// Returns the error of a server in the file of another client that cannot be used.
pub(super) fn unusable(name: &str, problem: ClientServerProblem) -> ServerNameError {
    ServerNameError { suggestion: None, ..error(name, ServerNameCause::Unusable(problem)) }
}

/// Returns `true` if a string can be the name of a configured server.
fn is_name(text: &str) -> bool {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !text.is_empty() && text.bytes().all(is_part)
}

fn error(name: &str, cause: ServerNameCause) -> ServerNameError {
    let has_user = name.contains('@') && !name.starts_with(OF_CLIENT);
    let may_contain_password = has_user || name.contains(['?', '=']);
    let is_secret = may_contain_password || matches!(cause, ServerNameCause::Command(_));
    let shown = Shown::to_be_masked(if is_secret { MASKED } else { name }).to_string();
    let suggestion = suggestion(name, &shown);
    ServerNameError { shown, may_contain_password, cause, suggestion }
}

fn suggestion(name: &str, shown: &str) -> Option<ServerSuggestion> {
    if closest_match(name, [LOCAL_SERVER]).is_some() {
        return Some(ServerSuggestion::Local);
    }
    let host = name.split('/').next().unwrap_or_default();
    let is_host = host.contains('.') || host.contains("localhost");
    if name.contains("://") || name.starts_with(PROGRAM) || !is_host {
        return None;
    }
    let scheme = if host.starts_with("localhost") { "http" } else { "https" };
    Some(ServerSuggestion::Url(format!("{scheme}://{shown}")))
}
