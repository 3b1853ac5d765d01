//! `dibber acp`: skills for editors and agents that speak the Agent Client Protocol.

mod agent_process;
mod browse;
mod emit;
mod proxy;
mod pump;
mod read_line;

use clap::{ArgMatches, Command as ClapCommand};

use super::command::Command;
use super::error::CommandError;
use super::exit::Exit;
use super::term::ui::Ui;

pub(super) const COMMAND: Command = Command { name: "acp", define, run };

/// Every action, in the order of the help.
const ACTIONS: &[Command] = &[emit::ACTION, proxy::ACTION, browse::ACTION];

fn define(command: ClapCommand) -> ClapCommand {
    let actions = ACTIONS.iter().map(|action| (action.define)(ClapCommand::new(action.name)));
    command
        .about("Give skills to the agents of editors (Agent Client Protocol)")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
        .subcommands(actions)
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let (name, matches) = matches.subcommand().expect("clap requires an action");
    let action = ACTIONS.iter().find(|action| action.name == name);
    (action.expect("clap knows only these actions").run)(matches, ui)
}
