//! What has to be done for each heartbeat, and what it comes from.

use super::blocked;
use super::initiator::Initiator;
use super::sources::Requested;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    Assumed, ForeignChanges, HeartbeatCreation, HeartbeatEdit, HeartbeatPolicy, HeartbeatStep,
    HeartbeatUnchanged, LockFiles, PlannedHeartbeat, RemovedHeartbeat, RemovedHeartbeats,
    UnrecordedHeartbeats, plan_heartbeats,
};
use dibber_skill::contract::{HeartbeatDescription, HeartbeatId, HeartbeatListItem, WireEnum};
use dibber_skill::discover::{self, shown_path};
use dibber_text::{Message, message, quote, quote_argument, quote_in_full};

/// A heartbeat, and what has to be done for it.
pub(in crate::cli::remote) struct HeartbeatItem {
    /// The directory of its skill, for one of sprout.yaml.
    pub(in crate::cli::remote) path: Option<String>,
    pub(in crate::cli::remote) planned: PlannedHeartbeat<CommandError>,
}

impl HeartbeatItem {
    pub(in crate::cli::remote) const fn step(&self) -> &HeartbeatStep<CommandError> {
        &self.planned.step
    }

    pub(in crate::cli::remote) fn name(&self) -> &str {
        &self.planned.name
    }

    /// What the server says of one that is created or changed.
    pub(in crate::cli::remote) const fn description(&self) -> Option<&HeartbeatDescription> {
        match self.step() {
            HeartbeatStep::Create(HeartbeatCreation { description, .. })
            | HeartbeatStep::Update(HeartbeatEdit { description, .. }) => Some(description),
            HeartbeatStep::Cancel(..)
            | HeartbeatStep::Unchanged(_)
            | HeartbeatStep::Unlisted(_)
            | HeartbeatStep::Forget(_)
            | HeartbeatStep::Blocked(_) => None,
        }
    }

    /// The heartbeat on the server, of one that exists.
    pub(in crate::cli::remote) fn listed(&self) -> Option<&HeartbeatListItem> {
        match self.step() {
            HeartbeatStep::Update(HeartbeatEdit { listed, .. })
            | HeartbeatStep::Cancel(listed, _)
            | HeartbeatStep::Unchanged(HeartbeatUnchanged { listed, .. }) => Some(listed),
            HeartbeatStep::Create(_)
            | HeartbeatStep::Unlisted(_)
            | HeartbeatStep::Forget(_)
            | HeartbeatStep::Blocked(_) => None,
        }
    }

    /// The id, of one that exists.
    pub(in crate::cli::remote) fn id(&self) -> Option<&HeartbeatId> {
        match self.step() {
            HeartbeatStep::Unlisted(id) | HeartbeatStep::Forget(id) => Some(id),
            _ => self.listed().map(|listed| &listed.heartbeat_id),
        }
    }

    /// How a run ends because of it.
    pub(in crate::cli::remote) fn exit(&self) -> Exit {
        self.step().blocked().map_or(Exit::Done, CommandError::exit_code)
    }
}

/// Warns of what the server does not take; of heartbeats that were made, and that it has never listed; of those of the server
/// that are taken for one here, although it does not say which skill they run; and of those that do the
/// same as one here.
pub(in crate::cli::remote) fn warn_of_uncertain<'a>(
    items: impl IntoIterator<Item = &'a HeartbeatItem>,
    session: &Session,
    ui: &mut Ui,
) {
    for item in items {
        if let Some(missed_fires) = item.planned.unsent {
            let server = quote_in_full(session.server.name());
            let value = missed_fires.name();
            let effect = message![server, " takes no `missedFires`, so `", value, "` is not sent"];
            ui.warning(message![quote(item.name()), ": ", effect]);
        }
        let warning = match item.step() {
            HeartbeatStep::Unlisted(id) => unlisted(id, session),
            HeartbeatStep::Unchanged(unchanged) if unchanged.assumed == Assumed::Skill => {
                assumed(&unchanged.listed.heartbeat_id, item.path.as_deref(), session)
            }
            HeartbeatStep::Unchanged(unchanged) if unchanged.assumed == Assumed::Inputs => {
                assumed_inputs(&unchanged.listed.heartbeat_id, item.path.as_deref(), session)
            }
            HeartbeatStep::Unchanged(unchanged) if !unchanged.duplicates.is_empty() => {
                duplicates(&unchanged.duplicates, session)
            }
            _ => continue,
        };
        ui.warning(message![quote(item.name()), ": ", warning]);
    }
}

fn unlisted(id: &HeartbeatId, session: &Session) -> Message {
    let (server, id) = (quote_in_full(session.server.name()), quote_in_full(id.as_str()));
    let options = quote_in_full(&session.server.typed_options);
    message![
        server,
        " does not list it (",
        id,
        "); it is kept; if it does not run, `dibber heartbeat cancel ",
        id,
        options,
        "` ends it, so that the next push makes it again"
    ]
}

