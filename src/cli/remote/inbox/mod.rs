//! `dibber inbox`: what the family's skills have reported.

pub(super) mod cards;
mod find;
mod follow;
mod json;
mod list;
mod show;
mod sort;

use clap::{ArgMatches, Args, Command as ClapCommand};

use crate::cli::command::Command;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session;
use crate::cli::term::ui::Ui;

pub(super) const COMMAND: Command = Command { name: "inbox", define, run };

/// Every action, in the order of the help.
const ACTIONS: &[Command] = &[list::ACTION, show::ACTION, sort::READ, sort::ARCHIVE];

/// Read what your skills have reported
///
/// A skill that has run leaves a card in the family's inbox, and so does a schedule that had to be
/// paused. Without an action, the new cards are listed.
#[derive(Args)]
struct InboxArgs {
    #[command(flatten)]
    list: list::ListArgs,
}

fn define(command: ClapCommand) -> ClapCommand {
    let actions = ACTIONS.iter().map(|action| (action.define)(ClapCommand::new(action.name)));
    session::define(InboxArgs::augment_args(command))
        .args_conflicts_with_subcommands(true)
        .disable_help_subcommand(true)
        .subcommands(actions)
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let Some((name, below)) = matches.subcommand() else { return (list::ACTION.run)(matches, ui) };
    let action = ACTIONS.iter().find(|action| action.name == name);
    (action.expect("clap knows only these actions").run)(below, ui)
}
