//! Which server a command speaks with, and why.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::{Arg, ArgMatches, Command as ClapCommand, value_parser};
use etcetera::BaseStrategy;

use super::credential::{self, Credential};
use crate::cli::error::CommandError;
use crate::cli::lint::configuration;
use dibber_client::{Address, TIMEOUT_DEFAULT};
use dibber_skill::config::{CONFIG_FILE_NAME, Config, ConfigError};
use dibber_text::{Span, closest_match, ellipsize, escape_line};

/// The word for the embedded server.
const LOCAL: &str = "local";
/// The folder of the embedded server's database, below the user's state directory, and of the
/// user's configuration.
const OWN_FOLDER: &str = "dibber";

/// A server, and who said so.
#[derive(Clone, Debug)]
pub(super) struct ServerSelection {
    pub(super) target: ServerTarget,
    pub(super) source: Source,
    /// The folder of everything that is kept between two runs.
    pub(super) state: PathBuf,
    /// How long to wait for one answer, in all attempts together.
    pub(super) timeout: Duration,
    /// The options that were typed for it, for a command that is suggested: ` --server URL`.
    pub(super) typed_options: String,
}

/// Where a server is.
#[derive(Clone, Debug)]
pub(super) enum ServerTarget {
    /// In this process, with its database in that folder.
    Local { data: PathBuf },
    /// An MCP endpoint.
    Url { url: Address, credential: Option<Credential> },
}

/// Who chose a server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Source {
    /// `--server`.
    Argument,
    /// `DIBBER_SERVER`.
    Environment,
    /// The `dibber.toml` of the project.
    Project(PathBuf),
    /// The `dibber.toml` in the user's configuration folder.
    User(PathBuf),
    /// Nobody.
    Default,
}

impl ServerSelection {
    /// The server's name in `dibber.lock`, in the journal and in sentences: `local`, or its URL.
    pub(super) fn name(&self) -> &str {
        match &self.target {
            ServerTarget::Local { .. } => LOCAL,
            ServerTarget::Url { url, .. } => url.as_str(),
        }
    }
}

