//! Following the inbox: each card is shown when it comes.

use std::collections::BTreeSet;

use super::cards;
use super::json::{InboxV1, VERSION};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use crate::cli::remote::watched_changes::next_changes;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use dibber_client::{ResourceChange, ResourceNews, Watcher};
use dibber_skill::contract::{InboxCard, ResultId};

/// Shows each card that is posted, until the program ends. Those in `listed` were shown before.
pub(super) fn follow(
    mut watcher: Watcher<'_>,
    listed: &BTreeSet<ResultId>,
    is_json: bool,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    ui.eprintln("waiting for new cards; Ctrl-C ends");
    while let Some(changes) = next_changes(&mut watcher, None, session, ui)? {
        let has_gap = changes.iter().any(|change| change.has_gap);
        let mut items: Vec<_> = changes.into_iter().flat_map(cards_of).collect();
        items.retain(|card| !listed.contains(&card.result_id));
        if !items.is_empty() || has_gap {
            show(items, has_gap, is_json, session, ui)?;
        }
    }
    Ok(Exit::Done)
}

fn cards_of(change: ResourceChange) -> Vec<InboxCard> {
    match change.news {
        ResourceNews::Cards(cards) => cards,
        ResourceNews::Events(_) | ResourceNews::State(_) => Vec::new(),
    }
}

fn show(
    items: Vec<InboxCard>,
    has_gap: bool,
    is_json: bool,
    session: &Session,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    if is_json {
        let server = ui.masked(session.server.name()).into_owned();
        let line = InboxV1 { version: VERSION, server, items, has_gap, next_cursor: None };
        return ui.print_json_line(&line);
    }
    let names = cards::skill_names(session);
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    let pages = items.iter().map(|card| format!("\n{}", cards::listed(card, &names, style)));
    ui.print(pages.collect::<String>().as_bytes())
}
