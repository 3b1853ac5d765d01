//! Skills of an MCP server with the skills extension.
//!
//! A lock file of anyone can name a server, and no token is sent to an address that it names. A server that
//! needs one has a name in your own configuration. No program is started but one of such a name.

use clap::Command as ClapCommand;
use jiff::Timestamp;
use tokio::runtime::Runtime;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::ui::Ui;
use dibber_catalog::sources::{OfferedSkill, OpenSource, SourceError, SourceErrorKind};
use dibber_catalog::{ContentsLimits, FolderProblem, SkillContents};
use dibber_client::skills_extension::{ServedSkill, ServedSkillError};
use dibber_client::{Client, ClientError, Endpoint, Options};
use dibber_text::{message, quote, quote_display};

/// The skills of a server.
struct ServerSource {
    address: String,
    connected: Connected,
    skills: Vec<ServedSkill>,
    offered: Vec<OfferedSkill>,
}

/// A client, and what its work runs on.
enum Connected {
    ByAddress(Box<Client>, Runtime),
    ByName(Box<Session>),
}

impl Connected {
    fn block_on<T>(&self, work: impl AsyncFnOnce(&Client) -> T) -> T {
        match self {
            Self::ByAddress(client, runtime) => runtime.block_on(work(client)),
            Self::ByName(session) => session.block_on(work(&session.client)),
        }
    }
}

/// Returns what asynchronous work runs on.
pub(super) fn runtime() -> Result<Runtime, CommandError> {
    tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .map_err(|error| CommandError::io("cannot start", error))
}

/// Opens a server by its address, or by the name under which it is configured.
pub(in crate::cli) fn open_server(
    server: &str,
    ui: &mut Ui,
) -> Result<Box<dyn OpenSource>, CommandError> {
    let connected = if server.contains("://") { by_address(server)? } else { by_name(server, ui)? };
    let listed = connected.block_on(async |client: &Client| client.served_skills().await);
    let listed = listed.map_err(|error| client_error(&error))?;
    for problem in &listed.problems {
        ui.warning(message!["a skill of the server is left out: ", problem.message.clone()]);
    }
    let skills = listed.skills;
    let offered = skills.iter().map(|skill| OfferedSkill {
        path: skill.uri.clone(),
        name: skill.name.clone(),
        description: skill.description.clone(),
    });
    let offered: Vec<_> = offered.collect();
    if offered.is_empty() {
        return Err(CommandError::new("the server has no skills").exit(Exit::NotFound));
    }
    Ok(Box::new(ServerSource { address: format!("mcp:{server}"), connected, skills, offered }))
}

fn by_address(address: &str) -> Result<Connected, CommandError> {
    let url = address.parse().map_err(|error| {
        CommandError::new(message!["`", quote(address), "`: ", quote_display(error)])
    })?;
    let endpoint =
        Endpoint::Http { url, token: None, sign_in: None, headers: Vec::new(), authority: None };
    let client = Client::new(endpoint, Options::new(Timestamp::now));
    Ok(Connected::ByAddress(Box::new(client), runtime()?))
}

fn by_name(name: &str, ui: &mut Ui) -> Result<Connected, CommandError> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    if name.is_empty() || !name.chars().all(is_part) {
        let message = message!["`", quote(name), "` is not the name of a configured server"];
        let help = "write the address of a server after `mcp:`, or a name of `dibber servers`";
        return Err(CommandError::new(message).help(help));
    }
    let command = session::define(ClapCommand::new("add"));
    let matches = command.try_get_matches_from(["add", "--server", name]);
    let matches = matches.map_err(|error| CommandError::new(quote_display(error)))?;
    Ok(Connected::ByName(Box::new(Session::open(&matches, ui)?)))
}

impl OpenSource for ServerSource {
    fn address(&self) -> String {
        self.address.clone()
    }

    fn revision(&self) -> Option<String> {
        None
    }

    fn skills(&self) -> &[OfferedSkill] {
        &self.offered
    }

    fn read(
        &self,
        path: &str,
        limits: ContentsLimits,
    ) -> Result<(SkillContents, Vec<FolderProblem>), SourceError> {
        let skill = self.skills.iter().find(|skill| skill.uri == path).ok_or_else(|| {
            SourceError::new(SourceErrorKind::NotFound, "the server has no such skill")
        })?;
        let read = async |client: &Client| client.read_served_skill(skill, limits).await;
        match self.connected.block_on(read) {
            Ok(contents) => Ok((contents, Vec::new())),
            Err(error) => {
                let kind = match &error {
                    ServedSkillError::Client(_) => SourceErrorKind::Failed,
                    ServedSkillError::Refused { .. } => SourceErrorKind::Refused,
                };
                Err(SourceError::new(kind, error.message()))
            }
        }
    }
}

fn client_error(error: &ClientError) -> CommandError {
    CommandError::new(quote_display(error)).exit(Exit::Failed)
}
