//! The options that select a server, and the server that they select.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches, Command as ClapCommand, value_parser};
use etcetera::BaseStrategy;

use super::client_state::ClientState;
use super::database_address::database;
use super::selection_error;
use crate::cli::error::CommandError;
use crate::cli::lint::configuration::current_dir;
use crate::cli::state_directory::data_directory;
use dibber_client::{
    ClientFile, ConfiguredServer, FileOwner, Header, SERVER_VARIABLE, ServerRequest,
    ServerSelection, ServerTarget, TIMEOUT_DEFAULT, TOKEN_VARIABLE,
};
use dibber_lint::Privacy;
use dibber_server::store::DatabaseAddress;
use dibber_skill::config::CONFIG_FILE_NAME;
use dibber_skill::names::Roster;
use dibber_text::{escape_line, message, quote_display, shell_word};

/// The directory of the embedded server's database, below the user's state directory, and of the
/// user's configuration.
const OWN_DIRECTORY: &str = "dibber";

/// The option that shows more.
pub(super) const VERBOSE: &str = "verbose";

/// The server of a command.
#[derive(Clone, Debug)]
pub(super) struct SelectedServer {
    pub(super) selection: ServerSelection,
    /// The database of the server in this program.
    pub(super) database: DatabaseAddress,
    /// What this user has begun and published.
    pub(super) state: ClientState,
    /// How long to wait for one answer, in all attempts together.
    pub(super) timeout: Duration,
    /// The options that selected it, for a command that is suggested: ` --server URL`.
    pub(super) typed_options: String,
}

impl SelectedServer {
    /// Returns the server's name in the journal and in sentences.
    pub(super) fn name(&self) -> &str {
        self.selection.name()
    }
}

pub(super) fn define(command: ClapCommand) -> ClapCommand {
    // Some commands have the option for what they show themselves, too.
    let is_verbose = command.get_arguments().any(|argument| argument.get_id() == VERBOSE);
    let command = if is_verbose { command } else { command.arg(verbose()) };
    command
        .arg(
            Arg::new("server")
                .long("server")
                .value_name("SERVER")
                .help("The server: a URL, `stdio:COMMAND`, a configured name, or `local`")
                .long_help(
                    "The server: the URL of an MCP endpoint; `stdio:COMMAND` for a program, such as \
                     `stdio:npx -y some-server`; the name of a table `[servers.NAME]` in \
                     `dibber/dibber.toml` in your configuration folder; `@NAME` for one of another \
                     client, as `dibber servers` lists them; or `local` for the one in this \
                     program. Otherwise DIBBER_SERVER; otherwise `url` in `[server]` of the project's `dibber.toml`; \
                     otherwise of your own `dibber/dibber.toml`; otherwise \
                     `local`",
                )
                .help_heading("Server"),
        )
        .arg(
            Arg::new("data")
                .long("data")
                .value_name("DIR")
                .help("The directory of the database of the server in this program")
                .value_parser(value_parser!(PathBuf))
                .hide_short_help(true)
                .help_heading("Server"),
        )
        .arg(
            Arg::new("token-file")
                .long("token-file")
                .value_name("FILE")
                .help("The file that contains the token for the server; otherwise DIBBER_TOKEN")
                .long_help(
                    "The file that contains the token for the server. Otherwise DIBBER_TOKEN; \
                     otherwise `token-file` in the same `[server]` as `url`. A server that only a \
                     project's `dibber.toml` names gets no token, unless you name it too: with `--server`, or in `[server]` of your own \
                     `dibber/dibber.toml` as `url` or in `trusted = [\"https://example.org\"]`",
                )
                .value_parser(value_parser!(PathBuf))
                .hide_short_help(true)
                .help_heading("Server"),
        )
        .arg(
            Arg::new("header")
                .long("header")
                .value_name("NAME: VALUE")
                .help("Send this header with every request to the server (can be repeated)")
                .action(ArgAction::Append)
                .hide_short_help(true)
                .help_heading("Server"),
        )
        .arg(
            Arg::new("timeout")
                .long("timeout")
                .value_name("SECONDS")
                .help("How long to wait for an answer, in seconds [default: 30]")
                .long_help(
                    "How long to wait for an answer, in seconds: connecting, the call, its retries \
                     and the waits between them together. Progress that the server reports begins \
                     it again, for up to two hours. A command that asks for several answers \
                     waits so long for each [default: 30]",
                )
                .value_parser(value_parser!(u64).range(1..=3600))
                .hide_short_help(true)
                .help_heading("Server"),
        )
}

