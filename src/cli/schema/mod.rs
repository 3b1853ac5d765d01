//! `dibber schema`.

pub(super) mod commands;
pub(super) mod files;
mod tools;

use clap::builder::PossibleValue;
use clap::{Arg, ArgMatches, Args, Command as ClapCommand};

use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::flags::OutputFile;
use super::term::ui::Ui;
use dibber_skill::function_tool::FunctionTool;
use files::{FileSchema, SCHEMAS};

pub(super) const COMMAND: Command = Command { name: "schema", define, run };

/// The columns of the names in the list.
const NAME_COLUMNS: usize = 23;

/// A schema, as the list shows it.
pub(super) struct Listed {
    pub(super) name: &'static str,
    pub(super) description: String,
}

/// Print the JSON Schema of a file, a command or a tool
///
/// Without a name, lists what can be printed.
///
/// An editor that knows YAML checks and completes a sprout.yaml with its schema. Write it:
///
///   dibber schema sprout -o sprout.schema.json
///
/// and begin the sprout.yaml with its path as seen from there:
///
///   # yaml-language-server: $schema=../sprout.schema.json
///
/// For dibber.toml, the first line is for editors with Taplo, such as Even Better TOML:
///
///   #:schema ./dibber-toml.schema.json
///
/// The schema of the arguments of a tool is the one that the embedded server sends to its clients.
/// `safety-input` and `safety-output` are what the program of `[safety] command` reads and writes.
///
/// Print the tools of the Skills Protocol, those of the embedded server, or a skill with a skill.toml
/// as definitions for function calling:
///
///   dibber schema tools --for anthropic
///   dibber schema tools --for openai-strict ./family.dates.countdown
#[derive(Args)]
#[command(verbatim_doc_comment)]
struct SchemaArgs {
    /// A name of the list: sprout for the file sprout.yaml, the command that prints the JSON, such as
    /// `lint` or `heartbeat-list`, or the name of a tool such as `skill_write`
    #[arg(id = NAME, index = 1, value_name = "NAME", hide_possible_values = true)]
    name: Option<String>,

    /// With `tools --for`: the names of tools; `protocol`, the default, for all of the Skills Protocol;
    /// `server` for all of dibber's; or the folder of a skill with a skill.toml
    #[arg(index = 2, value_name = "TOOL", requires = "format")]
    tools: Vec<String>,

    /// With `tools`: print definitions for function calling in this form
    #[arg(long = "for", id = "format", value_name = "FORMAT")]
    format: Option<tools::Format>,

    #[command(flatten)]
    output: OutputFile,
}

/// The name of the schema of `dibber tools --json`, and of the definitions of tools.
const TOOLS: &str = "tools";

/// The id of the argument.
const NAME: &str = "name";

fn define(command: ClapCommand) -> ClapCommand {
    define_with(command, [])
}

/// Adds the definition, with these names besides those of files.
pub(super) fn define_with(
    command: ClapCommand,
    names: impl IntoIterator<Item = PossibleValue>,
) -> ClapCommand {
    let value = |schema: &FileSchema| {
        PossibleValue::new(schema.name).aliases(commands::aliases(schema.name))
    };
    let files = SCHEMAS.iter().map(value);
    let names: Vec<_> = files.chain(names).collect();
    SchemaArgs::augment_args(command).mut_arg(NAME, |name: Arg| name.value_parser(names))
}

/// Returns the name that was typed.
pub(super) fn name(matches: &ArgMatches) -> Option<String> {
    let name = parse_args::<SchemaArgs>(matches).name?;
    Some(commands::schema_name(&name).to_owned())
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    if let Some(exit) = write_definitions(&[], matches, ui)? {
        return Ok(exit);
    }
    let Some(name) = name(matches) else { return list([], matches, ui) };
    let is_named = |schema: &&FileSchema| schema.name == name;
    let schema = SCHEMAS.iter().find(is_named).expect("clap has checked the name");
    write(schema.text.as_bytes(), matches, ui)
}

/// Writes the definitions of tools, if they are wanted.
pub(super) fn write_definitions(
    server: &[FunctionTool],
    matches: &ArgMatches,
    ui: &mut Ui,
) -> Result<Option<Exit>, CommandError> {
    let arguments: SchemaArgs = parse_args(matches);
    let Some(format) = arguments.format else { return Ok(None) };
    if arguments.name.as_deref() != Some(TOOLS) {
        let error = CommandError::new("only definitions of tools have a form");
        return Err(error.help("write `dibber schema tools --for FORMAT`"));
    }
    let json = tools::definitions(format, &arguments.tools, server, ui)?;
    write(&json, matches, ui).map(Some)
}

/// Writes a schema or the list of them to where it is wanted.
pub(super) fn write(bytes: &[u8], matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    parse_args::<SchemaArgs>(matches).output.output().write(bytes, ui)?;
    Ok(Exit::Done)
}

/// Lists the schemas of files and commands, and these.
pub(super) fn list(
    more: impl IntoIterator<Item = Listed>,
    matches: &ArgMatches,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let files = SCHEMAS
        .iter()
        .map(|schema| Listed { name: schema.name, description: schema.description.to_owned() });
    let lines: String = files
        .chain(more)
        .map(|Listed { name, description }| format!("{name:<NAME_COLUMNS$}{description}\n"))
        .collect();
    write(lines.as_bytes(), matches, ui)
}
