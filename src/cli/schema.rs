//! `dibber schema`.

use clap::builder::PossibleValue;
use clap::{Arg, ArgMatches, Args, Command as ClapCommand};

use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::term::ui::Ui;
use dibber_skill::manifest;

pub(super) const COMMAND: Command = Command { name: "schema", define, run };

/// The columns of the names in the list.
const NAME_COLUMNS: usize = 23;

/// The name of the schema of `sprout.yaml`.
const MANIFEST: &str = "sprout";

/// A schema, as the list shows it.
pub(super) struct Listed {
    pub(super) name: &'static str,
    pub(super) description: String,
}

/// Print the JSON Schema of a file or of the arguments of a tool
///
/// Without a name, lists what can be printed.
///
/// An editor that knows YAML checks and completes a sprout.yaml with its schema. Write it:
///
///   dibber schema sprout > sprout.schema.json
///
/// and begin the sprout.yaml with its path as seen from there:
///
///   # yaml-language-server: $schema=../sprout.schema.json
///
/// The schema of the arguments of a tool is the one that the embedded server sends to its clients.
/// `safety-input` and `safety-output` are what the program of `[safety] command` reads and writes.
#[derive(Args)]
#[command(verbatim_doc_comment)]
struct SchemaArgs {
    /// sprout for the file sprout.yaml, or the name of a tool such as `skill_write`
    #[arg(id = NAME, value_name = "NAME", hide_possible_values = true)]
    name: Option<String>,
}

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
    let names: Vec<_> = [PossibleValue::new(MANIFEST)].into_iter().chain(names).collect();
    SchemaArgs::augment_args(command).mut_arg(NAME, |name: Arg| name.value_parser(names))
}

/// Returns the name that was typed.
pub(super) fn name(matches: &ArgMatches) -> Option<String> {
    parse_args::<SchemaArgs>(matches).name
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    if name(matches).is_none() {
        return list([], ui);
    }
    // It is the only one; clap has checked the name.
    ui.print(manifest::SCHEMA.as_bytes())?;
    Ok(Exit::Done)
}

/// Lists the schemas of files, and these.
pub(super) fn list(
    more: impl IntoIterator<Item = Listed>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let description = "the file sprout.yaml, which says how a skill is published".to_owned();
    let listed = [Listed { name: MANIFEST, description }].into_iter().chain(more);
    let lines: String = listed
        .map(|Listed { name, description }| format!("{name:<NAME_COLUMNS$}{description}\n"))
        .collect();
    ui.print(lines.as_bytes())?;
    Ok(Exit::Done)
}
