//! `dibber inbox show`.

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::json::{InboxV1, VERSION};
use super::{cards, find};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;

pub(super) const ACTION: Command = Command { name: "show", define, run };

/// Show all of a card
#[derive(Args)]
struct ShowArgs {
    /// The card: its id, or the beginning of it
    #[arg(value_name = "ID")]
    card: String,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(ShowArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ShowArgs = parse_args(matches);
    let session = Session::open(matches, ui)?;
    let ids = find::resolve(&[arguments.card], &session)?;
    let card = session.wait(session.client.card(&ids[0]))?;
    if arguments.json {
        let server = ui.masked(session.server.name()).into_owned();
        let items = vec![card];
        ui.print_json(&InboxV1 {
            version: VERSION,
            server,
            items,
            has_gap: false,
            next_cursor: None,
        })?;
        return Ok(Exit::Done);
    }
    let names = cards::skill_names(&session);
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    ui.print(cards::whole(&card, &names, style).as_bytes())?;
    Ok(Exit::Done)
}
