//! `dibber prompts` and `dibber prompt`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;
use serde_json::{Map, Value};

use super::call_errors;
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
use dibber_client::{ClientError, Content, PromptArgument, PromptInfo};
use dibber_skill::names::Roster;
use dibber_text::{Message, Shown, message, quote};

pub(super) const LIST_COMMAND: Command =
    Command { name: "prompts", define: define_list, run: run_list };

pub(super) const COMMAND: Command = Command { name: "prompt", define, run };

/// The version of the JSON shape.
const JSON_VERSION: u32 = 1;

/// The most arguments of a prompt that an error names.
const ARGUMENTS_SHOWN_MAX: usize = 12;

/// List the prompts of the server
#[derive(Args)]
struct PromptsArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Print a prompt of the server, filled in with arguments
#[derive(Args)]
struct GetArgs {
    /// The prompt, as `dibber prompts` lists it
    name: String,
    /// Its arguments: `name=Jay`
    #[arg(value_name = "ARGUMENT")]
    arguments: Vec<String>,
    /// Save images, audio and other bytes of the prompt as new files in this directory
    #[arg(long, short, value_name = "DIR", conflicts_with = "json")]
    output: Option<PathBuf>,
    /// Print the result as the server sent it, as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct PromptsV1 {
    version: u32,
    server: String,
    items: Vec<PromptV1>,
}

#[derive(Serialize)]
struct PromptV1 {
    name: String,
    title: Option<String>,
    description: Option<String>,
    arguments: Vec<ArgumentV1>,
}

#[derive(Serialize)]
struct ArgumentV1 {
    name: String,
    description: Option<String>,
    required: bool,
}

fn define_list(command: ClapCommand) -> ClapCommand {
    session::define(PromptsArgs::augment_args(command))
}

fn define(command: ClapCommand) -> ClapCommand {
    let get = session::define(GetArgs::augment_args(ClapCommand::new("get")));
    command
        .about("Get a prompt of the server")
        .subcommand(get)
        .disable_help_subcommand(true)
        .subcommand_required(true)
        .arg_required_else_help(true)
}

fn run_list(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: PromptsArgs = parse_args(matches);
    let session = Session::open(matches, ui)?;
    let roster = ui.names()?;
    let prompts = match session.block_on(session.client.prompts()) {
        // It lacks this part of the protocol, so it has none.
        Err(ClientError::UnknownMethod(_)) => Vec::new(),
        prompts => prompts.map_err(|error| session.command_error(&error))?,
    };
    if arguments.json {
        let items = prompts.iter().map(|prompt| json(prompt, &roster)).collect();
        ui.print_json(&PromptsV1 {
            version: JSON_VERSION,
            server: ui.masked(session.server.name()).into_owned(),
            items,
        })?;
        return Ok(Exit::Done);
    }
    if prompts.is_empty() {
        ui.eprintln("the server has no prompts");
        return Ok(Exit::Done);
    }
    let shown = list(&prompts, ui.sheet());
    ui.print(shown.as_bytes())?;
    Ok(Exit::Done)
}

fn json(prompt: &PromptInfo, roster: &Roster) -> PromptV1 {
    let shown = |text: &String| mask(text, roster);
    let arguments = prompt.arguments.iter().map(|argument| ArgumentV1 {
        name: shown(&argument.name),
        description: argument.description.as_ref().map(shown),
        required: argument.is_required,
    });
    PromptV1 {
        name: shown(&prompt.name),
        title: prompt.title.as_ref().map(shown),
        description: prompt.description.as_ref().map(shown),
        arguments: arguments.collect(),
    }
}

