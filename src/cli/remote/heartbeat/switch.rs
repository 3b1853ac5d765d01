//! `dibber heartbeat pause`, `resume` and `cancel`: of one heartbeat or of several.

use std::path::Path;

use serde::Serialize;

use super::arguments::SwitchArgs;
use super::declared;
use super::find::{Heartbeats, Named};
use super::page;
use crate::cli::error::CommandError;
use crate::cli::error_json::ErrorV1;
use crate::cli::exit::Exit;
use crate::cli::remote::call_errors;
use crate::cli::remote::session::Session;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::ClientError;
use dibber_client::publish::{
    CurrentHeartbeats, PublishError, end_heartbeat_writes, is_cancel_unfinished, update_heartbeat,
};
use dibber_skill::contract::{
    ErrorCode, HeartbeatChange, HeartbeatId, HeartbeatListItem, HeartbeatUpdate, WireEnum,
};
use dibber_skill::names::Roster;
use dibber_text::{Mask, Message, message, quote_in_full};

/// The version of the shape; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 3;
/// The status of a heartbeat that was not changed.
const UNCHANGED: &str = "unchanged";

/// What is done with each heartbeat.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Switch {
    Pause,
    Resume,
    Cancel,
}

/// Described by `schemas/heartbeat-change.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangedV3 {
    version: u32,
    dry_run: bool,
    items: Vec<ChangedItemV3>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ChangedItemV3 {
    heartbeat_id: Option<HeartbeatId>,
    /// The name, or what was typed for one that was not found.
    name: Option<String>,
    status: String,
    /// What was done, or would be done, in the words of `heartbeat_update`.
    actions: Vec<&'static str>,
    error: Option<ErrorV1>,
}

/// What became of a heartbeat.
enum Outcome {
    /// It was changed; the status is that of the server.
    Done(String),
    /// It was cancelled, and the server lists it all the same, paused. Its record remains, so that
    /// the next push finds it.
    StillListed(String),
    /// It would be changed.
    Planned,
    /// It was in that state already.
    Already,
    /// The question was answered with no.
    Declined,
}

pub(super) fn pause(
    typed: &SwitchArgs,
    open: impl FnOnce(&mut Ui) -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    run(typed, Switch::Pause, true, &open(ui)?, ui)
}

pub(super) fn resume(
    typed: &SwitchArgs,
    open: impl FnOnce(&mut Ui) -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    run(typed, Switch::Resume, true, &open(ui)?, ui)
}

pub(super) fn cancel(
    typed: &SwitchArgs,
    open: impl FnOnce(&mut Ui) -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let is_agreed = typed.yes.is_set() || typed.dry_run.is_set();
    if !is_agreed && !ui.can_ask() {
        return Err(CommandError::cannot_confirm(
            "add `--yes` to cancel it for good; `dibber heartbeat pause` stops it for a while",
        ));
    }
    let session = open(ui)?;
    session.announce_interrupted_plan()?;
    run(typed, Switch::Cancel, is_agreed, &session, ui)
}

fn run(
    typed: &SwitchArgs,
    switch: Switch,
    is_agreed: bool,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let roster = ui.names()?;
    let heartbeats = Heartbeats::load(session)?;
    let is_unasked = typed.yes.is_set() && !typed.dry_run.is_set();
    let mut found: Vec<Result<Named, (&str, CommandError)>> = Vec::new();
    for typed in &typed.heartbeats {
        let changes = [switch.change()];
        let named = if switch == Switch::Cancel {
            heartbeats.find_to_replace(typed, &changes, !is_unasked, session)
        } else {
            heartbeats.find_to_change(typed, &changes, session)
        };
        let named = named.map_err(|error| (typed.as_str(), error));
        let is_same = |other: &Result<Named, _>| match (other, &named) {
            (Ok(other), Ok(named)) => other.id == named.id,
            _ => false,
        };
        if !found.iter().any(is_same) {
            found.push(named);
        }
    }
    if let [Err((_, error))] = &found[..]
        && !typed.json
    {
        return Err(error.clone());
    }
    let is_agreed = is_agreed || is_cancellation_agreed(&found, session, &roster, ui)?;
    let is_alone = found.len() == 1 && !typed.json;
    let current = CurrentHeartbeats::new(&session.client);
    let (mut exit, mut items) = (Exit::Done, Vec::new());
    for named in found {
        let (name, outcome) = match named {
            Ok(named) => {
                let outcome = if is_agreed {
                    carry_out(switch, &named, typed.dry_run.is_set(), &current, session, ui)
                } else {
                    Ok(Outcome::Declined)
                };
                (Ok(named), outcome)
            }
            Err((typed, error)) => (Err(typed), Err(error)),
        };
        match outcome {
            Err(error) if is_alone => return Err(error),
            Err(ref error) => {
                ui.item_error(error);
                exit = exit.worst(error.exit_code());
            }
            Ok(ref outcome) if !typed.json => {
                show(switch, name.as_ref().ok(), outcome, session, ui);
            }
            Ok(_) => {}
        }
        items.push(ChangedItemV3::new(switch, &name, &outcome, &roster));
    }
    if typed.json {
        let dry_run = typed.dry_run.is_set();
        ui.print_json(&ChangedV3 { version: VERSION, dry_run, items })?;
    } else if !is_agreed {
        ui.eprintln("Nothing was changed.");
    }
    Ok(exit)
}

