//! Finds the heartbeats that arguments name.

use std::path::Path;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::resolve::resolve;
use crate::cli::remote::running_heartbeats;
use crate::cli::remote::session::Session;
use dibber_client::publish::{LockKey, find_cancelled, find_renamed};
use dibber_skill::contract::{HeartbeatId, HeartbeatListItem};
use dibber_skill::label::label_key;
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// The most heartbeats that are shown when an argument is ambiguous.
const SHOWN_MAX: usize = 10;

/// A heartbeat that was named.
pub(super) struct Named {
    pub(super) id: HeartbeatId,
    /// How the list shows it; none if the list does not have it.
    pub(super) item: Option<HeartbeatListItem>,
    /// Its name, as far as it is known.
    pub(super) name: Option<String>,
}

impl Named {
    /// Creates it from an item of the list.
    fn listed(item: HeartbeatListItem) -> Self {
        Self { id: item.heartbeat_id.clone(), name: Some(item.name.clone()), item: Some(item) }
    }

    /// Returns what it is called in sentences: its name, and its id for those that have the same.
    pub(super) fn title(&self) -> Message {
        let id = quote_in_full(self.id.as_str());
        match &self.name {
            Some(name) => message!["`", quote(name.trim()), "` (", id, ")"],
            None => message![id],
        }
    }

    /// Returns what it is called in sentences that have to tell what would be lost.
    pub(super) fn title_with_schedule(&self) -> Message {
        match &self.item {
            Some(item) => running_heartbeats::title(item),
            None => self.title(),
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

    /// Returns a heartbeat by its id, its name in any case, the beginning of one of them, or its
    /// skill: a folder, a label or a name of one that has no other heartbeat.
    pub(super) fn find(&self, typed: &str, session: &Session) -> Result<Named, CommandError> {
        self.find_whole(typed, session).or_else(|error| self.by_start_of_name(typed, error))
    }

    /// Returns a heartbeat as [`find`](Self::find) does, but not by the beginning of its name.
    fn find_whole(&self, typed: &str, session: &Session) -> Result<Named, CommandError> {
        let is_named = |item: &&HeartbeatListItem| {
            item.name.trim() == typed.trim() || item.heartbeat_id.as_str() == typed
        };
        let mut found: Vec<_> = self.0.iter().filter(is_named).collect();
        if found.is_empty() {
            let name = label_key(typed);
            found.extend(self.0.iter().filter(|item| label_key(&item.name) == name));
        }
        let id = typed.parse::<HeartbeatId>().ok();
        if found.is_empty() && id.is_some() {
            found
                .extend(self.0.iter().filter(|item| item.heartbeat_id.as_str().starts_with(typed)));
        }
        if found.is_empty() && id.is_none() {
            found = self.of_skill(typed, session)?;
        }
        match (&found[..], id) {
            ([item], _) => Ok(Named::listed((*item).clone())),
            ([], Some(id)) => Ok(Named { id, item: None, name: None }),
            ([], None) => recorded(typed, session)?.ok_or_else(|| self.unknown(typed)),
            (several, _) => Err(ambiguous(typed, several)),
        }
    }

    /// Returns the only heartbeat whose name begins with what was typed; the error if there is none.
    fn by_start_of_name(&self, typed: &str, error: CommandError) -> Result<Named, CommandError> {
        let start = label_key(typed);
        if error.exit_code() != Exit::NotFound || start.is_empty() {
            return Err(error);
        }
        let is_it = |item: &&HeartbeatListItem| label_key(&item.name).starts_with(&start);
        match self.0.iter().filter(is_it).collect::<Vec<_>>()[..] {
            [] => Err(error),
            [item] => Ok(Named::listed(item.clone())),
            ref several => Err(ambiguous(typed, several)),
        }
    }

    /// Returns a heartbeat as [`find`](Self::find) does, or one that is not listed any more because
    /// an earlier run has cancelled it and lost the answer. The beginning of a name is enough if the
    /// question shows the whole name: a script may run again after its heartbeat was cancelled.
    pub(super) fn find_to_cancel(
        &self,
        typed: &str,
        is_asked: bool,
        session: &Session,
    ) -> Result<Named, CommandError> {
        self.find_whole(typed, session).or_else(|error| {
            if error.exit_code() != Exit::NotFound {
                return Err(error);
            }
            match find_cancelled(typed, session.publisher()?)? {
                Some((id, name)) => Ok(Named { id, item: None, name: Some(name) }),
                None if is_asked => self.by_start_of_name(typed, error),
                None => Err(error),
            }
        })
    }

    /// Returns a heartbeat as [`find`](Self::find) does, or one that is listed under its new name,
    /// because an earlier run has changed it and lost the answer.
    pub(super) fn find_to_rename(
        &self,
        typed: &str,
        new: &str,
        session: &Session,
    ) -> Result<Named, CommandError> {
        self.find(typed, session).or_else(|error| {
            if error.exit_code() != Exit::NotFound {
                return Err(error);
            }
            let renamed = find_renamed(typed, new, session.publisher()?)?;
            let item = self.0.iter().find(|item| Some(&item.heartbeat_id) == renamed.as_ref());
            item.map(|item| Named::listed(item.clone())).ok_or(error)
        })
    }

    /// Returns the heartbeats of a skill; none if there is no such skill.
    fn of_skill(
        &self,
        typed: &str,
        session: &Session,
    ) -> Result<Vec<&HeartbeatListItem>, CommandError> {
        let mut locks = session.locks()?;
        let skill = match resolve(typed, session, &mut locks) {
            Ok(skill) => skill,
            Err(error) if error.exit_code() == Exit::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        // A server that does not list what they run has those that are recorded.
        let recorded = locks.heartbeats_of(&LockKey::new(Path::new(typed)), &skill)?;
        let is_its = |item: &&HeartbeatListItem| match &item.run_skill_id {
            Some(runs) => *runs == skill,
            None => recorded.contains(&item.heartbeat_id),
        };
        Ok(self.0.iter().filter(is_its).collect())
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

/// Returns a heartbeat as [`Heartbeats::find`] does.
pub(super) fn named(typed: &str, session: &Session) -> Result<Named, CommandError> {
    Heartbeats::load(session)?.find(typed, session)
}

/// Returns a heartbeat that is recorded by its id, and that the server does not list. Ids of other
/// servers have other forms.
fn recorded(typed: &str, session: &Session) -> Result<Option<Named>, CommandError> {
    let id = HeartbeatId::from(typed.to_owned());
    let skills = session.locks()?.skills_of_heartbeat(Path::new("."), &id)?;
    Ok((!skills.is_empty()).then_some(Named { id, item: None, name: None }))
}

fn ambiguous(typed: &str, found: &[&HeartbeatListItem]) -> CommandError {
    let name = label_key(typed);
    let is_name = found.iter().all(|item| label_key(&item.name) == name);
    let is_start = found.iter().all(|item| label_key(&item.name).starts_with(&name));
    let is_id = found.iter().all(|item| item.heartbeat_id.as_str().starts_with(typed));
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
    } else if is_id {
        message![found.len(), " heartbeats have an id that begins with `", quote(typed), "`"]
    } else if is_start {
        message![found.len(), " heartbeats have a name that begins with `", quote(typed), "`"]
    } else {
        message![found.len(), " heartbeats run the skill `", quote(typed), "`"]
    };
    CommandError::new(message)
        .excerpt(Message::join(lines, "\n"))
        .help("write the id of one of them")
}
