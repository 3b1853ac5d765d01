//! `dibber inbox read` and `dibber inbox archive`.

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::find;
use super::json::{ChangeV1, VERSION};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_skill::contract::{CardState, InboxUpdate, PAGE_ITEMS_MAX, ResultId};
use dibber_text::{message, quote_in_full};

pub(super) const READ: Command = Command { name: "read", define: define_read, run: read };
pub(super) const ARCHIVE: Command =
    Command { name: "archive", define: define_archive, run: archive };

/// Mark cards as read
///
/// A card that was put away comes back.
#[derive(Args)]
struct ReadArgs {
    #[command(flatten)]
    cards: Cards,
}

/// Put cards away, so that they are no longer listed
#[derive(Args)]
struct ArchiveArgs {
    #[command(flatten)]
    cards: Cards,
}

#[derive(Args)]
struct Cards {
    /// The cards: their ids, or the beginnings of them
    #[arg(value_name = "ID", required_unless_present = "all")]
    named: Vec<String>,

    /// All that are listed: for `read` the new ones, for `archive` also those that were read
    #[arg(long, conflicts_with = "named")]
    all: bool,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn define_read(command: ClapCommand) -> ClapCommand {
    session::define(ReadArgs::augment_args(command))
}

fn define_archive(command: ClapCommand) -> ClapCommand {
    session::define(ArchiveArgs::augment_args(command))
}

fn read(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: ReadArgs = parse_args(matches);
    run(&typed.cards, CardState::Read, matches, ui)
}

fn archive(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: ArchiveArgs = parse_args(matches);
    run(&typed.cards, CardState::Archived, matches, ui)
}

fn run(
    typed: &Cards,
    state: CardState,
    matches: &ArgMatches,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let session = Session::open(matches, ui)?;
    let items: Vec<ResultId> = if typed.all {
        let before = (state == CardState::Read).then_some(CardState::Unread);
        find::cards(before, &session)?.into_iter().map(|card| card.result_id).collect()
    } else {
        find::resolve(&typed.named, &session)?
    };
    let mut changed = 0;
    for batch in items.chunks(PAGE_ITEMS_MAX) {
        let update = InboxUpdate { result_ids: batch.to_vec(), state };
        changed += session.wait(session.client.inbox_update(&update))?.changed;
    }
    if typed.json {
        let server = ui.masked(session.server.name()).into_owned();
        ui.print_json(&ChangeV1 { version: VERSION, server, state, changed, items })?;
        return Ok(Exit::Done);
    }
    let done = if state == CardState::Read { "marked as read" } else { "put away" };
    let (count, already) = (quantity(changed, "card", "cards"), items.len() - changed);
    let mut line = message![quote_in_full(&count), " ", done];
    if already > 0 {
        line.push(message!["; ", already, " already ", if already == 1 { "was" } else { "were" }]);
    }
    ui.eprintln(line);
    Ok(Exit::Done)
}