/// Returns the servers that have a name.
pub(super) fn configured() -> Result<Vec<ConfiguredServer>, CommandError> {
    let (current_dir, user_config) = (current_dir(), user_config());
    let client_files = client_files(&current_dir);
    let request = ServerRequest {
        server_argument: None,
        server_variable: None,
        token_file: None,
        token_variable: None,
        headers: &[],
        client_files: &client_files,
        variable: environment,
        data: Path::new(""),
        current_dir: &current_dir,
        user_config: user_config.as_deref(),
    };
    let roster = Roster::default();
    request.configured_servers().map_err(|error| {
        let privacy = Privacy { roster: &roster };
        selection_error::to_command_error(error, user_config.as_deref(), privacy)
    })
}

/// Returns the database of the server in this program, if that is the server of a command without
/// options.
pub(super) fn default_database() -> Option<DatabaseAddress> {
    let data = data_directory(None).ok()?;
    let server_variable = environment(SERVER_VARIABLE);
    let (current_dir, user_config) = (current_dir(), user_config());
    let client_files = client_files(&current_dir);
    let request = ServerRequest {
        server_argument: None,
        server_variable: server_variable.as_deref(),
        token_file: None,
        token_variable: None,
        headers: &[],
        client_files: &client_files,
        variable: environment,
        data: &data,
        current_dir: &current_dir,
        user_config: user_config.as_deref(),
    };
    let is_local = matches!(request.select().ok()?.target, ServerTarget::Local { .. });
    if is_local { database(None, &data).ok() } else { None }
}

/// Returns where the files of other clients are: those of the user, then those of the project.
fn client_files(current_dir: &Path) -> Vec<ClientFile> {
    let mut files = Vec::new();
    if let Ok(strategy) = etcetera::choose_base_strategy() {
        let home = strategy.home_dir();
        // The programs with a window keep theirs where the system wants it.
        let own = match std::env::consts::OS {
            "macos" => home.join("Library/Application Support"),
            _ => strategy.config_dir(),
        };
        let paths = [
            home.join(".claude.json"),
            own.join("Claude/claude_desktop_config.json"),
            home.join(".cursor/mcp.json"),
            own.join("Code/User/mcp.json"),
        ];
        files.extend(paths.map(|path| ClientFile { path, owner: FileOwner::User }));
    }
    let paths = [".mcp.json", ".cursor/mcp.json", ".vscode/mcp.json"];
    let owner = FileOwner::Project;
    files.extend(paths.map(|path| ClientFile { path: current_dir.join(path), owner }));
    files
}

fn verbose() -> Arg {
    Arg::new(VERBOSE)
        .long("verbose")
        .short('v')
        .help("Show what a server that is a program writes to standard error")
        .action(ArgAction::SetTrue)
        .hide_short_help(true)
        .help_heading("Server")
}

