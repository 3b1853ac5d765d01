//! `dibber new`, which offers to publish the new skill to the server in this program.

use clap::ArgMatches;

use super::local_children;
use super::push;
use super::server_options;
use crate::cli::command::Command;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::new::{self as local, Made};
use crate::cli::term::answer_line::yes_or_no;
use crate::cli::term::ask::{Asker, Reply};
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::ServerTarget;
use dibber_skill::discover::shown_path;
use dibber_text::{message, quote_argument};
use std::path::Path;

/// The local command with an offer at its end.
pub(super) const COMMAND: Command =
    Command { name: local::COMMAND.name, define: local::COMMAND.define, run };

/// What is asked once the files are written.
const QUESTION: &str = "\
Publish it now on this computer? You see it first, and are asked once more. (yes or no)";
/// What the question means.
const EXPLANATION: &str = "\
The agents that use dibber on this computer can run a skill once it is published. With `no` it stays \
a folder, which you can publish later. Type yes or no.";
/// What is shown at Ctrl-C when the files are written.
const NOTHING_PUBLISHED: &str = "The files are written. Nothing was published.";

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    local_children::add_children_of_selected(ui);
    let folder = match local::make(matches, ui)? {
        Made::Ended(exit) => return Ok(exit),
        Made::Skill(folder) => folder,
    };
    let push_matches = push::arguments_of(&folder)?;
    let server = server_options::select(&push_matches)?;
    if matches!(server.selection.target, ServerTarget::Local { .. }) {
        let roster = ui.names()?;
        Interrupt::watch()?.set_last_message(|| Some(NOTHING_PUBLISHED.into()));
        if is_to_be_published(&folder, &mut Asker::new(ui, &roster))? {
            return (push::COMMAND.run)(&push_matches, ui);
        }
    }
    local::show_next_steps(ui, &folder);
    ui.eprintln(message!["  4. dibber push ", quote_argument(&shown_path(&folder))]);
    Ok(Exit::Done)
}

/// Asks whether to publish the new skill. From here no answer leads back, since the files are
/// written.
fn is_to_be_published(folder: &Path, asker: &mut Asker<'_>) -> Result<bool, CommandError> {
    let mut reply = asker.reply(QUESTION, &[], Some("yes"))?;
    loop {
        match reply {
            Reply::Given(typed) if typed.is_empty() => return Ok(true),
            Reply::Given(typed) => match yes_or_no(&typed) {
                Some(answer) => return Ok(answer),
                None => asker.show_error(&CommandError::new("type yes or no")),
            },
            Reply::Help => asker.eprintln(EXPLANATION),
            Reply::Back => {
                let edit = message!["`dibber edit ", quote_argument(&shown_path(folder)), "`"];
                asker.eprintln(message![
                    "The files are written; ",
                    edit,
                    " changes the answers. Publish it now? (yes or no)"
                ]);
            }
        }
        reply = asker.reply_again()?;
    }
}
