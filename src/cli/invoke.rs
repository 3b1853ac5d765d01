//! `dibber invoke`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand, FromArgMatches};
use serde::Serialize;
use serde_json::Value;

use super::inputs::inputs;
use super::lock_file::Locks;
use super::mask::mask;
use super::session::{self, Session};
use super::{Command, CommandError, Exit, Ui, refusal, render, resolve};
use crate::client::ClientError;
use crate::contract::{CanvasSummary, ErrorCode, SkillInvoke};
use crate::text::escape_line;

pub(super) const COMMAND: Command = Command { name: "invoke", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// Run a skill: print its prompt, filled in by the server
///
/// Prints what an agent reads when it runs the skill, and nothing else, on standard output.
#[derive(Args)]
struct InvokeArgs {
    /// The skill: its folder, its label, its name or its id
    #[arg(value_name = "SKILL")]
    skill: String,

    /// Fill in this input; `NAME:=JSON` for what is no text (can be repeated)
    #[arg(long, value_name = "NAME=VALUE")]
    input: Vec<String>,

    /// Take inputs from a JSON object in a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    input_file: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `tests/reference/invoke.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InvokeV1<'a> {
    version: u32,
    server: &'a str,
    skill_id: &'a str,
    rendered_prompt: String,
    canvases: Value,
    ignored_inputs: Vec<String>,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(InvokeArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments = InvokeArgs::from_arg_matches(matches).expect("clap has checked them");
    let inputs = inputs(arguments.input_file.as_deref(), &arguments.input)?;
    let roster = ui.names()?;
    let session = Session::open(matches)?;
    let mut locks = Locks::new(&session.choice);
    let skill_id = resolve::resolve(&arguments.skill, &session, &mut locks)?;
    let invoke = SkillInvoke { skill_id: skill_id.clone(), input: inputs };
    let invoked = session.block_on(session.client.skill_invoke(&invoke));
    let invoked = invoked.map_err(|error| refused(&error, &arguments.skill))?;
    let prompt = mask(&invoked.rendered_prompt, &roster);
    if arguments.json {
        let ignored = invoked.ignored_inputs.iter().map(|name| ui.masked(name).into_owned());
        let canvases: &[CanvasSummary] = &invoked.canvases;
        let canvases = serde_json::to_value(canvases).expect("texts and lists");
        let output = InvokeV1 {
            version: VERSION,
            server: session.choice.name(),
            skill_id: &skill_id,
            rendered_prompt: prompt,
            canvases: super::mask::masked_json(&canvases, &roster),
            ignored_inputs: ignored.collect(),
        };
        ui.print_json(&output)?;
        return Ok(Exit::Done);
    }
    render::warn_ignored(&invoked.ignored_inputs, ui);
    render::print(&prompt, ui)?;
    Ok(Exit::Done)
}

/// A skill for the home agent alone is rendered by the home agent.
fn refused(error: &ClientError, skill: &str) -> CommandError {
    let shown = refusal::shown(error);
    let is_denied = matches!(error, ClientError::Refused(error)
        if error.code == ErrorCode::PermissionDenied
            && error.reason.as_deref() == Some("HOME_AGENT_ONLY"));
    if !is_denied {
        return shown;
    }
    let path =
        if std::path::Path::new(skill).exists() { escape_line(skill) } else { "PATH".into() };
    shown.hint(format!(
        "`dibber render {path}` renders it here, for the home agent itself, from its folder"
    ))
}
