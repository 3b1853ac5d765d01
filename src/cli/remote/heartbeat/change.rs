//! `dibber heartbeat edit`, `pause`, `resume` and `cancel`.

use std::path::Path;

use super::arguments::{CancelArgs, EditArgs, OneArgs};
use super::find;
use super::find::Named;
use super::json::{ChangedV1, VERSION};
use super::page::{self, Shown};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::heartbeat::typed::wire_schedule;
use crate::cli::remote::session::Session;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{heartbeat_subject, is_cancel_unfinished, update_heartbeat};
use dibber_skill::contract::{HeartbeatChange, HeartbeatId, HeartbeatUpdate, WireEnum};
use dibber_skill::names::Roster;
use dibber_text::{Message, message, quote_in_full};

/// Changes the schedule, the name or the text of a heartbeat.
pub(super) fn edit(
    typed: &EditArgs,
    open: impl FnOnce() -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    if !typed.yes && !ui.can_ask() {
        return Err(CommandError::new("cannot ask for confirmation: this is not a terminal")
            .help("add `--yes` to change it without asking"));
    }
    let session = open()?;
    session.announce_interrupted_plan()?;
    let named = find::named(&typed.one.heartbeat, &session)?;
    let id = named.id.clone();
    let roster = ui.names()?;
    let updates = edits(typed, &id, ui, &roster)?;
    let style = Style { color: ui.stderr_color(), width: ui.width() };
    // What the server would refuse of any is refused before one is made.
    let mut descriptions = Vec::new();
    for update in &updates {
        descriptions.push(session.wait(session.client.describe_update(update))?);
    }
    let Some(description) = descriptions.first() else { return Ok(Exit::Done) };
    let mut more = vec![("id", id.to_string())];
    more.extend(typed.name.iter().map(|name| ("name", name.clone())));
    let heading = "The heartbeat as it would be".to_owned();
    let page = page::one(&Shown { heading, description, more }, style, &roster);
    if !typed.yes {
        let _watched = Interrupt::watch()?;
        let mut asker = Asker::new(ui, &roster);
        asker.eprint_rendered(&page);
        if !asker.confirm("Change the heartbeat?", true)? {
            asker.eprintln("Nothing was changed.");
            return declined(named.id, typed.one.json, ui);
        }
    } else if !typed.one.json {
        ui.eprint_rendered(&page);
    }
    make(&updates, &named, "changed", typed.one.json, &session, ui)
}

