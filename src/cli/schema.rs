//! `dibber schema`.

use clap::builder::PossibleValuesParser;
use clap::{ArgMatches, Args};

use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::term::ui::Ui;
use dibber_skill::manifest;

pub(super) const COMMAND: Command =
    Command { name: "schema", define: SchemaArgs::augment_args, run };

/// Every file that has a schema, and the schema.
const SCHEMAS: [(&str, &str); 1] = [("sprout", manifest::SCHEMA)];

/// Print the JSON Schema of a file, for editors and other tools
///
/// An editor that knows YAML checks and completes a sprout.yaml with it. Write it to a file:
///
///   dibber schema sprout > sprout.schema.json
///
/// and begin the sprout.yaml with its path as seen from there:
///
///   # yaml-language-server: $schema=../sprout.schema.json
#[derive(Args)]
#[command(verbatim_doc_comment, arg_required_else_help = true)]
struct SchemaArgs {
    /// The file: sprout for sprout.yaml, which says how a skill is published
    #[arg(value_parser = PossibleValuesParser::new(SCHEMAS.map(|(name, _)| name)))]
    file: String,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: SchemaArgs = parse_args(matches);
    let schema = SCHEMAS.iter().find(|(name, _)| *name == arguments.file);
    ui.print(schema.expect("clap has checked the name").1.as_bytes())?;
    Ok(Exit::Done)
}
