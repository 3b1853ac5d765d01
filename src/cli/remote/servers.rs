//! `dibber servers`.

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use super::server_options;
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Ink;
use crate::cli::term::ui::Ui;
use dibber_client::{ConfiguredServer, ConfiguredTransport, ServerCommand};
use dibber_skill::discover::shown_path;
use dibber_skill::names::Roster;

pub(super) const COMMAND: Command = Command { name: "servers", define, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 1;
/// What is shown in place of a value that may be a secret.
const MASKED: &str = "****";
/// The words in the name of an option whose value may be a secret.
const SECRET_WORDS: [&str; 6] = ["auth", "cred", "key", "pass", "secret", "token"];

/// List the servers that `--server` accepts by name
///
/// These are the tables `[servers.NAME]` in `dibber/dibber.toml` in your configuration directory,
/// and, as `@NAME`, the servers of other clients: Claude Code (`~/.claude.json` and `.mcp.json`),
/// Claude Desktop, Cursor and VS Code. Nothing is started, and no secret is shown.
#[derive(Args)]
struct ServersArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ServersV1 {
    version: u32,
    items: Vec<ServerV1>,
}

#[derive(Serialize)]
struct ServerV1 {
    name: String,
    file: String,
    url: Option<String>,
    headers: Vec<String>,
    command: Option<String>,
    problem: Option<String>,
}

fn define(command: ClapCommand) -> ClapCommand {
    ServersArgs::augment_args(command)
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ServersArgs = parse_args(matches);
    let roster = ui.names()?;
    let servers = server_options::configured()?;
    let items: Vec<_> = servers.iter().map(|server| shape(server, &roster)).collect();
    if arguments.json {
        ui.print_json(&ServersV1 { version: JSON_VERSION, items })?;
        return Ok(Exit::Done);
    }
    let shown = list(&items, ui.sheet());
    ui.print(shown.as_bytes())?;
    Ok(Exit::Done)
}

fn shape(server: &ConfiguredServer, roster: &Roster) -> ServerV1 {
    let masked = |text: &str| mask(text, roster);
    let mut shape = ServerV1 {
        name: masked(&server.name),
        file: masked(&shown_path(&server.file)),
        url: None,
        headers: Vec::new(),
        command: None,
        problem: None,
    };
    match &server.transport {
        Ok(ConfiguredTransport::Url { url, headers }) => {
            shape.url = Some(masked(&url.without_query()));
            shape.headers.clone_from(headers);
        }
        Ok(ConfiguredTransport::Program(command)) => {
            shape.command = Some(masked(&command_line(command)));
        }
        Err(problem) => shape.problem = Some(problem.clone()),
    }
    shape
}

fn list(servers: &[ServerV1], mut sheet: Sheet) -> Rendered {
    if servers.is_empty() {
        sheet.wrap(0, "no named servers; `--server` takes a URL or `stdio:COMMAND`", None);
    }
    for server in servers {
        sheet.paint(Ink::Strong, &server.name);
        sheet.push("  ");
        sheet.paint(Ink::Faint, &server.file);
        sheet.end_line();
        let mut what = server.url.as_ref().or(server.command.as_ref()).cloned().unwrap_or_default();
        if !server.headers.is_empty() {
            what += &format!(" with {}", server.headers.join(", "));
        }
        if let Some(problem) = &server.problem {
            what = format!("cannot be used: {problem}");
        }
        sheet.indent(2);
        sheet.wrap(2, &what, None);
    }
    sheet.finish()
}

/// Returns a command line without the values of options that may be secrets.
fn command_line(command: &ServerCommand) -> String {
    let mut words = vec![command.program.clone()];
    let mut is_after_secret = false;
    for argument in &command.arguments {
        let (name, value) = match argument.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (argument.as_str(), None),
        };
        let is_option = name.starts_with('-') || value.is_some();
        let is_secret = is_option && {
            let name = name.to_ascii_lowercase();
            SECRET_WORDS.iter().any(|word| name.contains(word))
        };
        words.push(match value {
            Some(_) if is_secret => format!("{name}={MASKED}"),
            None if is_after_secret && !is_option => MASKED.to_owned(),
            _ => argument.clone(),
        });
        is_after_secret = is_secret && value.is_none();
    }
    words.join(" ")
}
