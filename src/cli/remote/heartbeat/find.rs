//! Finds the heartbeats that arguments name.

use std::path::Path;

use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::resolve::resolve;
use crate::cli::remote::running_heartbeats;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{InterruptedChange, LockKey, find_interrupted_change};
use dibber_skill::contract::{HeartbeatChange, HeartbeatId, HeartbeatListItem};
use dibber_skill::label::label_key;
use dibber_text::{Message, closest_match, message, quote, quote_in_full};

/// The most heartbeats that are shown when an argument is ambiguous.
const SHOWN_MAX: usize = 10;

/// A heartbeat that was named.
pub(super) struct Named {
    /// What was typed.
    pub(super) typed: String,
    pub(super) id: HeartbeatId,
    /// How the list shows it; none if the list does not have it.
    pub(super) item: Option<HeartbeatListItem>,
    /// Its name, as far as it is known.
    pub(super) name: Option<String>,
    /// Another one that what was typed means by now, if this one was cancelled by an interrupted run.
    pub(super) namesake: Option<HeartbeatListItem>,
}

impl Named {
    /// Creates it from an item of the list.
    fn listed(typed: &str, item: HeartbeatListItem) -> Self {
        let (id, name) = (item.heartbeat_id.clone(), Some(item.name.clone()));
        Self { typed: typed.to_owned(), id, name, item: Some(item), namesake: None }
    }

    /// Creates one that is not listed.
    fn unlisted(typed: &str, id: HeartbeatId, name: Option<String>) -> Self {
        Self { typed: typed.to_owned(), id, item: None, name, namesake: None }
    }

    /// Returns what a change of it starts from.
    pub(super) fn start(&self) -> (Option<&HeartbeatListItem>, &str) {
        (self.item.as_ref(), &self.typed)
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

    /// Warns of another heartbeat that what was typed means, now that this one is cancelled.
    pub(super) fn warn_of_namesake(&self, session: &Session, ui: &mut Ui) {
        let Some(namesake) = &self.namesake else { return };
        let id = quote_in_full(namesake.heartbeat_id.as_str());
        let options = quote_in_full(&session.server.typed_options);
        ui.warning(message![
            self.title(),
            " was cancelled by an interrupted run; ",
            running_heartbeats::title(namesake),
            " is another one: `dibber heartbeat cancel ",
            id,
            options,
            "` cancels it"
        ]);
    }
}

/// The heartbeats of the family, to be searched.
pub(super) struct Heartbeats(Vec<HeartbeatListItem>);

impl Heartbeats {
    /// Lists them.
    pub(super) fn load(session: &Session) -> Result<Self, CommandError> {
        Ok(Self(session.wait(session.client.all_heartbeats())?.items))
    }

    /// Returns all of them.
    pub(super) fn items(&self) -> &[HeartbeatListItem] {
        &self.0
    }

    /// Returns a heartbeat by its id, its name in any case, the beginning of one of them, or its
    /// skill: a folder, a label or a name of one that has no other heartbeat.
    pub(super) fn find(&self, typed: &str, session: &Session) -> Result<Named, CommandError> {
        self.find_whole(typed, session).or_else(|error| self.by_start_of_name(typed, error))
    }

    /// Returns a heartbeat as [`find`](Self::find) does, but not by the beginning of its name.
    fn find_whole(&self, typed: &str, session: &Session) -> Result<Named, CommandError> {
        self.find_own(typed, session).or_else(|error| {
            if error.exit_code() != Exit::NotFound || typed.parse::<HeartbeatId>().is_ok() {
                return Err(error);
            }
            match self.of_skill(typed, session)?[..] {
                [] => Err(error),
                [item] => Ok(Named::listed(typed, item.clone())),
                ref several => Err(ambiguous(typed, several)),
            }
        })
    }

    /// Returns a heartbeat by its id, its name in any case, or the beginning of its id.
    fn find_own(&self, typed: &str, session: &Session) -> Result<Named, CommandError> {
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
        match (&found[..], id) {
            ([item], _) => Ok(Named::listed(typed, (*item).clone())),
            ([], Some(id)) => Ok(Named::unlisted(typed, id, None)),
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
            [item] => Ok(Named::listed(typed, item.clone())),
            ref several => Err(ambiguous(typed, several)),
        }
    }

