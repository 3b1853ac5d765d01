//! The heartbeats that a server keeps: making, describing, listing and changing them.

mod arguments;
mod change;
mod create;
mod describe;
mod find;
mod json;
mod list;
mod members;
mod page;
mod plan;
mod sources;
mod write;

use clap::{ArgMatches, Command as ClapCommand};

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::session::{self, Session};
use crate::cli::term::ui::Ui;

pub(super) use arguments::KeptAction;

/// Adds the options that say which server is meant.
pub(super) fn define(command: ClapCommand) -> ClapCommand {
    arguments::NAMES
        .iter()
        .fold(command, |command, name| command.mut_subcommand(*name, session::define))
}

pub(super) fn run(
    action: KeptAction,
    matches: &ArgMatches,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let (_, matches) = matches.subcommand().expect("clap requires an action");
    let open = || Session::open(matches);
    match action {
        KeptAction::Create(typed) => create::run(&typed, open, ui),
        KeptAction::Describe(typed) => describe::run(&typed, open, ui),
        KeptAction::List(typed) => list::run(&typed, &open()?, ui),
        KeptAction::Edit(typed) => change::edit(&typed, open, ui),
        KeptAction::Pause(typed) => change::pause(&typed, open, ui),
        KeptAction::Resume(typed) => change::resume(&typed, open, ui),
        KeptAction::Cancel(typed) => change::cancel(&typed, open, ui),
        KeptAction::Members(typed) => members::run(&typed, &open()?, ui),
    }
}
