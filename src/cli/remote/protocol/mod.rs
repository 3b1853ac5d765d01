//! `dibber protocol`: the eight methods of the Skills Protocol, at any server.

mod blob_checks;
mod blobs;
mod cat;
mod code;
mod data_output;
mod describe;
mod get_blob;
mod guide;
mod list;
mod mime;
mod put_blob;
mod rpc_session;
mod run;
mod run_options;
mod run_output;

use clap::{ArgMatches, Command as ClapCommand};

use crate::cli::command::Command;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;

pub(super) const COMMAND: Command = Command { name: "protocol", define, run };

/// Every action, in the order of the help.
const ACTIONS: &[Command] = &[
    list::ACTION,
    describe::ACTION,
    cat::ACTION,
    run::ACTION,
    code::ACTION,
    put_blob::ACTION,
    get_blob::ACTION,
    guide::ACTION,
];

fn define(command: ClapCommand) -> ClapCommand {
    let actions = ACTIONS.iter().map(|action| (action.define)(ClapCommand::new(action.name)));
    command
        .about("Use any server of the Skills Protocol")
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