fn edits(
    typed: &EditArgs,
    id: &HeartbeatId,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<Vec<HeartbeatUpdate>, CommandError> {
    let EditArgs { cron, tz, text, name, .. } = typed;
    let schedule = match (cron, tz) {
        (None, None) => None,
        (None, tz) => Some(HeartbeatChange::EditSchedule { cron: None, tz: tz.clone() }),
        (Some(cron), tz) => {
            let schedule = wire_schedule(cron, tz.as_deref(), ui, roster)?;
            let (cron, tz) = (Some(schedule.cron), schedule.time_zone);
            Some(HeartbeatChange::EditSchedule { cron, tz })
        }
    };
    let text = text.clone().map(|prompt_text| HeartbeatChange::EditText { prompt_text });
    let name = name.clone().map(|name| HeartbeatChange::EditName { name });
    let changes = [schedule, text, name].into_iter().flatten();
    Ok(changes.map(|change| HeartbeatUpdate { heartbeat_id: id.clone(), change }).collect())
}

/// Lets a heartbeat rest.
pub(super) fn pause(
    typed: &OneArgs,
    open: impl FnOnce() -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    switch(typed, HeartbeatChange::Pause, &open()?, ui)
}

/// Lets a heartbeat fire again.
pub(super) fn resume(
    typed: &OneArgs,
    open: impl FnOnce() -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    switch(typed, HeartbeatChange::Resume, &open()?, ui)
}

/// Pauses or resumes a heartbeat, unless it is in that state already.
fn switch(
    typed: &OneArgs,
    change: HeartbeatChange,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let named = find::named(&typed.heartbeat, session)?;
    let fires_after = change == HeartbeatChange::Resume;
    if named.item.as_ref().is_some_and(|item| item.enabled == fires_after) {
        session.publisher()?.discard_unfinished(&heartbeat_subject(&named.id))?;
        let state = if fires_after { "is not paused" } else { "is paused already" };
        let changed = ChangedV1::unchanged(named.id);
        return show(&changed, state, typed.json, ui);
    }
    let done = if fires_after {
        "resumed".into()
    } else {
        let options = quote_in_full(&session.server.typed_options);
        let id = quote_in_full(named.id.as_str());
        message!["paused; `dibber heartbeat resume ", id, options, "` lets it fire again"]
    };
    let update = HeartbeatUpdate { heartbeat_id: named.id.clone(), change };
    make(&[update], &named, done, typed.json, session, ui)
}

/// Cancels a heartbeat, for good.
pub(super) fn cancel(
    typed: &CancelArgs,
    open: impl FnOnce() -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    if !typed.yes && !ui.can_ask() {
        return Err(CommandError::new("cannot ask for confirmation: this is not a terminal").help(
            "add `--yes` to cancel it for good; `dibber heartbeat pause` stops it for a while",
        ));
    }
    let session = open()?;
    session.announce_interrupted_plan()?;
    let named = find::named(&typed.one.heartbeat, &session)?;
    if named.item.is_none() && is_cancel_unfinished(&named.id, session.publisher()?)? {
        // The answer to an earlier cancel was lost, and the heartbeat is gone.
        session.publisher()?.discard_unfinished(&heartbeat_subject(&named.id))?;
        return show(&ChangedV1::unchanged(named.id), "is cancelled already", typed.one.json, ui);
    }
    if !typed.yes {
        let roster = ui.names()?;
        let _watched = Interrupt::watch()?;
        let mut asker = Asker::new(ui, &roster);
        let id = quote_in_full(named.id.as_str());
        let question = message!["Cancel ", id, " for good? It never fires again."];
        if !asker.confirm(question, false)? {
            asker.eprintln("Nothing was changed.");
            return declined(named.id, typed.one.json, ui);
        }
    }
    let update =
        HeartbeatUpdate { heartbeat_id: named.id.clone(), change: HeartbeatChange::Cancel };
    let exit = make(&[update], &named, "cancelled", typed.one.json, &session, ui)?;
    session.locks()?.forget_heartbeat(Path::new("."), &named.id)?;
    Ok(exit)
}

/// Sends changes of one heartbeat, one after the other, and reports them.
pub(super) fn make(
    updates: &[HeartbeatUpdate],
    named: &Named,
    done: impl Into<Message>,
    json: bool,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let mut last = None;
    for update in updates {
        let sent = update_heartbeat(update, named.item.as_ref(), session.publisher()?);
        last = Some(session.block_on(sent)?);
    }
    let Some(answer) = last else { return Ok(Exit::Done) };
    let actions = updates.iter().map(|update| update.change.action().name()).collect();
    let (heartbeat_id, status) = (answer.heartbeat_id, answer.status);
    show(&ChangedV1 { version: VERSION, heartbeat_id, status, actions }, done, json, ui)
}

/// Ends a command whose question was answered with no.
fn declined(id: HeartbeatId, json: bool, ui: &mut Ui) -> Result<Exit, CommandError> {
    if json {
        ui.print_json(&ChangedV1::unchanged(id))?;
    }
    Ok(Exit::Done)
}

fn show(
    changed: &ChangedV1,
    done: impl Into<Message>,
    json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    if json {
        ui.print_json(changed)?;
    } else {
        ui.eprintln(message![quote_in_full(changed.heartbeat_id.as_str()), ": ", done.into()]);
    }
    Ok(Exit::Done)
}
