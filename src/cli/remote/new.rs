//! `dibber new`, which offers to publish the new skill to the server in this program.

use clap::ArgMatches;

use super::push;
use super::server_options;
use crate::cli::command::Command;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::new::{self as local, Made};
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::ServerTarget;

/// The local command with an offer at its end.
pub(super) const COMMAND: Command =
    Command { name: local::COMMAND.name, define: local::COMMAND.define, run };

/// What is shown at Ctrl-C when the files are written.
const NOTHING_PUBLISHED: &str = "The files are written. Nothing was published.";

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let folder = match local::make(matches, ui)? {
        Made::Ended(exit) => return Ok(exit),
        Made::Skill(folder) => folder,
    };
    let push_matches = push::arguments_of(&folder)?;
    let server = server_options::select(&push_matches)?;
    if matches!(server.selection.target, ServerTarget::Local { .. }) {
        let roster = ui.names()?;
        Interrupt::watch()?.set_last_message(|| Some(NOTHING_PUBLISHED.into()));
        let question =
            "Publish it now on this computer? You see it first, and are asked once more.";
        if Asker::new(ui, &roster).confirm(question, true)? {
            return (push::COMMAND.run)(&push_matches, ui);
        }
    }
    local::show_next_steps(ui, &folder);
    Ok(Exit::Done)
}