    /// Returns a heartbeat that is to be changed for good, as [`find_to_change`](Self::find_to_change)
    /// does. Its skill or the beginning of its name is enough if a question shows which one is meant: a
    /// script may run again after its heartbeat was cancelled.
    pub(super) fn find_to_replace(
        &self,
        typed: &str,
        changes: &[HeartbeatChange],
        is_asked: bool,
        session: &Session,
    ) -> Result<Named, CommandError> {
        if is_asked {
            return self.find_to_change(typed, changes, session);
        }
        let found = self.find_own(typed, session).map_err(|error| {
            let is_unknown = error.exit_code() == Exit::NotFound;
            // Where it is listed, its id can be written instead.
            match if is_unknown { self.find(typed, session).ok() } else { None } {
                Some(named) if named.item.is_some() => error.help(message![
                    "to change ",
                    named.title_with_schedule(),
                    " without a question, write its whole name or its id"
                ]),
                _ => error,
            }
        });
        self.resume(typed, found, changes, session)
    }

    /// Returns a heartbeat as [`find`](Self::find) does, or the one that an interrupted run was to change
    /// in one of these ways when the same was typed: what was typed may mean another one by now.
    pub(super) fn find_to_change(
        &self,
        typed: &str,
        changes: &[HeartbeatChange],
        session: &Session,
    ) -> Result<Named, CommandError> {
        self.resume(typed, self.find(typed, session), changes, session)
    }

    /// Returns the heartbeat of the change that an interrupted run has begun, or else what was found.
    fn resume(
        &self,
        typed: &str,
        found: Result<Named, CommandError>,
        changes: &[HeartbeatChange],
        session: &Session,
    ) -> Result<Named, CommandError> {
        let Some(begun) = find_interrupted_change(typed, changes, session.publisher()?)? else {
            return found;
        };
        let is_it = |named: &Named| named.id == begun.heartbeat_id;
        // What a push has begun is for a push to resume.
        if found.as_ref().is_ok_and(|found| is_it(found) || begun.is_of_push) {
            return found;
        }
        let is_cancel = changes == [HeartbeatChange::Cancel];
        let item = self.0.iter().find(|item| item.heartbeat_id == begun.heartbeat_id);
        match (item, found) {
            (Some(item), _) if is_as_expected(item, &begun, changes) => {
                Ok(Named::listed(typed, item.clone()))
            }
            (None, found) if is_cancel => {
                let namesake = found.ok().and_then(|found| found.item);
                let InterruptedChange { heartbeat_id, name, .. } = begun;
                Ok(Named { namesake, ..Named::unlisted(typed, heartbeat_id, Some(name)) })
            }
            (item, Ok(other)) => Err(has_other_name(&begun, item, &other)),
            (_, Err(error)) => Err(error),
        }
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
    Ok((!skills.is_empty()).then(|| Named::unlisted(typed, id, None)))
}

/// Returns `true` if a heartbeat has the name that it had before an interrupted change, or has after it.
fn is_as_expected(
    item: &HeartbeatListItem,
    begun: &InterruptedChange,
    changes: &[HeartbeatChange],
) -> bool {
    let is_new_name = |change: &HeartbeatChange| matches!(change, HeartbeatChange::EditName { name } if *name == item.name);
    label_key(&item.name) == label_key(&begun.name) || changes.iter().any(is_new_name)
}

/// Returns the error for what was typed again after an interrupted run, and means another heartbeat by
/// now.
fn has_other_name(
    begun: &InterruptedChange,
    item: Option<&HeartbeatListItem>,
    other: &Named,
) -> CommandError {
    let id = quote_in_full(begun.heartbeat_id.as_str());
    let now = match item {
        Some(item) => message!["is called `", quote(&item.name), "` by now"],
        None => "is gone by now".into(),
    };
    let other_id = quote_in_full(other.id.as_str());
    let message = message![
        "an interrupted run was to change `",
        quote(begun.name.trim()),
        "` (",
        id,
        "), which ",
        now,
        "; nothing was changed"
    ];
    let help = message![
        "write ",
        other_id,
        " to change ",
        other.title_with_schedule(),
        "; `dibber journal discard ",
        quote_in_full(&begun.entry),
        "` ends the interrupted change"
    ];
    CommandError::new(message).help(help).exit(Exit::BadInput)
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