impl Source {
    /// Who it is, for people.
    pub(super) fn shown(&self) -> String {
        let file = |path: &Path| escape_line(&path.to_string_lossy()).into_owned();
        match self {
            Self::Argument => "--server".to_owned(),
            Self::Environment => "DIBBER_SERVER".to_owned(),
            Self::Project(path) => format!("{}, of this project", file(path)),
            Self::User(path) => format!("{}, yours", file(path)),
            Self::Default => "nothing else is said".to_owned(),
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
                .long_help(
                    "The server: an MCP endpoint, or `local` for the one in this program. Otherwise \
                     DIBBER_SERVER; otherwise `url` in `[server]` of the project's `dibber.toml`; \
                     otherwise of `dibber/dibber.toml` in your configuration folder; otherwise \
                     `local`",
                )
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
                .long_help(
                    "The file that holds the token for the server. Otherwise DIBBER_TOKEN; \
                     otherwise `token-file` in the same `[server]` as `url`. A server that only a \
                     project's `dibber.toml` names gets no token, unless it is on this computer or \
                     you name it too: with `--server`, or in `[server]` of your own \
                     `dibber/dibber.toml` as `url` or in `trusted = [\"https://example.org\"]`",
                )
                .value_parser(value_parser!(PathBuf))
                .help_heading("Server"),
        )
        .arg(
            Arg::new("timeout")
                .long("timeout")
                .value_name("SECONDS")
                .help("How long to wait for an answer, in seconds [default: 30]")
                .long_help(
                    "How long to wait for an answer, in seconds: connecting, the call, its retries \
                     and the waits between them together. A command that asks for several answers \
                     waits so long for each [default: 30]",
                )
                .value_parser(value_parser!(u64).range(1..=3600))
                .help_heading("Server"),
        )
}

/// Finds out which server is meant.
pub(super) fn choose(matches: &ArgMatches) -> Result<ServerSelection, CommandError> {
    let state = data(matches)?;
    let (target, source) = match typed(matches) {
        Some((server, source)) => (typed_target(&server, &source, matches, &state)?, source),
        None => match configured()? {
            Some((config, source)) => {
                (configured_target(&config, &source, matches, &state)?, source)
            }
            None => (ServerTarget::Local { data: state.clone() }, Source::Default),
        },
    };
    let seconds = matches.get_one::<u64>("timeout").copied();
    let timeout = seconds.map_or(TIMEOUT_DEFAULT, Duration::from_secs);
    Ok(ServerSelection { target, source, state, timeout, typed_options: typed_options(matches) })
}

/// The options that a command has to have, too, in order to mean the same server.
fn typed_options(matches: &ArgMatches) -> String {
    let mut options = String::new();
    if let Some(server) = matches.get_one::<String>("server") {
        options += &format!(" --server {}", escape_line(server));
    }
    for name in ["token-file", "data"] {
        if let Some(path) = matches.get_one::<PathBuf>(name) {
            options += &format!(" --{name} {}", escape_line(&path.to_string_lossy()));
        }
    }
    options
}

/// The server of the command line or of the environment.
fn typed(matches: &ArgMatches) -> Option<(String, Source)> {
    let argument = matches.get_one::<String>("server").cloned();
    let argument = argument.map(|server| (server, Source::Argument));
    argument.or_else(|| environment("DIBBER_SERVER").map(|server| (server, Source::Environment)))
}

fn typed_target(
    server: &str,
    source: &Source,
    matches: &ArgMatches,
    state: &Path,
) -> Result<ServerTarget, CommandError> {
    let token_file = matches.get_one::<PathBuf>("token-file");
    let no_server = |(message, hint): (String, String)| {
        CommandError::new(format!("{}: {message}", source.shown())).help(hint)
    };
    match parse_server(server).map_err(no_server)? {
        None => Ok(ServerTarget::Local { data: state.to_owned() }),
        Some(url) => Ok(ServerTarget::Url {
            url,
            credential: credential::given(token_file.map(PathBuf::as_path))?,
        }),
    }
}

/// The nearest configuration that names a server.
fn configured() -> Result<Option<(Config, Source)>, CommandError> {
    if let Some(path) = configuration::nearest(Path::new(".")) {
        let config = read(&path)?;
        if let Some((_, span)) = config.server.trusted.first() {
            let message = "`trusted` does not count in the file of a project";
            let error = ConfigError::new(&config.source, *span, message).help(
                "only you say whom you trust: move it to `dibber/dibber.toml` in your \
                     configuration folder",
            );
            return Err(configuration::shown(&error, str::to_owned));
        }
        if config.server.url.is_some() {
            return Ok(Some((config, Source::Project(path))));
        }
    }
    let own = own_path().filter(|path| path.is_file());
    let Some((config, path)) = own.map(own_configuration).transpose()? else { return Ok(None) };
    Ok(config.server.url.is_some().then_some((config, Source::User(path))))
}

/// Where the user's own configuration is, if there is one.
fn own_path() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.config_dir().join(OWN_FOLDER).join(CONFIG_FILE_NAME))
}

/// Reads the user's own configuration.
fn own_configuration(path: PathBuf) -> Result<(Config, PathBuf), CommandError> {
    let config = read(&path)?;
    if let Some(span) = config.lint_span {
        let error = ConfigError::new(&config.source, span, "`[lint]` does not count in this file")
            .help("move it to the `dibber.toml` of a project; here, only `[server]` counts");
        return Err(configuration::shown(&error, str::to_owned));
    }
    Ok((config, path))
}

/// Reads a configuration, and stops at the first thing that is wrong with it.
fn read(path: &Path) -> Result<Config, CommandError> {
    let (config, errors) = configuration::read(path)?;
    match errors.first() {
        Some(error) => Err(configuration::shown(error, str::to_owned)),
        None => Ok(config),
    }
}

fn configured_target(
    config: &Config,
    source: &Source,
    matches: &ArgMatches,
    state: &Path,
) -> Result<ServerTarget, CommandError> {
    let named = config.server.url.as_ref().expect("this is why it was chosen");
    let Some(url) = address(config, named)? else {
        return Ok(ServerTarget::Local { data: state.to_owned() });
    };
    let token_file = matches.get_one::<PathBuf>("token-file");
    let credential = match credential::given(token_file.map(PathBuf::as_path))? {
        Some(credential) => Some(credential),
        None => credential::configured(config, source)?,
    };
    if let (Source::Project(_), Some(credential)) = (source, &credential) {
        check_trusted(&url, credential, config, named.1)?;
    }
    Ok(ServerTarget::Url { url, credential })
}