fn assumed_inputs(id: &HeartbeatId, path: Option<&str>, session: &Session) -> Message {
    let (server, id) = (quote_in_full(session.server.name()), quote_in_full(id.as_str()));
    let options = quote_in_full(&session.server.typed_options);
    message![
        server,
        " has ",
        id,
        " for this skill, and does not list what it fills in: it is taken to be the same as here; if \
         it is not, `dibber heartbeat cancel ",
        id,
        options,
        "` and `dibber push --force ",
        quote_argument(path.unwrap_or("PATH")),
        options,
        "` make it again"
    ]
}

fn duplicates(ids: &[HeartbeatId], session: &Session) -> Message {
    let options = quote_in_full(&session.server.typed_options);
    let ids: Vec<_> = ids.iter().map(HeartbeatId::as_str).collect();
    let run = if ids.len() == 1 { "runs" } else { "run" };
    message![
        quote_in_full(session.server.name()),
        " also has ",
        quote_in_full(&ids.join(", ")),
        ", which ",
        run,
        " the same skill at the same times; `dibber heartbeat cancel ",
        quote_in_full(&ids.join(" ")),
        options,
        "` leaves one"
    ]
}

fn assumed(id: &HeartbeatId, path: Option<&str>, session: &Session) -> Message {
    let (server, id) = (quote_in_full(session.server.name()), quote_in_full(id.as_str()));
    let argument = || quote_argument(path.unwrap_or("PATH"));
    let options = quote_in_full(&session.server.typed_options);
    message![
        server,
        " has ",
        id,
        " of the same name and schedule, and does not list which skill that runs: it is taken for \
         this one; if it runs another skill, `dibber skill unlink ",
        argument(),
        options,
        "` and `dibber push --force ",
        argument(),
        options,
        "` make a new one"
    ]
}

/// What a plan may do.
#[derive(Clone, Copy)]
pub(in crate::cli::remote) struct PlanPolicy {
    /// What becomes of changes that another writer has made.
    pub(in crate::cli::remote) foreign_changes: ForeignChanges,
    /// Whether it is carried out without a question. None is made then that the server may have
    /// already.
    pub(in crate::cli::remote) is_agreed: bool,
}

/// Compares heartbeats with those of the server, and asks it about all that change.
pub(in crate::cli::remote) fn plan(
    initiator: Initiator,
    requested: Vec<Requested>,
    removed: Vec<RemovedHeartbeat>,
    policy: PlanPolicy,
    session: &Session,
    locks: &LockFiles,
) -> Result<Vec<HeartbeatItem>, CommandError> {
    let PlanPolicy { foreign_changes, is_agreed } = policy;
    let policy = HeartbeatPolicy {
        foreign_changes,
        removed: match initiator {
            Initiator::Create => RemovedHeartbeats::Keep,
            Initiator::Push | Initiator::PushOfNew => RemovedHeartbeats::Cancel,
        },
        unrecorded: match initiator {
            Initiator::Create | Initiator::Push if is_agreed => UnrecordedHeartbeats::FindCertain,
            Initiator::Create | Initiator::Push => UnrecordedHeartbeats::Find,
            Initiator::PushOfNew => UnrecordedHeartbeats::Create,
        },
    };
    let (mut drafts, mut waiting) = (Vec::new(), Vec::new());
    for Requested { name, path, draft } in requested {
        waiting.push((name, path, draft.map(|draft| drafts.push(draft)).err()));
    }
    let planned = plan_heartbeats(drafts, removed, policy, session.publisher()?, locks);
    let mut planned = session.block_on(planned)?.into_iter();
    let show = |planned: PlannedHeartbeat, path: Option<String>| {
        let PlannedHeartbeat { name, key, unsent, step } = planned;
        let show = |reason| blocked::shown(&name, path.as_deref(), reason, initiator, session);
        let step = step.map_blocked(show);
        HeartbeatItem { path, planned: PlannedHeartbeat { name, key, unsent, step } }
    };
    let mut items = Vec::new();
    for (name, path, error) in waiting {
        items.push(match error {
            Some(error) => {
                let step = HeartbeatStep::Blocked(error.with_context(quote(&name)));
                HeartbeatItem {
                    path,
                    planned: PlannedHeartbeat { name, key: None, unsent: None, step },
                }
            }
            None => show(planned.next().expect("every draft is planned"), path),
        });
    }
    items.extend(planned.map(|planned| {
        let directory = planned.key.as_ref().map(|key| key.skill.skill_directory());
        let path = directory.map(|path| shown_path(&discover::from_current_directory(path)));
        show(planned, path)
    }));
    Ok(items)
}
