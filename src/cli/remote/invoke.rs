//! `dibber invoke`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;
use serde_json::{Map, Value};

use super::session::{self, Session};
use super::{call_errors, missing_inputs, resolve};
use crate::cli::command::{Command, parse_args};
use crate::cli::drafted::Drafted;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::inputs::{inputs, ways_to_give};
use crate::cli::mask::{mask, masked_json};
use crate::cli::render;
use crate::cli::term::ask::Asker;
use crate::cli::term::ui::Ui;
use dibber_client::ClientError;
use dibber_skill::contract::{CanvasSummary, ErrorCode, SkillId, SkillInvoke, ToolError};
use dibber_text::{escape_line, message, quote_argument, quote_in_full};

pub(super) const COMMAND: Command = Command { name: "invoke", define, run };

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;

/// What is said above the prompt to a person, who may expect what comes of it.
const FOR_AN_AGENT: &str = "\
An agent reads this and does what it says; dibber only prints it. Give it to the agent that you use.";

/// The reason of a server that does not run an archived skill.
const ARCHIVED: &str = "SKILL_ARCHIVED";

/// Run a skill: print its prompt, filled in by the server
///
/// Prints what an agent reads when it runs the skill, and nothing else, on standard output. At a
/// terminal, it asks for the inputs that are missing.
#[derive(Args)]
struct InvokeArgs {
    /// The skill: its folder, its label or the beginning of it, its name or its id
    #[arg(value_name = "SKILL")]
    skill: String,

    /// Fill in this input; `NAME:=JSON` for a value that is not a string (can be
    /// repeated)
    #[arg(long, value_name = "NAME=VALUE")]
    input: Vec<String>,

    /// Take inputs from a JSON object in a file, or `-` for standard input
    #[arg(long, value_name = "FILE")]
    input_file: Option<PathBuf>,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/invoke.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InvokeV1<'a> {
    version: u32,
    server: String,
    skill_id: &'a SkillId,
    rendered_prompt: String,
    canvases: Value,
    ignored_inputs: Vec<String>,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(InvokeArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: InvokeArgs = parse_args(matches);
    let inputs = inputs(arguments.input_file.as_deref(), &arguments.input)?;
    let session = Session::open(matches, ui)?;
    let roster = ui.names()?;
    let mut locks = session.locks()?;
    let skill_id = resolve::resolve_by_start(&arguments.skill, &session, &mut locks)?;
    let filled = fill_optional(inputs, &arguments.skill)?;
    let mut invoke = SkillInvoke { skill_id: skill_id.clone(), input: filled.inputs };
    let mut invoked = session.block_on(session.client.skill_invoke(&invoke));
    if let Err(ClientError::Refused(refusal)) = &invoked
        && let Some(names) = missing(refusal).filter(|_| ui.can_ask())
    {
        let questions = missing_inputs::questions(&names, &skill_id, &session);
        let answers = missing_inputs::ask(&questions, &mut Asker::new(ui, &roster))?;
        invoke.input.get_or_insert_default().extend(answers);
        invoked = session.block_on(session.client.skill_invoke(&invoke));
    }
    let mut invoked = invoked.map_err(|error| match error {
        ClientError::Refused(refusal) if refusal.reason.as_deref() == Some(ARCHIVED) => {
            archived(*refusal, &skill_id, &session)
        }
        error => refused(&error, &arguments.skill),
    })?;
    invoked.ignored_inputs.retain(|name| !filled.defaulted.contains(name));
    let prompt = mask(&invoked.rendered_prompt, &roster);
    if arguments.json {
        let ignored = invoked.ignored_inputs.iter().map(|name| ui.masked(name).into_owned());
        let canvases: &[CanvasSummary] = &invoked.canvases;
        let canvases = serde_json::to_value(canvases).expect("strings and lists");
        let output = InvokeV1 {
            version: VERSION,
            server: ui.masked(session.server.name()).into_owned(),
            skill_id: &skill_id,
            rendered_prompt: prompt,
            canvases: masked_json(&canvases, &roster),
            ignored_inputs: ignored.collect(),
        };
        ui.print_json(&output)?;
        return Ok(Exit::Done);
    }
    render::warn_ignored(&invoked.ignored_inputs, ui);
    if ui.can_ask() {
        ui.eprintln(FOR_AN_AGENT);
    }
    render::print(&prompt, ui)?;
    Ok(Exit::Done)
}

/// The inputs that are sent, and the names of those that were not given.
struct Filled {
    inputs: Option<Map<String, Value>>,
    defaulted: Vec<String>,
}

/// Sets the inputs that are optional in the `sprout.yaml` of the folder to an empty string, because
/// to a server every input is required.
fn fill_optional(inputs: Option<Map<String, Value>>, skill: &str) -> Result<Filled, CommandError> {
    let Some(found) = resolve::skill_in(skill)? else {
        return Ok(Filled { inputs, defaulted: Vec::new() });
    };
    let drafted = Drafted::load(&found).map_err(|error| CommandError::from(&error))?;
    let is_given = |name: &str| inputs.as_ref().is_some_and(|inputs| inputs.contains_key(name));
    let optional = drafted.draft.optional_inputs().filter(|name| !is_given(name));
    let defaulted: Vec<_> = optional.map(str::to_owned).collect();
    if defaulted.is_empty() {
        return Ok(Filled { inputs, defaulted });
    }
    let mut inputs = inputs.unwrap_or_default();
    inputs.extend(defaulted.iter().map(|name| (name.clone(), Value::from(""))));
    Ok(Filled { inputs: Some(inputs), defaulted })
}

/// Returns the inputs that a server reports as missing, if they can be typed without quotes.
fn missing(error: &ToolError) -> Option<Vec<&str>> {
    if error.reason.as_deref() != Some("MISSING_INPUT") {
        return None;
    }
    let names = error.details.as_ref()?["missing"].as_array()?;
    let is_plain = |name: &&str| name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let names: Option<Vec<_>> = names.iter().map(|name| name.as_str().filter(is_plain)).collect();
    names.filter(|names| !names.is_empty())
}

/// Returns the error of a skill that is archived, with its title if the server tells it.
fn archived(refusal: ToolError, id: &SkillId, session: &Session) -> CommandError {
    let stored = session.block_on(session.client.skill_get(id)).ok();
    let title =
        stored.map_or_else(|| "the skill".to_owned(), |it| format!("`{}`", it.skill.name.trim()));
    let message = format!("{title} is archived and can only be read");
    let refusal = ClientError::Refused(Box::new(ToolError { message, ..refusal }));
    call_errors::command_error(&refusal).help(resolve::unarchive_help(id, session))
}

/// A skill for the home agent alone is rendered by the home agent, and what is missing is typed.
fn refused(error: &ClientError, skill: &str) -> CommandError {
    let shown = call_errors::command_error(error);
    if let ClientError::Refused(refused) = error
        && let Some(names) = missing(refused)
    {
        return CommandError::new(call_errors::refusal_message(refused))
            .help(quote_in_full(&ways_to_give(names)))
            .exit(shown.exit_code());
    }
    let is_denied = matches!(error, ClientError::Refused(error)
        if error.code == ErrorCode::PermissionDenied
            && error.reason.as_deref() == Some("HOME_AGENT_ONLY"));
    if !is_denied {
        return shown;
    }
    let path =
        if std::path::Path::new(skill).exists() { escape_line(skill) } else { "PATH".into() };
    shown.help(message![
        "`dibber render ",
        quote_argument(&path),
        "` renders it here, for the home agent itself, from its folder"
    ])
}
