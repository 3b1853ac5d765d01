//! `dibber schema`, with the arguments of the tools of the embedded server.

use clap::builder::PossibleValue;
use clap::{ArgMatches, Command as ClapCommand};

use crate::cli::command::Command;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::schema::{self as local, Listed};
use crate::cli::term::ui::Ui;
use dibber_server::{ToolArguments, tool_arguments};

/// The local command with the tools.
pub(super) const COMMAND: Command = Command { name: local::COMMAND.name, define, run };

/// Adds the names of the tools, each also in its spelling with a dot.
fn define(command: ClapCommand) -> ClapCommand {
    let names = tool_arguments().map(|arguments| {
        PossibleValue::new(arguments.tool).alias(arguments.tool.replacen('_', ".", 1))
    });
    local::define_with(command, names)
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let Some(name) = local::name(matches) else {
        let tools = tool_arguments().map(|ToolArguments { tool, title, .. }| Listed {
            name: tool,
            description: format!("the arguments of the tool: {title}"),
        });
        return local::list(tools, ui);
    };
    let is_named = |arguments: &ToolArguments| arguments.tool == name.replacen('.', "_", 1);
    let Some(arguments) = tool_arguments().find(is_named) else {
        return (local::COMMAND.run)(matches, ui);
    };
    ui.print_json(arguments.schema())?;
    Ok(Exit::Done)
}
