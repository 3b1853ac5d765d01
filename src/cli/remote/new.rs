//! `dibber new`, which publishes the new skill to the server in this program, if that is wanted.

use clap::ArgMatches;

use super::local_children;
use super::push;
use super::server_options;
use crate::cli::command::Command;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::new::{self as local, Made};
use crate::cli::term::ui::Ui;
use dibber_client::ServerTarget;
use dibber_skill::discover::shown_path;
use dibber_text::{message, quote_argument};
use std::path::Path;

/// The local command, which can publish at its end.
pub(super) const COMMAND: Command =
    Command { name: local::COMMAND.name, define: local::COMMAND.define, run };

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    local_children::add_children_of_selected(ui);
    let skill = match local::make(matches, is_local_selected(), ui)? {
        Made::Ended(exit) => return Ok(exit),
        Made::Skill(skill) => skill,
    };
    if skill.is_to_be_published {
        return (push::COMMAND.run)(&push::arguments_of(&skill.folder)?, ui);
    }
    local::show_next_steps(ui, &skill.folder);
    let path = shown_path(&skill.folder);
    ui.eprint_command("  4. ", message!["dibber push ", quote_argument(&path)]);
    Ok(Exit::Done)
}

/// Returns `true` if a push goes to the server in this program. What is wrong with the configuration
/// is reported by the push.
fn is_local_selected() -> bool {
    let selected = push::arguments_of(Path::new(".")).and_then(|it| server_options::select(&it));
    selected.is_ok_and(|it| matches!(it.selection.target, ServerTarget::Local { .. }))
}
