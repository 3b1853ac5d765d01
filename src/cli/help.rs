//! `dibber help`.

use std::iter;

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::command::parse_args;
use super::error::CommandError;
use super::exit::Exit;
use super::term::pager;
use super::term::style::Color;
use super::term::ui::Ui;
use super::unknown_command;

/// Describe a command
///
/// A page that is longer than the terminal is shown with the program of the variable `PAGER`, or with
/// `less`.
#[derive(Args)]
struct HelpArgs {
    /// The command, such as `lint` or `heartbeat create`; without it, all commands
    #[arg(value_name = "COMMAND")]
    words: Vec<String>,
}

/// Adds the arguments to a clap command.
pub(super) fn define(command: ClapCommand) -> ClapCommand {
    HelpArgs::augment_args(command)
}

/// Shows the help of a command of the command line that `definition` describes.
pub(super) fn run(
    matches: &ArgMatches,
    definition: &ClapCommand,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let arguments: HelpArgs = parse_args(matches);
    let mut command = definition;
    for (place, word) in arguments.words.iter().enumerate() {
        let Some(found) = command.find_subcommand(word) else {
            let parents: Vec<&str> = arguments.words[..place].iter().map(String::as_str).collect();
            return Err(unknown_command::error(definition, &parents, word));
        };
        command = found;
    }
    // clap chooses between the long help and the short one, so it is asked as it would be typed.
    let words = arguments.words.iter().map(String::as_str);
    let line = iter::once("dibber").chain(words).chain(["--help"]);
    let Err(help) = definition.clone().try_get_matches_from(line) else {
        unreachable!("`--help` is an error for clap");
    };
    let help = match ui.stdout_color() {
        Color::Always => help.render().ansi().to_string(),
        Color::Never => help.render().to_string(),
    };
    let is_long = ui.height().is_some_and(|lines| help.lines().count() >= lines);
    if !(is_long && pager::show(&help)) {
        ui.print(help.as_bytes())?;
    }
    Ok(Exit::Done)
}