/// Asks once whether to cancel all that were found.
fn is_cancellation_agreed(
    found: &[Result<Named, (&str, CommandError)>],
    session: &Session,
    roster: &Roster,
    ui: &mut Ui,
) -> Result<bool, CommandError> {
    let mut titles = Vec::new();
    for named in found.iter().flatten() {
        if !is_cancelled(named, session)? {
            titles.push(named.title_with_schedule());
        }
    }
    if titles.is_empty() {
        return Ok(true);
    }
    let never = if titles.len() == 1 { "It never runs" } else { "They never run" };
    let what = Message::join(titles, ", ");
    let question = message!["Cancel ", what, " for good? ", never, " again."];
    let _watched = Interrupt::watch()?;
    Asker::new(ui, roster).confirm(question, false)
}

/// Returns `true` if the answer to an earlier cancel was lost, and the heartbeat is gone.
fn is_cancelled(named: &Named, session: &Session) -> Result<bool, CommandError> {
    Ok(named.item.is_none() && is_cancel_unfinished(&named.id, session.publisher()?)?)
}

/// Changes a heartbeat, unless it is in that state already.
fn carry_out(
    switch: Switch,
    named: &Named,
    is_dry_run: bool,
    current: &CurrentHeartbeats<'_>,
    session: &Session,
    ui: &mut Ui,
) -> Result<Outcome, CommandError> {
    let is_already = match switch {
        Switch::Pause => named.item.as_ref().is_some_and(|item| !item.enabled),
        Switch::Resume => named.item.as_ref().is_some_and(|item| item.enabled),
        Switch::Cancel => is_cancelled(named, session)?,
    };
    if is_dry_run {
        return Ok(if is_already { Outcome::Already } else { Outcome::Planned });
    }
    if is_already {
        if switch == Switch::Cancel {
            forget(named, session, ui)?;
            named.warn_of_namesake(session, ui);
        }
        end_heartbeat_writes(&named.id, session.publisher()?)?;
        return Ok(Outcome::Already);
    }
    let update = HeartbeatUpdate { heartbeat_id: named.id.clone(), change: switch.change() };
    let sent = update_heartbeat(&update, named.start(), current, session.publisher()?);
    let updated = match session.block_on(sent) {
        Err(PublishError::Call(error)) if switch == Switch::Cancel && named.item.is_none() => {
            return Err(not_cancelled(&error, named, session)?);
        }
        updated => updated?,
    };
    if updated.is_still_listed {
        declared::warn_of_cancelled_and_listed(named, session, ui)?;
        return Ok(Outcome::StillListed(updated.status));
    }
    if switch == Switch::Cancel {
        forget(named, session, ui)?;
    }
    Ok(Outcome::Done(updated.status))
}

/// Removes the records of a heartbeat that was cancelled, and warns of the skills whose `sprout.yaml`
/// still has it. Those of such a skill remain, so that no push makes it again unasked, unless the server
/// has never listed it: then nothing else would make it again.
fn forget(named: &Named, session: &Session, ui: &mut Ui) -> Result<(), CommandError> {
    let mut locks = session.locks()?;
    let skills = locks.skills_of_heartbeat(Path::new("."), &named.id)?;
    // The server may have another name, or none.
    let recorded = locks.recorded_name(&skills, &named.id)?;
    let name = recorded.as_deref().unwrap_or_else(|| named.declared_name());
    let is_made_again = locks.forget_unlisted_heartbeat(Path::new("."), &named.id)?;
    let declared = declared::warn_of_cancelled(&skills, name, is_made_again, ui);
    for skill in skills.iter().filter(|skill| !declared.contains(skill)) {
        locks.remove_heartbeat(skill, &named.id)?;
    }
    Ok(())
}

