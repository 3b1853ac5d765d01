//! Finds the heartbeats that arguments name.

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use dibber_skill::contract::{HeartbeatId, HeartbeatListItem};
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// The most heartbeats that are shown when an argument is ambiguous.
const SHOWN_MAX: usize = 10;

/// A heartbeat that was named.
pub(super) struct Named {
    pub(super) id: HeartbeatId,
    /// How the list shows it; none if the list does not have it.
    pub(super) item: Option<HeartbeatListItem>,
}

impl Named {
    /// Returns what it is called in sentences: its name, and its id for those that have the same.
    pub(super) fn title(&self) -> Message {
        let id = quote_in_full(self.id.as_str());
        match &self.item {
            Some(item) => message!["`", quote(item.name.trim()), "` (", id, ")"],
            None => message![id],
        }
    }
}

/// The heartbeats of the family, to be searched.
pub(super) struct Heartbeats(Vec<HeartbeatListItem>);

impl Heartbeats {
    /// Lists them.
    pub(super) fn load(session: &Session) -> Result<Self, CommandError> {
        Ok(Self(session.wait(session.client.all_heartbeats())?.items))
    }

    /// Returns a heartbeat by its id, the beginning of its id, or its name.
    pub(super) fn find(&self, typed: &str) -> Result<Named, CommandError> {
        let is_named = |item: &&HeartbeatListItem| {
            item.name.trim() == typed.trim() || item.heartbeat_id.as_str() == typed
        };
        let mut found: Vec<_> = self.0.iter().filter(is_named).collect();
        let id = typed.parse::<HeartbeatId>().ok();
        if found.is_empty() && id.is_some() {
            found
                .extend(self.0.iter().filter(|item| item.heartbeat_id.as_str().starts_with(typed)));
        }
        match (&found[..], id) {
            ([item], _) => Ok(Named { id: item.heartbeat_id.clone(), item: Some((*item).clone()) }),
            ([], Some(id)) => Ok(Named { id, item: None }),
            ([], None) => Err(self.unknown(typed)),
            (several, _) => Err(ambiguous(typed, several)),
        }
    }

    fn unknown(&self, typed: &str) -> CommandError {
        let message = message!["unknown heartbeat `", quote(typed), "`"];
        let error = CommandError::new(message).exit(Exit::NotFound);
        match closest_match(typed, self.0.iter().map(|item| item.name.as_str())) {
            Some(name) => error.help(message!["did you mean `", quote(name), "`?"]),
            None => error.help("`dibber heartbeat list` lists the heartbeats"),
        }
    }
}

/// Returns a heartbeat by its id, the beginning of its id, or its name.
pub(super) fn named(typed: &str, session: &Session) -> Result<Named, CommandError> {
    Heartbeats::load(session)?.find(typed)
}

fn ambiguous(typed: &str, found: &[&HeartbeatListItem]) -> CommandError {
    let is_name = found.iter().all(|item| item.name.trim() == typed.trim());
    let mut lines: Vec<Message> = found
        .iter()
        .take(SHOWN_MAX)
        .map(|item| {
            let id = quote_in_full(item.heartbeat_id.as_str());
            let what = if is_name { &item.cadence_text } else { &item.name };
            message!["  ", id, "  ", quote(what)]
        })
        .collect();
    if found.len() > SHOWN_MAX {
        lines.push(message!["  … and ", found.len() - SHOWN_MAX, " more"]);
    }
    let message = if is_name {
        message![found.len(), " heartbeats are named `", quote(typed), "`"]
    } else {
        message![found.len(), " heartbeats have an id that begins with `", quote(typed), "`"]
    };
    CommandError::new(message)
        .excerpt(Message::join(lines, "\n"))
        .help("write the id of one of them")
}