fn list(prompts: &[PromptInfo], mut sheet: Sheet) -> Rendered {
    for prompt in prompts {
        sheet.paint(Ink::Strong, &prompt.name);
        sheet.end_line();
        if let Some(description) = prompt.description.as_ref().or(prompt.title.as_ref()) {
            sheet.indent(2);
            sheet.wrap(2, description, None);
        }
        for argument in &prompt.arguments {
            let need = if argument.is_required { " (required)" } else { "" };
            let about = argument.description.as_ref().map(|about| format!(": {about}"));
            sheet.indent(4);
            sheet.wrap(6, &format!("{}{need}{}", argument.name, about.unwrap_or_default()), None);
        }
    }
    sheet.finish()
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let (_, matches) = matches.subcommand().expect("clap requires a command");
    let arguments: GetArgs = parse_args(matches);
    let given = parse(&arguments.arguments)?;
    let session = Session::open_interactive(matches, ui)?;
    let roster = ui.names()?;
    let mut page = ContentPage::new(arguments.output.as_deref(), ui)?;
    check(&arguments.name, &given, &session)?;
    let prompt = session.wait(session.client.prompt(&arguments.name, &given))?;
    if arguments.json {
        ui.print_json(&masked_json(prompt.json(), &roster))?;
        return Ok(Exit::Done);
    }
    // A prompt is usually one message, which needs no heading.
    let has_one = prompt.messages().count() == 1;
    for (role, content) in prompt.messages() {
        if !has_one {
            page.push(Content::Text(&format!("[{}]", Shown::to_be_masked(role))));
        }
        page.push(content);
    }
    page.print(ui)?;
    Ok(Exit::Done)
}

/// Refuses arguments that a prompt does not have, and a prompt without one that it requires. A prompt
/// that is not listed is left to the server.
fn check(name: &str, given: &Map<String, Value>, session: &Session) -> Result<(), CommandError> {
    let prompts = match session.block_on(session.client.prompts()) {
        Err(ClientError::UnknownMethod(_)) => return Ok(()),
        prompts => prompts.map_err(|error| call_errors::call_error(&error))?,
    };
    let Some(prompt) = prompts.iter().find(|prompt| prompt.name == name) else { return Ok(()) };
    let is_listed = |name: &String| prompt.arguments.iter().any(|known| known.name == *name);
    if let Some(unknown) = given.keys().find(|name| !is_listed(name)) {
        return Err(unknown_argument(prompt, unknown));
    }
    let is_missing =
        |argument: &&PromptArgument| argument.is_required && !given.contains_key(&argument.name);
    let Some(missing) = prompt.arguments.iter().find(is_missing) else { return Ok(()) };
    let (prompt, argument) = (quote(name), quote(&missing.name));
    let message = message!["the prompt `", prompt, "` needs the argument `", argument, "`"];
    let about = missing.description.as_deref().unwrap_or_default();
    let help = message!["add `", quote(&missing.name), "=…`"];
    Err(CommandError::new(message).exit(Exit::Usage).help(if about.is_empty() {
        help
    } else {
        message![help, ": ", quote(about)]
    }))
}

/// Returns the error for an argument that a prompt does not have.
fn unknown_argument(prompt: &PromptInfo, unknown: &str) -> CommandError {
    let (name, unknown) = (quote(&prompt.name), quote(unknown));
    let message = message!["the prompt `", name, "` has no argument `", unknown, "`"];
    let known = prompt.arguments.iter().take(ARGUMENTS_SHOWN_MAX);
    let known: Vec<_> = known.map(|it| message!["`", quote(&it.name), "`"]).collect();
    let rest = if prompt.arguments.len() > ARGUMENTS_SHOWN_MAX { ", …" } else { "" };
    let help = if known.is_empty() {
        message!["it takes no arguments"]
    } else {
        message!["it takes ", Message::join(known, ", "), rest]
    };
    CommandError::new(message).exit(Exit::Usage).help(help)
}

/// Parses the arguments of a prompt, which are strings, each once.
fn parse(typed: &[String]) -> Result<Map<String, Value>, CommandError> {
    let mut arguments = Map::new();
    for typed in typed {
        let Some((name, value)) = typed.split_once('=').filter(|(name, _)| !name.is_empty()) else {
            let message = message!["invalid argument `", quote(typed), "`: it has no name"];
            return Err(CommandError::new(message).help("write it as `name=Jay`"));
        };
        if arguments.insert(name.to_owned(), value.into()).is_some() {
            return Err(CommandError::new(message!["duplicate argument `", quote(name), "`"])
                .help("remove one"));
        }
    }
    Ok(arguments)
}