/// The address that a configuration names; none for the server in this program.
fn address(
    config: &Config,
    (server, span): &(String, Span),
) -> Result<Option<Address>, CommandError> {
    parse_server(server).map_err(|(message, help)| {
        let mut error = ConfigError::new(&config.source, *span, message).help(help);
        // The line would show a password that stands in an address.
        if server.contains('@') {
            error.excerpt = None;
        }
        configuration::shown(&error, str::to_owned)
    })
}

/// Refuses to send a token to a server that only a project names: whoever writes the project's
/// files would choose who gets it.
fn check_trusted(
    url: &Address,
    credential: &Credential,
    project: &Config,
    span: Span,
) -> Result<(), CommandError> {
    if url.is_loopback() || is_trusted(url)? {
        return Ok(());
    }
    let message = format!(
        "the token of `{}` is not sent to `{}`, which only this file names",
        credential.from,
        ellipsize(url.as_str()),
    );
    let own = own_path().map_or_else(
        || "your own configuration".to_owned(),
        |path| escape_line(&path.to_string_lossy()).into_owned(),
    );
    let error = ConfigError::new(&project.source, span, message).help(format!(
        "if you trust it, say so with `--server {url}`, or with `trusted = [\"{}\"]` in \
         `[server]` of {own}",
        url.origin(),
    ));
    Err(configuration::shown(&error, str::to_owned))
}

/// Tells whether the user's own configuration names that server, too.
fn is_trusted(url: &Address) -> Result<bool, CommandError> {
    let Some(path) = own_path().filter(|path| path.is_file()) else { return Ok(false) };
    let (config, _) = own_configuration(path)?;
    for named in config.server.url.iter().chain(&config.server.trusted) {
        if address(&config, named)?.is_some_and(|known| known.origin() == url.origin()) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What a server is called by: none for the one in this program. Otherwise what is wrong, and
/// the way out.
fn parse_server(server: &str) -> Result<Option<Address>, (String, String)> {
    if server == LOCAL {
        return Ok(None);
    }
    let meant = closest_match(server, [LOCAL]).map(|_| format!("did you mean `{LOCAL}`?"));
    server.parse().map(Some).map_err(|cause| {
        // An address with a password in it must not be shown.
        let shown = if server.contains('@') { "****" } else { server };
        let looks_like_host = |part: &str| part.contains('.') || part.contains("localhost");
        let hint = match server.split('/').next() {
            _ if meant.is_some() => meant.clone().unwrap_or_default(),
            Some(host) if !server.contains("://") && looks_like_host(host) => {
                let scheme = if host.starts_with("localhost") { "http" } else { "https" };
                format!("did you mean `{scheme}://{}`?", ellipsize(shown))
            }
            _ => format!("write `{LOCAL}`, or an address such as `https://example.org/mcp`"),
        };
        (format!("`{}` is no server: {cause}", ellipsize(shown)), hint)
    })
}

fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// The directory of the embedded server's database.
pub(super) fn data(matches: &ArgMatches) -> Result<PathBuf, CommandError> {
    state(matches.get_one::<PathBuf>("data").map(PathBuf::as_path))
}

/// The directory of everything that is kept between two runs: the one that was typed, or of
/// `DIBBER_DATA`, or the user's own.
pub(super) fn state(typed: Option<&Path>) -> Result<PathBuf, CommandError> {
    if let Some(data) = typed {
        return Ok(data.to_owned());
    }
    if let Some(data) = environment("DIBBER_DATA") {
        return Ok(PathBuf::from(data));
    }
    let strategy = etcetera::choose_base_strategy().map_err(|_| {
        CommandError::new("cannot determine the state directory")
            .help("name the directory of the database with `--data DIR`")
    })?;
    let state = strategy.state_dir().unwrap_or_else(|| strategy.data_dir());
    Ok(state.join(OWN_FOLDER))
}
