//! `dibber status`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use super::database_address;
use super::selection_error::source_words;
use super::server_options::{self, SelectedServer};
use super::session::{self, Session};
use super::sign_in::signed_in;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::error_json::ErrorV1;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Ink;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{LockKey, read_lock};
use dibber_client::sign_in::StoredSignIn;
use dibber_client::{Client, ClientError, ServerInfo, ServerSource, ServerTarget, ToolInfo};
use dibber_skill::contract::{Health, Whoami, WireEnum};
use dibber_skill::discover::{self, shown_path};
use dibber_skill::names::Roster;

pub(super) const COMMAND: Command = Command { name: "status", define, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 2;

/// What the help of a server that does not answer begins with elsewhere.
const STATUS_HELP: &str = "`dibber status` shows the selected server";
/// The help of this command for that.
const ADDRESS_HELP: &str = "check the address, and whether an MCP server runs there";

/// Show the selected server and its health
///
/// The server is the one of `--server`; else of the environment variable `DIBBER_SERVER`; else of
/// `[server]` in the project's `dibber.toml`; else of `[server]` in `dibber/dibber.toml` in your
/// configuration directory; else `local`, the embedded server.
#[derive(Args)]
struct StatusArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(StatusArgs::augment_args(command))
}

/// The answers of the server, up to the first failure.
#[derive(Default)]
struct Found {
    server: Option<ServerInfo>,
    /// None if they cannot be listed.
    tools: Option<Vec<ToolInfo>>,
    whoami: Answer<Whoami>,
    health: Answer<Health>,
}

/// The answer of a tool that not every server has.
#[derive(Default)]
enum Answer<T> {
    /// The server has no such tool.
    #[default]
    None,
    /// It was answered.
    Given(T),
    /// The tool failed, or means something else.
    Failed(ClientError),
}

impl<T> Answer<T> {
    fn new(answer: Result<T, ClientError>) -> Result<Self, ClientError> {
        match answer {
            Ok(answer) => Ok(Self::Given(answer)),
            Err(ClientError::NoTool(_) | ClientError::UnknownMethod(_)) => Ok(Self::None),
            Err(
                error @ (ClientError::Protocol(_)
                | ClientError::Rejected(_)
                | ClientError::Failed { .. }),
            ) => Ok(Self::Failed(error)),
            Err(error) => Err(error),
        }
    }

    const fn given(&self) -> Option<&T> {
        match self {
            Self::Given(answer) => Some(answer),
            Self::None | Self::Failed(_) => None,
        }
    }

