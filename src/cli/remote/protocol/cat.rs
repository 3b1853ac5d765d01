//! `dibber protocol cat`.

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use super::data_output::{DataOutput, content_json};
use super::rpc_session::{self, Purpose, RpcSession};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::mask::mask;
use crate::cli::term::ui::Ui;
use dibber_skill::contract::skills_protocol::ReadSkillFile;
use dibber_text::{message, quote_in_full};

pub(super) const ACTION: Command = Command { name: "cat", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Print a file of a skill
///
/// A file or another program gets the bytes as they are. On a terminal, text is printed with its
/// control characters escaped and the children's names of your private list masked.
#[derive(Args)]
struct CatArgs {
    /// The name of the skill
    #[arg(value_name = "SKILL")]
    name: String,

    /// The path of the file in the skill
    #[arg(value_name = "PATH", default_value = "SKILL.md")]
    path: String,

    /// The version of the skill; the latest one by default
    #[arg(long = "version", id = "skill_version", value_name = "VERSION")]
    version: Option<String>,

    #[command(flatten)]
    output: DataOutput,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/protocol-cat.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CatV1 {
    version: u32,
    server: String,
    name: String,
    skill_version: Option<String>,
    path: String,
    size_bytes: usize,
    encoding: &'static str,
    content: String,
    warnings: Vec<String>,
}

fn define(command: ClapCommand) -> ClapCommand {
    rpc_session::define(CatArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: CatArgs = parse_args(matches);
    arguments.output.check()?;
    let session = RpcSession::open(matches, Purpose::Read)?;
    let roster = ui.names()?;
    let call =
        ReadSkillFile { name: arguments.name, version: arguments.version, path: arguments.path };
    let file = session.wait(Purpose::Read, session.client.read_file(&call))?;
    if let Some(name) = file.name.as_ref().filter(|name| **name != call.name) {
        ui.warning(message![
            "the server has sent a file of `",
            quote_in_full(name),
            "` instead of `",
            quote_in_full(&call.name),
            "`"
        ]);
    }
    if file.path != call.path {
        ui.warning(message![
            "the server has sent `",
            quote_in_full(&file.path),
            "` instead of `",
            quote_in_full(&call.path),
            "`"
        ]);
    }
    if !arguments.json {
        session.warn(&file.warnings, ui);
        arguments.output.write(&file.bytes, ui, &roster)?;
        return Ok(Exit::Done);
    }
    let masked = |text: &str| mask(text, &roster);
    let size_bytes = file.bytes.len();
    let (content, encoding) = content_json(file.bytes, &roster);
    ui.print_json(&CatV1 {
        version: VERSION,
        server: session.shown_server(ui),
        name: masked(&call.name),
        skill_version: file.version.as_deref().map(masked),
        path: masked(&file.path),
        size_bytes,
        encoding,
        content,
        warnings: file.warnings.iter().map(|warning| masked(warning)).collect(),
    })?;
    Ok(Exit::Done)
}
