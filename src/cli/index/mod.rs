//! `dibber index`.

mod arguments;
mod check;
#[cfg(feature = "remote")]
mod check_url;
mod checked;
mod json;
mod write;

use clap::{ArgMatches, Args};

use self::arguments::IndexArgs;
use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::term::ui::Ui;

pub(super) const COMMAND: Command = Command { name: "index", define: IndexArgs::augment_args, run };

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: IndexArgs = parse_args(matches);
    match (&arguments.check, &arguments.output) {
        (Some(site), _) => check::run(site, arguments.json, ui),
        (None, Some(directory)) => write::run(directory, &arguments, ui),
        (None, None) => unreachable!("clap requires one of them"),
    }
}
