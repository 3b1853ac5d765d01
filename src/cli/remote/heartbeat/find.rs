//! Finds the heartbeat that an argument names.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use dibber_skill::contract::{HeartbeatId, HeartbeatListItem};
use dibber_text::{closest_match, ellipsize, escape_line};

/// The most heartbeats of one name that are shown.
const SHOWN_MAX: usize = 10;

/// A heartbeat that was named.
pub(super) struct Named {
    pub(super) id: HeartbeatId,
    /// How the list shows it; none if the list does not have it.
    pub(super) item: Option<HeartbeatListItem>,
}

/// Returns a heartbeat by its id or its name.
pub(super) fn named(typed: &str, session: &Session) -> Result<Named, CommandError> {
    let items = session.wait(session.client.all_heartbeats())?.items;
    if let Ok(id) = typed.parse::<HeartbeatId>() {
        let item = items.into_iter().find(|item| item.heartbeat_id == id);
        return Ok(Named { id, item });
    }
    let found: Vec<_> = items
        .iter()
        .filter(|item| item.name.trim() == typed.trim() || item.heartbeat_id.as_str() == typed)
        .collect();
    let what = escape_line(&ellipsize(typed)).into_owned();
    match &found[..] {
        [item] => Ok(Named { id: item.heartbeat_id.clone(), item: Some((*item).clone()) }),
        [] => {
            let error = CommandError::new(format!("there is no heartbeat `{what}`"));
            let error = error.exit(Exit::NotFound);
            Err(match closest_match(typed, items.iter().map(|item| item.name.as_str())) {
                Some(name) => error.help(format!("there is one called `{}`", ellipsize(name))),
                None => error.help("`dibber heartbeat list` shows what there is"),
            })
        }
        several => {
            let shown = several.iter().take(SHOWN_MAX);
            let shown = shown.map(|item| {
                let (id, cadence) = (&item.heartbeat_id, ellipsize(&item.cadence_text));
                format!("  {}  {}", escape_line(id.as_str()), escape_line(&cadence))
            });
            let shown: Vec<_> = shown.collect();
            let message = format!("{} heartbeats are called `{what}`", several.len());
            Err(CommandError::new(message).excerpt(shown.join("\n")).help("name the id of one"))
        }
    }
}
