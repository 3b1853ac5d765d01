//! Finding cards by the beginnings of their ids.

use crate::cli::error::CommandError;
use crate::cli::remote::session::Session;
use dibber_client::ClientError;
use dibber_skill::contract::{CardState, ErrorCode, InboxCard, InboxListArguments, ResultId};
use dibber_text::{message, quote};

/// The most cards that are searched.
pub(super) const CARDS_MAX: usize = 20_000;

/// Returns the cards in a state; without one, those that are not archived.
pub(super) fn cards(
    state: Option<CardState>,
    session: &Session,
) -> Result<Vec<InboxCard>, CommandError> {
    let filter = InboxListArguments { state, ..InboxListArguments::default() };
    Ok(session.wait(session.client.cards(&filter, CARDS_MAX))?.items)
}

/// Returns the ids that these beginnings name, each once.
pub(super) fn resolve(named: &[String], session: &Session) -> Result<Vec<ResultId>, CommandError> {
    let mut known: Option<Vec<ResultId>> = None;
    let mut found = Vec::new();
    for typed in named {
        let id = if let Some(id) = exact(typed, session)? {
            id
        } else {
            if known.is_none() {
                known = Some(all(session)?);
            }
            by_beginning(typed, known.as_deref().unwrap_or_default())?
        };
        if !found.contains(&id) {
            found.push(id);
        }
    }
    Ok(found)
}

/// Returns the id if there is a card with exactly this one.
fn exact(typed: &str, session: &Session) -> Result<Option<ResultId>, CommandError> {
    let Ok(id) = typed.parse::<ResultId>() else { return Ok(None) };
    match session.block_on(session.client.card(&id)) {
        Ok(card) => Ok(Some(card.result_id)),
        Err(ClientError::Refused(error)) if error.code == ErrorCode::DomainNotFound => Ok(None),
        Err(error) => Err(session.command_error(&error)),
    }
}

fn all(session: &Session) -> Result<Vec<ResultId>, CommandError> {
    let mut all = cards(None, session)?;
    all.extend(cards(Some(CardState::Archived), session)?);
    Ok(all.into_iter().map(|card| card.result_id).collect())
}

/// Returns the only id that begins so, with or without its prefix.
fn by_beginning(typed: &str, known: &[ResultId]) -> Result<ResultId, CommandError> {
    let begins = |id: &&ResultId| {
        let id = id.as_str();
        let digits = id.split_once('_').map_or(id, |(_, digits)| digits);
        !typed.is_empty() && (id.starts_with(typed) || digits.starts_with(typed))
    };
    let mut matching = known.iter().filter(begins);
    match (matching.next(), matching.count()) {
        (Some(id), 0) => Ok(id.clone()),
        (Some(_), more) => {
            let message =
                message![more + 1, " cards have an id that begins with `", quote(typed), "`"];
            Err(CommandError::new(message).help("write more of the id"))
        }
        (None, _) => {
            let message = message!["no card has an id that begins with `", quote(typed), "`"];
            Err(CommandError::new(message)
                .help("`dibber inbox --all` lists the cards with their ids"))
        }
    }
}