/// Selects the server of a command.
pub(super) fn select(matches: &ArgMatches) -> Result<SelectedServer, CommandError> {
    let data = data(matches)?;
    let (server_variable, token_variable) =
        (environment(SERVER_VARIABLE), std::env::var_os(TOKEN_VARIABLE));
    let (current_dir, user_config) = (current_dir(), user_config());
    let headers = headers(matches)?;
    let client_files = client_files(&current_dir);
    let request = ServerRequest {
        headers: &headers,
        client_files: &client_files,
        variable: environment,
        server_argument: matches.get_one::<String>("server").map(String::as_str),
        server_variable: server_variable.as_deref(),
        token_file: matches.get_one::<PathBuf>("token-file").map(PathBuf::as_path),
        token_variable: token_variable.as_deref().filter(|value| !value.is_empty()),
        data: &data,
        current_dir: &current_dir,
        user_config: user_config.as_deref(),
    };
    // The names are not read yet: whatever shows the error masks them.
    let roster = Roster::default();
    let privacy = Privacy { roster: &roster };
    let selection = request.select().map_err(|error| {
        selection_error::to_command_error(error, user_config.as_deref(), privacy)
    })?;
    if !headers.is_empty() && !matches!(selection.target, ServerTarget::Url { .. }) {
        return Err(CommandError::new("`--header` is for a server with a URL")
            .help("leave it out, or name the server with `--server`"));
    }
    let seconds = matches.get_one::<u64>("timeout").copied();
    let timeout = seconds.map_or(TIMEOUT_DEFAULT, Duration::from_secs);
    let state = ClientState::beside(&data);
    let typed_options = typed_options(matches);
    let database = match selection.target {
        ServerTarget::Local { .. } => database(None, &data)?,
        _ => DatabaseAddress::Directory(data),
    };
    Ok(SelectedServer { selection, database, state, timeout, typed_options })
}

fn headers(matches: &ArgMatches) -> Result<Vec<Header>, CommandError> {
    let typed = matches.get_many::<String>("header").into_iter().flatten();
    let header = |typed: &String| {
        Header::parse(typed).map_err(|error| {
            // The value may be a secret.
            CommandError::new(message!["invalid header: ", quote_display(error)])
                .help("write it as `--header 'X-Api-Key: …'`")
        })
    };
    typed.map(header).collect()
}

/// Returns the options that a suggested command needs in order to select the same server.
fn typed_options(matches: &ArgMatches) -> String {
    typed_server_options(matches).into_iter().map(|(_, typed)| typed).collect()
}

/// Returns the option that selects a server, as it is typed: ` --server URL`.
pub(super) fn server_option(server: &str) -> String {
    option("server", server)
}

fn option(name: &str, value: &str) -> String {
    format!(" --{name} {}", escape_line(&shell_word(value)))
}

/// Returns the options that select the server of a command, by their names; none if it has none.
pub(in crate::cli) fn typed_server_options(matches: &ArgMatches) -> Vec<(&'static str, String)> {
    let mut options = Vec::new();
    if let Ok(Some(server)) = matches.try_get_one::<String>("server") {
        options.push(("server", server_option(&without_arguments(server))));
    }
    for name in ["token-file", "data"] {
        if let Ok(Some(path)) = matches.try_get_one::<PathBuf>(name) {
            options.push((name, option(name, &path.to_string_lossy())));
        }
    }
    let is_typed = matches
        .try_contains_id("family")
        .is_ok_and(|_| matches.value_source("family") == Some(ValueSource::CommandLine));
    if is_typed && let Ok(Some(family)) = matches.try_get_one::<String>("family") {
        options.push(("family", option("family", family)));
    }
    options
}

/// Returns a typed server with `…` in place of the arguments of a program, which may be secrets.
fn without_arguments(server: &str) -> Cow<'_, str> {
    match server.split_once(' ') {
        Some((program, _)) => format!("{program} …").into(),
        None => server.into(),
    }
}

/// Returns the path of the user's own configuration, which need not exist.
pub(super) fn user_config() -> Option<PathBuf> {
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.config_dir().join(OWN_DIRECTORY).join(CONFIG_FILE_NAME))
}

fn environment(name: &str) -> Option<String> {
    std::env::var(name).ok().filter(|value| !value.is_empty())
}

/// Returns the directory of the embedded server's database.
pub(in crate::cli) fn data(matches: &ArgMatches) -> Result<PathBuf, CommandError> {
    data_directory(matches.get_one::<PathBuf>("data").map(PathBuf::as_path))
}