/// Returns the error of the cancel of a heartbeat that is not listed. The record of one that was
/// never listed is removed if the server refuses to cancel it, too: otherwise no push would make it.
fn not_cancelled(
    error: &ClientError,
    named: &Named,
    session: &Session,
) -> Result<CommandError, CommandError> {
    let shown = call_errors::command_error(error);
    let is_refused = match error {
        ClientError::Refused(refusal) => {
            refusal.code != ErrorCode::InternalError && !call_errors::is_scope_missing(error)
        }
        ClientError::Failed { .. } | ClientError::Rejected(_) => true,
        _ => false,
    };
    if !is_refused || !session.locks()?.forget_unlisted_heartbeat(Path::new("."), &named.id)? {
        return Ok(shown);
    }
    end_heartbeat_writes(&named.id, session.publisher()?)?;
    Ok(shown.help(
        "the server neither lists it nor cancels it, so its record in dibber.lock was removed; the \
         next push makes it again",
    ))
}

/// Reports what became of a heartbeat.
fn show(switch: Switch, named: Option<&Named>, outcome: &Outcome, session: &Session, ui: &mut Ui) {
    let Some(named) = named else { return };
    let words = match (outcome, switch) {
        (Outcome::Declined, _) => return,
        (Outcome::Done(_), Switch::Pause) => {
            let options = quote_in_full(&session.server.typed_options);
            let id = quote_in_full(named.id.as_str());
            message!["paused; `dibber heartbeat resume ", id, options, "` lets it run again"]
        }
        (Outcome::Done(_), Switch::Resume) => "resumed".into(),
        (Outcome::Done(_), Switch::Cancel) => "cancelled".into(),
        (Outcome::StillListed(_), _) => {
            let server = quote_in_full(session.server.name());
            message!["cancelled; ", server, " still lists it, paused"]
        }
        (Outcome::Planned, Switch::Pause) => "would be paused".into(),
        (Outcome::Planned, Switch::Resume) => "would be resumed".into(),
        (Outcome::Planned, Switch::Cancel) => "would be cancelled for good".into(),
        (Outcome::Already, Switch::Pause) => "is paused already".into(),
        (Outcome::Already, Switch::Resume) => "is not paused".into(),
        (Outcome::Already, Switch::Cancel) => "was cancelled".into(),
    };
    ui.eprintln(message![named.title(), ": ", words]);
    for line in schedule_lines(switch, named, outcome, session) {
        ui.eprintln(message!["  ", quote_in_full(&line)]);
    }
}

/// Returns when a heartbeat that was paused or resumed fires now, and for whom.
fn schedule_lines(
    switch: Switch,
    named: &Named,
    outcome: &Outcome,
    session: &Session,
) -> Vec<String> {
    let Some(item) = named.item.clone().filter(|_| switch != Switch::Cancel) else {
        return Vec::new();
    };
    let next_run_at = match outcome {
        Outcome::Done(_) if switch == Switch::Resume => next_fire(&item, session),
        Outcome::Done(_) => None,
        _ => item.next_run_at,
    };
    page::listed_lines(&HeartbeatListItem { next_run_at, ..item }, None)
}

/// Returns when a heartbeat that was resumed fires next, if the server says so.
fn next_fire(item: &HeartbeatListItem, session: &Session) -> Option<String> {
    let heartbeat_id = item.heartbeat_id.clone();
    let update = HeartbeatUpdate { heartbeat_id, change: HeartbeatChange::Resume };
    let described = session.block_on(session.client.describe_update(&update));
    described.ok().and_then(|description| description.next_fire_at)
}

impl Switch {
    const fn change(self) -> HeartbeatChange {
        match self {
            Self::Pause => HeartbeatChange::Pause,
            Self::Resume => HeartbeatChange::Resume,
            Self::Cancel => HeartbeatChange::Cancel,
        }
    }
}

impl ChangedItemV3 {
    fn new(
        switch: Switch,
        named: &Result<Named, &str>,
        outcome: &Result<Outcome, CommandError>,
        roster: &Roster,
    ) -> Self {
        let mask = |text: &str| dibber_lint::Privacy { roster }.mask(text).into_owned();
        let (id, name) = match named {
            Ok(named) => {
                let name = named.name.as_deref().map(mask);
                (Some(named.id.clone()), name)
            }
            Err(typed) => (None, Some(mask(typed))),
        };
        let action = switch.change().action().name();
        let (status, actions) = match outcome {
            Ok(Outcome::Done(status) | Outcome::StillListed(status)) => {
                (status.as_str(), vec![action])
            }
            Ok(Outcome::Planned) => (UNCHANGED, vec![action]),
            Ok(Outcome::Already | Outcome::Declined) | Err(_) => (UNCHANGED, Vec::new()),
        };
        Self {
            heartbeat_id: id,
            name,
            status: mask(status),
            actions,
            error: outcome.as_ref().err().map(|error| ErrorV1::new(error, roster)),
        }
    }
}
