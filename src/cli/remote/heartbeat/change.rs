//! `dibber heartbeat edit`.

use super::arguments::EditArgs;
use super::declared;
use super::find::{Heartbeats, Named};
use super::json::{ChangedV1, VERSION};
use super::page::{self, Shown};
use super::undeclared_inputs;
use crate::cli::edit::ChildNames;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::heartbeat::typed::{check_zone, wire_schedule};
use crate::cli::inputs::inputs;
use crate::cli::remote::session::Session;
use crate::cli::remote::withheld;
use crate::cli::term::ask::{Asker, FIRST_QUESTION};
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{CurrentHeartbeats, end_heartbeat_writes, update_heartbeat};
use dibber_skill::contract::{
    HeartbeatChange, HeartbeatDescription, HeartbeatId, HeartbeatUpdate, WireEnum,
};
use dibber_skill::names::{AnswerKind, Roster};
use dibber_text::{Message, message, quote};

/// Changes the schedule, the name or the text of a heartbeat.
pub(super) fn edit(
    typed: &EditArgs,
    open: impl FnOnce(&mut Ui) -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let is_dry_run = typed.dry_run.is_set();
    if !typed.yes.is_set() && !is_dry_run && !ui.can_ask() {
        return Err(CommandError::cannot_confirm("add `--yes` to change it without asking"));
    }
    let session = open(ui)?;
    session.announce_interrupted_plan()?;
    let heartbeats = Heartbeats::load(&session)?;
    let roster = ui.names()?;
    let is_asked = !typed.yes.is_set() && !is_dry_run;
    let name = match typed.name.clone().filter(|_| is_asked) {
        Some(name) => Some(without_names(&name, ui, &roster)?),
        None => typed.name.clone(),
    };
    let changes = edits(typed, name.as_deref(), ui, &roster)?;
    let named = heartbeats.find_to_replace(
        &typed.one.heartbeat,
        &changes,
        is_asked || is_dry_run,
        &session,
    )?;
    undeclared_inputs::check(&changes, &named, &session)?;
    let id = named.id.clone();
    let (made, changes): (Vec<_>, Vec<_>) =
        changes.into_iter().partition(|change| is_made(change, &named));
    if changes.is_empty() && !made.is_empty() {
        return report_made(&made, &named, typed, &session, ui);
    }
    let update = |change| HeartbeatUpdate { heartbeat_id: id.clone(), change };
    let updates: Vec<_> = changes.into_iter().map(update).collect();
    let color = if is_dry_run { ui.stdout_color() } else { ui.stderr_color() };
    let style = Style { color, width: ui.width() };
    let descriptions = describe(&updates, &session)?;
    let Some(description) = descriptions.first() else { return Ok(Exit::Done) };
    let whom = named.item.as_ref().and_then(page::whom_listed).map(|whom| ("for", whom));
    let mut more: Vec<_> = whom.into_iter().chain([("id", id.to_string())]).collect();
    more.extend(name.map(|name| ("name", name)));
    let was = replaced_schedule(&updates, &named);
    more.extend(was.map(|cadence| ("was", cadence.to_owned())));
    let heading = "The heartbeat as it would be".to_owned();
    let is_paused = named.item.as_ref().is_some_and(|item| !item.enabled);
    let page = page::one(&Shown { heading, description, is_paused, more }, style, &roster);
    if is_dry_run {
        if typed.one.json {
            ui.print_json(&ChangedV1::planned(named.id, &updates))?;
        } else {
            ui.print(page.as_bytes())?;
        }
        return Ok(Exit::Done);
    }
    if !typed.yes.is_set() {
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
    let done = match was {
        Some(cadence) => message!["changed; it was ", quote(cadence)],
        None => "changed".into(),
    };
    let exit = make(&updates, &named, done, typed.one.json, &session, ui)?;
    declared::warn_of_edited(&updates, &named, &session, ui)?;
    Ok(exit)
}

/// Returns a new name without names of children, about which it asks as `dibber edit` does.
fn without_names(name: &str, ui: &mut Ui, roster: &Roster) -> Result<String, CommandError> {
    let (mut names, mut asker) = (ChildNames::new(roster), Asker::new(ui, roster));
    loop {
        match names.leave_out(name, AnswerKind::Sentence, &mut asker)? {
            Some(clean) => return Ok(clean),
            None => asker.eprintln(FIRST_QUESTION),
        }
    }
}

/// Returns the changes of the options, with this name.
fn edits(
    typed: &EditArgs,
    name: Option<&str>,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<Vec<HeartbeatChange>, CommandError> {
    let EditArgs { schedule, tz, text, input, missed, .. } = typed;
    let schedule = match (schedule, tz) {
        (None, None) => None,
        (None, Some(tz)) => {
            check_zone(tz, ui)?;
            Some(HeartbeatChange::EditSchedule { cron: None, tz: Some(tz.clone()) })
        }
        (Some(schedule), tz) => {
            let schedule = wire_schedule(schedule, tz.as_deref(), ui, roster)?;
            let (cron, tz) = (Some(schedule.cron), schedule.time_zone);
            Some(HeartbeatChange::EditSchedule { cron, tz })
        }
    };
    let text = text.clone().map(|prompt_text| HeartbeatChange::EditText { prompt_text });
    let name = name.map(|name| HeartbeatChange::EditName { name: name.to_owned() });
    let input = inputs(None, input)?;
    let input = input.map(|skill_input| HeartbeatChange::EditInputs { skill_input });
    let missed = missed.map(|missed_fires| HeartbeatChange::EditMissedFires { missed_fires });
    let changes = [schedule, text, name, input, missed].into_iter().flatten();
    Ok(changes.collect())
}

/// Returns what the server says of each change: what it would refuse of any is refused before one is
/// made.
fn describe(
    updates: &[HeartbeatUpdate],
    session: &Session,
) -> Result<Vec<HeartbeatDescription>, CommandError> {
    let described = updates.iter().map(|update| {
        let described = session.wait(session.client.describe_update(update));
        described.map_err(|error| withheld::mask_change(error, &update.change))
    });
    described.collect()
}

/// Returns `true` if the list shows that a heartbeat is as a change would make it.
fn is_made(change: &HeartbeatChange, named: &Named) -> bool {
    let Some(item) = &named.item else { return false };
    match change {
        HeartbeatChange::EditSchedule { cron, tz } => {
            cron.as_ref().is_none_or(|cron| *cron == item.cron)
                && tz.as_ref().is_none_or(|tz| Some(tz) == item.tz.as_ref())
        }
        HeartbeatChange::EditName { name } => *name == item.name,
        _ => false,
    }
}

/// Reports that a heartbeat is as these changes would make it, and ends those of interrupted runs.
fn report_made(
    made: &[HeartbeatChange],
    named: &Named,
    typed: &EditArgs,
    session: &Session,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    if !typed.dry_run.is_set() {
        end_heartbeat_writes(&named.id, session.publisher()?)?;
    }
    let words = match made {
        [HeartbeatChange::EditSchedule { .. }] => "has this schedule already",
        [HeartbeatChange::EditName { .. }] => "has this name already",
        _ => "has this name and this schedule already",
    };
    show(
        &ChangedV1::unchanged(named.id.clone()),
        message![named.title(), ": ", words],
        typed.one.json,
        ui,
    )
}

/// Returns the schedule that changes of a heartbeat replace, if the server lists it.
fn replaced_schedule<'a>(updates: &[HeartbeatUpdate], named: &'a Named) -> Option<&'a str> {
    let is_schedule =
        |update: &HeartbeatUpdate| matches!(update.change, HeartbeatChange::EditSchedule { .. });
    let item = named.item.as_ref().filter(|_| updates.iter().any(is_schedule))?;
    Some(&item.cadence_text)
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
    let current = CurrentHeartbeats::new(&session.client);
    let mut last = None;
    for update in updates {
        let sent = update_heartbeat(update, named.start(), &current, session.publisher()?);
        let sent = session.block_on(sent);
        last = Some(sent.map_err(|error| withheld::mask_change(error.into(), &update.change))?);
    }
    let Some(answer) = last else { return Ok(Exit::Done) };
    let actions = updates.iter().map(|update| update.change.action().name()).collect();
    let (heartbeat_id, status) = (named.id.clone(), answer.status);
    let changed = ChangedV1 { version: VERSION, heartbeat_id, status, actions };
    show(&changed, message![named.title(), ": ", done.into()], json, ui)
}

/// Shows what [`make`] would do.
pub(super) fn show_plan(
    update: HeartbeatUpdate,
    named: &Named,
    json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let action = update.change.action().name();
    let line = message![named.title(), ": `", action, "` would be sent; nothing was changed"];
    show(&ChangedV1::planned(update.heartbeat_id.clone(), &[update]), line, json, ui)
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
    line: impl Into<Message>,
    json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    if json {
        ui.print_json(changed)?;
    } else {
        ui.eprintln(line);
    }
    Ok(Exit::Done)
}
