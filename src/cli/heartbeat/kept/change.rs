//! `dibber heartbeat edit`, `pause`, `resume` and `cancel`.

use super::arguments::{CancelArgs, EditArgs, OneArgs};
use super::json::{ChangedV1, VERSION};
use super::page::{self, Shown};
use super::{commit, find};
use crate::cli::ask::Asker;
use crate::cli::interrupt::Interrupt;
use crate::cli::session::Session;
use crate::cli::{CommandError, Exit, Ui};
use crate::contract::{HEARTBEAT_UPDATE, HeartbeatAction, HeartbeatUpdate};
use crate::report::Style;
use crate::text::escape_line;

/// Changes the schedule, the name or the text of a heartbeat.
pub(super) fn edit(
    typed: &EditArgs,
    open: impl FnOnce() -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    if !typed.yes && !ui.can_ask() {
        return Err(CommandError::new("there is no terminal to ask at, and --yes is missing")
            .hint("with `--yes` it is changed unasked"));
    }
    let session = open()?;
    let id = find::id_of(&typed.one.heartbeat, &session)?;
    let updates = edits(typed, &id);
    let roster = ui.names()?;
    let style = Style { color: ui.stderr_color(), width: ui.width() };
    // What the server would refuse of any is refused before one is made.
    let mut descriptions = Vec::new();
    for update in &updates {
        descriptions.push(session.wait(session.client.describe_update(update))?);
    }
    let Some(description) = descriptions.first() else { return Ok(Exit::Done) };
    let mut more = vec![("id", id.clone())];
    more.extend(typed.name.iter().map(|name| ("name", name.clone())));
    let heading = "The heartbeat as it would be".to_owned();
    let page = page::one(&Shown { heading, description, more }, style, &roster);
    if !typed.yes {
        let _watched = Interrupt::watch()?;
        let mut asker = Asker::new(ui, &roster);
        asker.say(page.trim_end());
        if !asker.confirm("Change the heartbeat?", true)? {
            asker.say("Nothing was changed.");
            return Ok(Exit::Done);
        }
    } else if !typed.one.json {
        ui.say(page.trim_end());
    }
    make(&updates, "changed", typed.one.json, &session, ui)
}

fn edits(typed: &EditArgs, id: &str) -> Vec<HeartbeatUpdate> {
    let update = |action| HeartbeatUpdate::new(id, action);
    let mut updates = Vec::new();
    if typed.cron.is_some() || typed.tz.is_some() {
        let (cron, tz) = (typed.cron.clone(), typed.tz.clone());
        updates.push(HeartbeatUpdate { cron, tz, ..update(HeartbeatAction::EditSchedule) });
    }
    if typed.text.is_some() {
        let prompt_text = typed.text.clone();
        updates.push(HeartbeatUpdate { prompt_text, ..update(HeartbeatAction::EditText) });
    }
    if typed.name.is_some() {
        let name = typed.name.clone();
        updates.push(HeartbeatUpdate { name, ..update(HeartbeatAction::EditName) });
    }
    updates
}

/// Lets a heartbeat rest.
pub(super) fn pause(
    typed: &OneArgs,
    open: impl FnOnce() -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let session = open()?;
    let id = find::id_of(&typed.heartbeat, &session)?;
    let update = HeartbeatUpdate::new(id, HeartbeatAction::Pause);
    make(
        &[update],
        "paused; `dibber heartbeat resume` lets it fire again",
        typed.json,
        &session,
        ui,
    )
}

/// Lets a heartbeat fire again.
pub(super) fn resume(
    typed: &OneArgs,
    open: impl FnOnce() -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let session = open()?;
    let id = find::id_of(&typed.heartbeat, &session)?;
    let update = HeartbeatUpdate::new(id, HeartbeatAction::Resume);
    make(&[update], "resumed", typed.json, &session, ui)
}

/// Cancels a heartbeat, for good.
pub(super) fn cancel(
    typed: &CancelArgs,
    open: impl FnOnce() -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    if !typed.yes && !ui.can_ask() {
        return Err(CommandError::new("there is no terminal to ask at, and --yes is missing")
            .hint("add `--yes`; cancelling cannot be undone, and `pause` can"));
    }
    let session = open()?;
    let id = find::id_of(&typed.one.heartbeat, &session)?;
    if !typed.yes {
        let roster = ui.names()?;
        let _watched = Interrupt::watch()?;
        let mut asker = Asker::new(ui, &roster);
        let question = format!("Cancel {} for good? It never fires again.", escape_line(&id));
        if !asker.confirm(&question, false)? {
            asker.say("Nothing was changed.");
            return Ok(Exit::Done);
        }
    }
    let update = HeartbeatUpdate::new(id, HeartbeatAction::Cancel);
    make(&[update], "cancelled", typed.one.json, &session, ui)
}

/// Makes changes, one after the other, and says so.
pub(super) fn make(
    updates: &[HeartbeatUpdate],
    done: &str,
    json: bool,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let mut last = None;
    for update in updates {
        let answer = commit::write(
            session,
            HEARTBEAT_UPDATE,
            update,
            |key| async move { session.client.heartbeat_update(update, &key).await },
            |_| Ok(()),
        )?;
        last = Some(answer);
    }
    let Some(answer) = last else { return Ok(Exit::Done) };
    if json {
        let actions = updates.iter().map(|update| update.action.name()).collect();
        let (heartbeat_id, status) = (answer.heartbeat_id, answer.status);
        ui.print_json(&ChangedV1 { version: VERSION, heartbeat_id, status, actions })?;
    } else {
        ui.say(&format!("{}: {done}", escape_line(&answer.heartbeat_id)));
    }
    Ok(Exit::Done)
}
