//! What a command is, for the list of all commands.

use clap::{ArgMatches, Command as ClapCommand, FromArgMatches};

use super::error::CommandError;
use super::exit::Exit;
use super::term::ui::Ui;

/// One command: its name, how its arguments are defined, and what it does.
#[derive(Clone, Copy)]
pub struct Command {
    /// The name as it is typed.
    pub name: &'static str,
    /// Adds the help and the arguments to a clap command.
    pub(super) define: fn(ClapCommand) -> ClapCommand,
    /// Runs the command.
    pub(super) run: fn(&ArgMatches, &mut Ui) -> Result<Exit, CommandError>,
}

/// Returns the arguments of a command as its own type.
///
/// clap has parsed the command line with the definition of this type before, so this cannot fail
/// for what a user types.
pub(super) fn parse_args<A: FromArgMatches>(matches: &ArgMatches) -> A {
    match A::from_arg_matches(matches) {
        Ok(arguments) => arguments,
        Err(error) => unreachable!("the definition and the type differ: {error}"),
    }
}
