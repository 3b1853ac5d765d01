//! `dibber database`.

mod copy;

use clap::{ArgMatches, Args, Command as ClapCommand, Subcommand};

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;

pub(super) const COMMAND: Command = Command { name: "database", define, run };

/// Copy families between databases
///
/// A database is a directory with a SQLite database, or a PostgreSQL database with the address
/// `postgres://USER@HOST/NAME`. `dibber serve --database` serves either.
#[derive(Args)]
struct DatabaseArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    Copy(copy::CopyArgs),
}

fn define(command: ClapCommand) -> ClapCommand {
    DatabaseArgs::augment_args(command)
        .subcommand_required(true)
        .arg_required_else_help(true)
        .disable_help_subcommand(true)
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: DatabaseArgs = parse_args(matches);
    match typed.action {
        Action::Copy(typed) => copy::run(&typed, ui),
    }
}
