//! `dibber edit`, which says how to publish what it has changed in a published skill.

use clap::ArgMatches;

use super::local_children;
use super::push;
use super::server_options::{self, SelectedServer, server_option};
use crate::cli::command::Command;
use crate::cli::edit::{self as local, Edited, EditedSkill};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{LockKey, RecordedLink, recorded_links};
use dibber_text::{message, quote_argument, quote_in_full};

/// The local command with the next step at its end.
pub(super) const COMMAND: Command =
    Command { name: local::COMMAND.name, define: local::COMMAND.define, run };

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    local_children::add_children_of_selected(ui);
    let edited = match local::edit(matches, ui)? {
        Edited::Ended(exit) => return Ok(exit),
        Edited::Written(edited) => edited,
    };
    // A `dibber.lock` that cannot be read is what the next push reports.
    let links = recorded_links(&LockKey::new(&edited.found.directory)).unwrap_or_default();
    show_next_step(&edited, &links, ui);
    Ok(Exit::Done)
}

/// Shows the command that publishes the skill to a server that has it. The files are written, so
/// that what is wrong with the configuration does not matter here: the next push reports it.
fn show_next_step(edited: &EditedSkill, links: &[RecordedLink], ui: &mut Ui) {
    let EditedSkill { found, has_other_inputs } = edited;
    let mut addresses = links.iter().filter_map(|link| link.address.as_deref());
    let Some(first) = addresses.clone().next() else { return };
    let path = if found.shown.is_empty() { "." } else { &found.shown };
    let selected = push::arguments_of(&found.directory)
        .and_then(|arguments| server_options::select(&arguments))
        .ok();
    let selected = selected.as_ref().map(SelectedServer::name);
    let is_selected = addresses.any(|address| selected == Some(address));
    let server = if is_selected { String::new() } else { server_option(first) };
    let (path, server) = (quote_argument(path), quote_in_full(&server));
    ui.eprintln(if *has_other_inputs {
        let next = message!["Next: `dibber push --new ", path, server, "` publishes it as a new "];
        message![next, "skill, because the inputs of a published one cannot be changed."]
    } else {
        message!["Next: `dibber push ", path, server, "` publishes it."]
    });
}
