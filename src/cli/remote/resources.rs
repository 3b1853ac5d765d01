//! `dibber resources` and `dibber resource`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use super::content::ContentPage;
use super::session::{self, Session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::{mask, masked_json};
use crate::cli::term::rendered::Rendered;
use crate::cli::term::sheet::Sheet;
use crate::cli::term::style::Ink;
use crate::cli::term::ui::Ui;
use dibber_client::{ClientError, Content, ResourceInfo};
use dibber_skill::names::Roster;

pub(super) const LIST_COMMAND: Command =
    Command { name: "resources", define: define_list, run: run_list };

pub(super) const COMMAND: Command = Command { name: "resource", define, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 1;

/// List the resources of the server
#[derive(Args)]
struct ResourcesArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Print a resource of the server
///
/// Text is printed with hidden characters escaped; other bytes are saved with `--output`.
#[derive(Args)]
struct ReadArgs {
    /// The URI, as `dibber resources` lists it
    uri: String,
    /// Save bytes that are not text as new files in this directory
    #[arg(long, short, value_name = "DIR", conflicts_with = "json")]
    output: Option<PathBuf>,
    /// Print the result as the server sent it, as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct ResourcesV1 {
    version: u32,
    server: String,
    items: Vec<ResourceV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceV1 {
    uri: String,
    template: bool,
    name: Option<String>,
    description: Option<String>,
    mime_type: Option<String>,
    size: Option<u64>,
}

fn define_list(command: ClapCommand) -> ClapCommand {
    session::define(ResourcesArgs::augment_args(command))
}

fn define(command: ClapCommand) -> ClapCommand {
    let read = session::define(ReadArgs::augment_args(ClapCommand::new("read")));
    command
        .about("Read a resource of the server")
        .subcommand(read)
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
}

fn run_list(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ResourcesArgs = parse_args(matches);
    let session = Session::open(matches, ui)?;
    let roster = ui.names()?;
    let resources = match session.block_on(session.client.resources()) {
        // It lacks this part of the protocol, so it has none.
        Err(ClientError::UnknownMethod(_)) => Vec::new(),
        resources => resources.map_err(|error| session.command_error(&error))?,
    };
    if arguments.json {
        let items = resources.iter().map(|resource| json(resource, &roster)).collect();
        ui.print_json(&ResourcesV1 {
            version: JSON_VERSION,
            server: ui.masked(session.server.name()).into_owned(),
            items,
        })?;
        return Ok(Exit::Done);
    }
    if resources.is_empty() {
        ui.eprintln("the server has no resources");
        return Ok(Exit::Done);
    }
    let shown = list(&resources, ui.sheet());
    ui.print(shown.as_bytes())?;
    Ok(Exit::Done)
}

fn json(resource: &ResourceInfo, roster: &Roster) -> ResourceV1 {
    let shown = |text: &String| mask(text, roster);
    ResourceV1 {
        uri: shown(&resource.uri),
        template: resource.is_template,
        name: resource.name.as_ref().map(shown),
        description: resource.description.as_ref().map(shown),
        mime_type: resource.mime_type.as_ref().map(shown),
        size: resource.size,
    }
}

fn list(resources: &[ResourceInfo], mut sheet: Sheet) -> Rendered {
    for resource in resources {
        sheet.paint(Ink::Strong, &resource.uri);
        if resource.is_template {
            sheet.push("  ");
            sheet.paint(Ink::Faint, "template");
        }
        sheet.end_line();
        let parts = [&resource.name, &resource.description, &resource.mime_type];
        let parts: Vec<&str> = parts.into_iter().flatten().map(String::as_str).collect();
        if !parts.is_empty() {
            sheet.indent(2);
            sheet.wrap(2, &parts.join("; "), None);
        }
    }
    sheet.finish()
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let (_, matches) = matches.subcommand().expect("clap requires a command");
    let arguments: ReadArgs = parse_args(matches);
    let session = Session::open_interactive(matches, ui)?;
    let roster = ui.names()?;
    let mut page = ContentPage::new(arguments.output.as_deref(), ui)?;
    let contents = session.wait(session.client.resource(&arguments.uri))?;
    if arguments.json {
        ui.print_json(&masked_json(contents.json(), &roster))?;
        return Ok(Exit::Done);
    }
    // A resource is usually one text, which needs no heading.
    let has_one = contents.content().count() == 1;
    for content in contents.content() {
        match content {
            Content::ResourceText { text, .. } if has_one => page.push_text(text),
            content => page.push(content),
        }
    }
    page.print(ui)?;
    Ok(Exit::Done)
}