    fn error(&self) -> Option<String> {
        match self {
            Self::Failed(error) => Some(error.to_string()),
            Self::None | Self::Given(_) => None,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct StatusV1 {
    version: u32,
    server: String,
    because: &'static str,
    configuration: Option<String>,
    address: String,
    token: Option<String>,
    /// What `dibber login` has got, if it is used.
    sign_in: Option<SignInV1>,
    /// The file that records what is published from the current directory.
    lock: String,
    lock_exists: bool,
    /// The directory of the journal and, for the embedded server, of the database.
    state: String,
    reached: bool,
    error: Option<ErrorV1>,
    protocol_version: Option<String>,
    program: Option<String>,
    tools: Option<usize>,
    whoami: Option<Whoami>,
    whoami_error: Option<String>,
    health: Option<Health>,
    health_error: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SignInV1 {
    issuer: String,
    /// As far as they are known.
    scopes: Vec<String>,
    /// In UTC (RFC 3339). The token is renewed before.
    expires_at: Option<String>,
    renewable: bool,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: StatusArgs = parse_args(matches);
    let selected = server_options::select(matches)?;
    let mut found = Found::default();
    let asked = if is_new(&selected) { Ok(()) } else { ask_selected(matches, &mut found, ui) };
    // After the requests, which may have renewed the token.
    let sign_in = signed_in(&selected)?.map(|sign_in| sign_in.current());
    let roster = ui.names()?;
    let recorded = read_lock(&lock_file()).map(drop).map_err(CommandError::from);
    if arguments.json {
        let error = asked.as_ref().err().or(recorded.as_ref().err());
        ui.print_json(&status(&selected, sign_in.as_ref(), &found, error, &roster))?;
    } else {
        let page = page(&selected, sign_in.as_ref(), &found, ui.sheet());
        ui.print(page.as_bytes())?;
    }
    if let (Err(_), Err(error)) = (&asked, &recorded) {
        ui.error(error);
    }
    asked.and(recorded).map(|()| Exit::Done)
}

/// Returns `true` if the server is the embedded one and has no database. The first command that needs
/// it creates it; asking for the state of something must not.
fn is_new(selected: &SelectedServer) -> bool {
    match &selected.selection.target {
        ServerTarget::Local { .. } => database_address::is_new(&selected.database),
        ServerTarget::Url { .. } | ServerTarget::Program { .. } => false,
    }
}

/// Connects to the selected server, and requests everything.
fn ask_selected(matches: &ArgMatches, found: &mut Found, ui: &mut Ui) -> Result<(), CommandError> {
    let session = Session::open(matches, ui)?;
    let asked = session.block_on(ask(&session.client, found));
    asked.map_err(|error| {
        let shown = session.command_error(&error);
        let is_own_help = shown
            .help_text()
            .is_some_and(|help| help.shown(&()).to_string().starts_with(STATUS_HELP));
        if is_own_help { shown.help(ADDRESS_HELP) } else { shown }
    })
}

/// Requests everything. What was answered before a failure remains in `found`.
async fn ask(client: &Client, found: &mut Found) -> Result<(), ClientError> {
    found.server = Some(client.server().await?);
    found.tools = Some(client.tools().await?);
    found.whoami = Answer::new(client.ask("mcp_whoami").await)?;
    found.health = Answer::new(client.health().await)?;
    Ok(())
}

/// Not every server has these tools, or means the same by them.
pub(super) fn if_supported<T>(answer: Result<T, ClientError>) -> Result<Option<T>, ClientError> {
    match answer {
        Ok(answer) => Ok(Some(answer)),
        Err(
            ClientError::NoTool(_)
            | ClientError::Protocol(_)
            | ClientError::Rejected(_)
            | ClientError::UnknownMethod(_)
            | ClientError::Failed { .. },
        ) => Ok(None),
        Err(error) => Err(error),
    }
}

fn address(selected: &SelectedServer) -> String {
    match &selected.selection.target {
        ServerTarget::Local { .. } => selected.database.to_string(),
        ServerTarget::Url { url, .. } => url.to_string(),
        ServerTarget::Program { command, .. } => command.program.clone(),
    }
}

/// Returns the file that records what is published from directories of the current one.
fn lock_file() -> PathBuf {
    discover::from_current_directory(LockKey::below_current_directory().lock_file().to_owned())
}

fn token(selected: &SelectedServer) -> Option<String> {
    match &selected.selection.target {
        ServerTarget::Local { .. } | ServerTarget::Program { .. } => None,
        ServerTarget::Url { credential, .. } => {
            credential.as_ref().map(|credential| credential.source.to_string())
        }
    }
}

fn page(
    selected: &SelectedServer,
    sign_in: Option<&StoredSignIn>,
    found: &Found,
    mut sheet: Sheet,
) -> Rendered {
    sheet.row("server", selected.name());
    sheet.row("because", &source_words(&selected.selection.source));
    match &selected.selection.target {
        ServerTarget::Local { .. } => {
            let absent = if is_new(selected) { " (none yet)" } else { "" };
            sheet.row("database", &(address(selected) + absent));
        }
        ServerTarget::Program { .. } => sheet.row("runs", &address(selected)),
        ServerTarget::Url { .. } => {
            if address(selected) != selected.name() {
                sheet.row("address", &address(selected));
            }
            sheet.row("token", &token_words(selected, sign_in, found));
            if let Some(sign_in) = sign_in {
                let scopes = sign_in.scopes().join(", ");
                let scopes = if scopes.is_empty() { "unknown" } else { &scopes };
                sheet.row("allowed", scopes);
            }
        }
    }
    let lock = lock_file();
    let absent = if lock.exists() { "" } else { " (none yet)" };
    sheet.row("lock", &(shown_path(&lock) + absent));
    sheet.row("state", &selected.state.directory().to_string_lossy());
    if let Some(server) = &found.server {
        add_answers(&mut sheet, server, found);
    }
    sheet.finish()
}

/// Returns where the token is from, and when it expires.
fn token_words(selected: &SelectedServer, sign_in: Option<&StoredSignIn>, found: &Found) -> String {
    if let Some(sign_in) = sign_in {
        let end = sign_in.expires_at().map(|at| format!(", expires {at:.0}")).unwrap_or_default();
        let renewed = if sign_in.is_renewable() { ", renewed by itself" } else { "" };
        return format!("from `dibber login` at {}{end}{renewed}", sign_in.issuer());
    }
    let token = token(selected).map_or("none".to_owned(), |from| format!("from {from}"));
    let whoami = found.whoami.given();
    let end = whoami.and_then(|whoami| whoami.token_expires_at.as_ref());
    token + &end.map(|at| format!(", expires {at}")).unwrap_or_default()
}

/// Adds what the server has answered.
fn add_answers(sheet: &mut Sheet, server: &ServerInfo, found: &Found) {
    sheet.row("protocol", &server.protocol_version);
    sheet.row("program", &server.program().unwrap_or_else(|| "unknown".to_owned()));
    let tools = found.tools.as_ref().map(|tools| tools.len().to_string());
    sheet.row("tools", tools.as_deref().unwrap_or("unknown"));
    if let Some(whoami) = found.whoami.given() {
        let Whoami { name, user_id, family_id, scopes, .. } = whoami;
        sheet.row("you", &format!("{name} ({user_id}), family {family_id}"));
        let scopes: Vec<_> = scopes.iter().map(|scope| scope.name()).collect();
        let scopes = if scopes.is_empty() { "none".to_owned() } else { scopes.join(", ") };
        sheet.row("scopes", &scopes);
    }
    if let Some(error) = found.whoami.error() {
        sheet.painted_row("you", &format!("unknown: {error}"), Some(Ink::Error));
    }
    if let Some(Health { status, time, .. }) = found.health.given() {
        let ink = (status != "ok").then_some(Ink::Error);
        let time = if time.is_empty() { String::new() } else { format!(", {time}") };
        sheet.painted_row("health", &format!("{status}{time}"), ink);
    }
    if let Some(error) = found.health.error() {
        sheet.painted_row("health", &format!("unknown: {error}"), Some(Ink::Error));
    }
}

fn status(
    selected: &SelectedServer,
    sign_in: Option<&StoredSignIn>,
    found: &Found,
    error: Option<&CommandError>,
    roster: &Roster,
) -> StatusV1 {
    let shown = |text: &str| mask(text, roster);
    let (because, configuration) = match &selected.selection.source {
        ServerSource::Argument => ("argument", None),
        ServerSource::Environment => ("environment", None),
        ServerSource::Project(path) => ("project", Some(path)),
        ServerSource::User(path) => ("user", Some(path)),
        ServerSource::Default => ("default", None),
    };
    let server = found.server.as_ref();
    let lock = lock_file();
    StatusV1 {
        version: JSON_VERSION,
        server: shown(selected.name()),
        because,
        configuration: configuration.map(|path| shown(&path.to_string_lossy())),
        address: shown(&address(selected)),
        token: token(selected).map(|token| shown(&token)),
        sign_in: sign_in.map(|sign_in| SignInV1 {
            issuer: shown(sign_in.issuer()),
            scopes: sign_in.scopes().into_iter().map(shown).collect(),
            expires_at: sign_in.expires_at().map(|at| format!("{at:.0}")),
            renewable: sign_in.is_renewable(),
        }),
        lock: shown(&shown_path(&lock)),
        lock_exists: lock.exists(),
        state: shown(&selected.state.directory().to_string_lossy()),
        reached: server.is_some(),
        error: error.map(|error| ErrorV1::new(error, roster)),
        protocol_version: server.map(|server| shown(&server.protocol_version)),
        program: server.and_then(ServerInfo::program).map(|program| shown(&program)),
        tools: found.tools.as_ref().map(Vec::len),
        whoami_error: found.whoami.error().map(|error| shown(&error)),
        health_error: found.health.error().map(|error| shown(&error)),
        whoami: found.whoami.given().map(|whoami| Whoami {
            user_id: shown(whoami.user_id.as_str()).into(),
            name: shown(&whoami.name),
            server: shown(&whoami.server),
            ..whoami.clone()
        }),
        health: found.health.given().map(|health| Health {
            status: shown(&health.status),
            time: shown(&health.time),
            server: shown(&health.server),
        }),
    }
}
