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
use dibber_client::{ConfiguredServer, ConfiguredTransport};
use dibber_skill::discover::shown_path;
use dibber_skill::names::Roster;
use dibber_text::MASKED;

pub(super) const COMMAND: Command = Command { name: "servers", define, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 1;

/// The length from which a part of the name of a header is taken for a token.
const HEADER_WORD_BYTES_MAX: usize = 20;

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
            shape.headers = headers.iter().map(|name| masked(&header_name(name))).collect();
        }
        Ok(ConfiguredTransport::Program(command)) => {
            shape.command = Some(masked(&command.without_secrets()));
        }
        Err(problem) => shape.problem = Some(masked(problem)),
    }
    shape
}

/// Returns the name of a header without parts that are as long as a token.
fn header_name(name: &str) -> String {
    let is_word = |part: &str| part.len() < HEADER_WORD_BYTES_MAX;
    let parts = name.split('-').map(|part| if is_word(part) { part } else { MASKED });
    parts.collect::<Vec<_>>().join("-")
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
