//! `dibber skill`.

mod archive;
mod get;
mod link;
mod linked_heartbeats;
mod list;
mod post_result;
mod update;

use clap::{ArgMatches, Command as ClapCommand};

use crate::cli::command::Command;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;

pub(super) const COMMAND: Command = Command { name: "skill", define, run };

/// Every action, in the order of the help.
const ACTIONS: &[Command] = &[
    list::ACTION,
    get::ACTION,
    update::ACTION,
    post_result::ACTION,
    archive::ARCHIVE,
    archive::UNARCHIVE,
    link::LINK,
    link::UNLINK,
];

fn define(command: ClapCommand) -> ClapCommand {
    let actions = ACTIONS.iter().map(|action| (action.define)(ClapCommand::new(action.name)));
    command
        .about("Show and change the skills of a server")
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
