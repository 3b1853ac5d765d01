//! `dibber new`, which offers to publish the new skill to the server in this program.

use std::path::Path;

use clap::{ArgMatches, Command as ClapCommand};

use super::push;
use super::server_options;
use crate::cli::command::Command;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::new::{self as local, Made};
use crate::cli::term::ask::Asker;
use crate::cli::term::ui::Ui;
use dibber_client::ServerTarget;

/// The local command with an offer at its end.
pub(super) const COMMAND: Command =
    Command { name: local::COMMAND.name, define: local::COMMAND.define, run };

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let folder = match local::make(matches, ui)? {
        Made::Ended(exit) => return Ok(exit),
        Made::Skill(folder) => folder,
    };
    let push_matches = push_matches(&folder)?;
    let server = server_options::select(&push_matches)?;
    if matches!(server.selection.target, ServerTarget::Local { .. }) {
        let roster = ui.names()?;
        let question =
            "Publish it now on this computer? You see it first, and are asked once more.";
        if Asker::new(ui, &roster).confirm(question, true)? {
            return (push::COMMAND.run)(&push_matches, ui);
        }
    }
    local::show_next_steps(ui, &folder);
    Ok(Exit::Done)
}

/// Returns the arguments of a push of this folder.
fn push_matches(folder: &Path) -> Result<ArgMatches, CommandError> {
    let command = (push::COMMAND.define)(ClapCommand::new(push::COMMAND.name));
    let arguments = [push::COMMAND.name.as_ref(), folder.as_os_str()];
    command
        .try_get_matches_from(arguments)
        .map_err(|_| CommandError::new("this folder cannot be published from here"))
}
