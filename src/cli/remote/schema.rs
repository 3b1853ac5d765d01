//! `dibber schema`, with the arguments of the tools of the embedded server.

use clap::builder::PossibleValue;
use clap::{ArgMatches, Command as ClapCommand};

use crate::cli::command::Command;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::schema::{self as local, Listed};
use crate::cli::term::ui::Ui;
use dibber_lint::report::write_json_pretty;
use dibber_server::{ToolArguments, safety_input_schema, safety_output_schema, tool_arguments};
use dibber_skill::function_tool::FunctionTool;
use serde_json::{Map, Value};

/// A schema of the safety check, which is not that of a tool.
struct SafetySchema {
    name: &'static str,
    description: &'static str,
    schema: fn() -> Map<String, Value>,
}

const SAFETY_SCHEMAS: [SafetySchema; 2] = [
    SafetySchema {
        name: "safety-input",
        description: "what the program of `[safety] command` reads",
        schema: safety_input_schema,
    },
    SafetySchema {
        name: "safety-output",
        description: "what it writes: its verdict",
        schema: safety_output_schema,
    },
];

/// The local command with the tools.
pub(super) const COMMAND: Command = Command { name: local::COMMAND.name, define, run };

/// Adds the names of the tools, each also in its spelling with a dot.
fn define(command: ClapCommand) -> ClapCommand {
    let names = tool_arguments().map(|arguments| {
        PossibleValue::new(arguments.tool).alias(arguments.tool.replacen('_', ".", 1))
    });
    let safety = SAFETY_SCHEMAS.map(|schema| PossibleValue::new(schema.name));
    local::define_with(command, names.chain(safety))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    if let Some(exit) = local::write_definitions(&server_tools(), matches, ui)? {
        return Ok(exit);
    }
    let Some(name) = local::name(matches) else {
        let tools = tool_arguments().map(|ToolArguments { tool, title, .. }| Listed {
            name: tool,
            description: format!("the arguments of the tool: {title}"),
        });
        let safety = SAFETY_SCHEMAS
            .iter()
            .map(|schema| Listed { name: schema.name, description: schema.description.to_owned() });
        return local::list(tools.chain(safety), matches, ui);
    };
    if let Some(safety) = SAFETY_SCHEMAS.iter().find(|schema| schema.name == name) {
        return write(&(safety.schema)(), matches, ui);
    }
    let is_named = |arguments: &ToolArguments| arguments.tool == name.replacen('.', "_", 1);
    let Some(arguments) = tool_arguments().find(is_named) else {
        return (local::COMMAND.run)(matches, ui);
    };
    write(arguments.schema(), matches, ui)
}

/// Returns the tools of the embedded server.
fn server_tools() -> Vec<FunctionTool> {
    let tool = |arguments: ToolArguments| FunctionTool {
        name: arguments.tool.to_owned(),
        description: arguments.description.to_owned(),
        parameters: arguments.schema().clone(),
    };
    tool_arguments().map(tool).collect()
}

fn write(
    schema: &Map<String, Value>,
    matches: &ArgMatches,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let mut json = Vec::new();
    write_json_pretty(schema, &mut json);
    local::write(&json, matches, ui)
}
