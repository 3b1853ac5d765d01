//! `dibber inbox list`.

use clap::builder::RangedU64ValueParser;
use clap::{ArgMatches, Args, Command as ClapCommand};

use super::json::{InboxV1, VERSION};
use super::{cards, follow};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::damaged::warn_of_missing;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::{Listed, Watcher};
use dibber_skill::contract::{CardState, InboxCard, InboxListArguments};
use dibber_text::{message, quote_in_full};

pub(super) const ACTION: Command = Command { name: "list", define, run };

/// The most cards that are listed by default: about a screen of them.
const LIMIT_DEFAULT: &str = "10";

/// List the new cards, the newest first
#[derive(Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(super) struct ListArgs {
    /// List the cards that were read, too
    #[arg(long, conflicts_with = "archived")]
    all: bool,

    /// List the cards that were put away
    #[arg(long)]
    archived: bool,

    /// The most cards
    #[arg(long, value_name = "COUNT", default_value = LIMIT_DEFAULT,
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=20_000))]
    limit: usize,

    /// Go on, and show each card when it comes, until Ctrl-C
    #[arg(long)]
    follow: bool,

    /// Print JSON; with `--follow`, a line for each list of new cards
    #[arg(long)]
    json: bool,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(ListArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: ListArgs = parse_args(matches);
    let session = Session::open(matches, ui)?;
    // What comes while the list is read is shown after it.
    let watcher = if arguments.follow {
        Some(session.wait(Watcher::of_posted_cards(&session.client))?)
    } else {
        None
    };
    let state = match (arguments.all, arguments.archived) {
        (true, _) => None,
        (_, true) => Some(CardState::Archived),
        _ => Some(CardState::Unread),
    };
    let filter = InboxListArguments { state, ..InboxListArguments::default() };
    let listed = session.wait(session.client.cards(&filter, arguments.limit))?;
    warn_of_missing(&listed, ui);
    let ids = listed.items.iter().map(|card| card.result_id.clone()).collect();
    match (arguments.json, arguments.follow) {
        (true, false) => ui.print_json(&json(listed, &session, ui))?,
        (true, true) => ui.print_json_line(&json(listed, &session, ui))?,
        (false, _) => show(&listed, &arguments, &session, ui)?,
    }
    match watcher {
        Some(watcher) => follow::follow(watcher, &ids, arguments.json, &session, ui),
        None => Ok(Exit::Done),
    }
}

fn json(listed: Listed<InboxCard>, session: &Session, ui: &Ui) -> InboxV1 {
    let Listed { items, next_cursor, .. } = listed;
    let server = ui.masked(session.server.name()).into_owned();
    InboxV1 { version: VERSION, server, items, has_gap: false, next_cursor }
}

fn show(
    listed: &Listed<InboxCard>,
    arguments: &ListArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let items = &listed.items;
    if items.is_empty() {
        ui.eprintln(match (arguments.all, arguments.archived) {
            (true, _) => "no cards; `dibber inbox --archived` lists those that were put away",
            (_, true) => "no card was put away",
            _ => "nothing new; `dibber inbox --all` also lists what was read",
        });
        return Ok(());
    }
    let names = cards::skill_names(session);
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    let pages: Vec<_> = items.iter().map(|card| cards::listed(card, &names, style)).collect();
    ui.print(pages.join("\n").as_bytes())?;
    let count = quantity(items.len(), "card", "cards");
    let mut line = message![quote_in_full(&count), "; `dibber inbox show ID` shows all of one"];
    if listed.next_cursor.is_some() {
        line.push("; there are more, see `--limit`");
    }
    ui.eprintln(line);
    Ok(())
}
