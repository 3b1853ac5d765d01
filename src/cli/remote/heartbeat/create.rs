//! `dibber heartbeat create`.

use super::arguments::CreateArgs;
use super::blocked;
use super::initiator::Initiator;
use super::json::{PlanV1, PlansV1, VERSION};
use super::plan::{self, HeartbeatItem, PlanPolicy};
use super::plan_page;
use super::simultaneous;
use super::sources::{self, Access};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use crate::cli::remote::withheld;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::capitalized;
use dibber_client::ClientError;
use dibber_client::publish::{
    CurrentHeartbeats, ForeignChanges, HeartbeatOutcome, HeartbeatStep, LockFiles, PublishError,
    apply_heartbeat,
};
use dibber_skill::names::Roster;
use dibber_text::{Message, message, quote, quote_argument, quote_in_full};

pub(super) fn run(
    typed: &CreateArgs,
    open: impl FnOnce(&mut Ui) -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    sources::check(&typed.spec)?;
    let is_dry_run = typed.dry_run.is_set();
    if !typed.yes.is_set() && !is_dry_run && !ui.can_ask() {
        return Err(no_terminal());
    }
    let session = open(ui)?;
    let roster = ui.names()?;
    session.announce_interrupted_plan()?;
    let mut locks = session.locks()?;
    let access = if is_dry_run { Access::Read } else { Access::Write };
    let (requested, removed) = sources::gather(&typed.spec, access, &session, &mut locks, ui)?;
    let foreign_changes =
        if typed.force { ForeignChanges::Overwrite } else { ForeignChanges::Block };
    let policy = PlanPolicy { foreign_changes, is_agreed: typed.yes.is_set() };
    let items = plan::plan(Initiator::Create, requested, removed, policy, &session, &locks)?;
    plan::warn_of_uncertain(&items, &session, ui);
    let exit = items.iter().map(HeartbeatItem::exit).fold(Exit::Done, Exit::worst);
    if !typed.json {
        show(&items, &roster, ui)?;
    }
    let is_agreed =
        !is_dry_run && (typed.yes.is_set() || is_agreed(&items, typed.json, &roster, ui)?);
    let current = CurrentHeartbeats::new(&session.client);
    let outcomes: Vec<_> = items
        .iter()
        .map(|item| {
            if is_agreed {
                apply(item, &current, &session, &mut locks)
            } else {
                Ok(HeartbeatOutcome::Unchanged)
            }
        })
        .collect();
    simultaneous::warn(items.iter().zip(&outcomes), &current, (&session, &locks), ui);
    let failed = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    let exit = failed.map(CommandError::exit_code).fold(exit, Exit::worst);
    if typed.json {
        print_json(&items, &outcomes, &roster, ui)?;
    } else if is_agreed {
        for (item, outcome) in items.iter().zip(&outcomes) {
            plan_page::report_outcome(item, outcome, ui);
            if matches!(item.step(), HeartbeatStep::Unchanged(_)) {
                ui.eprintln(message!["`", quote(item.name()), "` is unchanged"]);
            }
        }
    } else if !is_dry_run && items.iter().any(|item| item.step().has_changes()) {
        ui.eprintln("Nothing was made.");
    }
    Ok(exit)
}

/// Returns the error for standard input that is not a terminal.
fn no_terminal() -> CommandError {
    CommandError::cannot_confirm(
        "`dibber heartbeat describe` with the same arguments shows what would be made; `--yes` \
         makes it without asking",
    )
}

/// Shows each plan, and the errors between them.
pub(super) fn show(
    items: &[HeartbeatItem],
    roster: &Roster,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    for (index, item) in items.iter().enumerate() {
        if let Some(page) = plan_page::page(item, style, roster) {
            let gap = if index == 0 { "" } else { "\n" };
            ui.print(format!("{gap}{page}").as_bytes())?;
        }
        if let Some(error) = item.step().blocked() {
            ui.error(error);
        }
    }
    Ok(())
}

/// Asks once for all items.
fn is_agreed(
    items: &[HeartbeatItem],
    is_quiet: bool,
    roster: &Roster,
    ui: &mut Ui,
) -> Result<bool, CommandError> {
    let intentions = plan_page::intentions(items);
    if intentions.is_empty() {
        return Ok(false);
    }
    if is_quiet {
        // Standard output is for a program; who is asked sees the same on the other stream.
        let style = Style { color: ui.stderr_color(), width: ui.width() };
        for page in items.iter().filter_map(|item| plan_page::page(item, style, roster)) {
            ui.eprint_rendered(&page);
        }
    }
    let question = capitalized(&format!("{}?", intentions.join(", and ")));
    let _watched = Interrupt::watch()?;
    Asker::new(ui, roster).confirm(quote_in_full(&question), true)
}

/// Carries out the step of one heartbeat.
pub(in crate::cli::remote) fn apply(
    item: &HeartbeatItem,
    current: &CurrentHeartbeats<'_>,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<HeartbeatOutcome, CommandError> {
    let applied = apply_heartbeat(&item.planned, current, session.publisher()?, locks);
    session.block_on(applied).map_err(|error| {
        if let PublishError::CancelledSinceCreation(id) = &error {
            return blocked::cancelled_since(item.name(), item.path.as_deref(), id, session);
        }
        let help = match (&error, item.path.as_deref()) {
            // Its help says what to do first.
            (PublishError::NotReplaced { cause, .. }, _)
                if matches!(
                    **cause,
                    PublishError::Call(
                        ClientError::MayBeCreated { .. } | ClientError::MayBeCreatedLater(_)
                    )
                ) =>
            {
                None
            }
            (
                PublishError::NotReplaced { .. } | PublishError::Restored { not_paused: None, .. },
                _,
            ) => Some(push_again(item, session)),
            (PublishError::AppearedHeartbeat(_), Some(path)) => Some(compare_again(path, session)),
            (PublishError::ChangedSinceCreation(_), None) => Some(list_them(session)),
            _ => None,
        };
        let error = withheld::mask_heartbeat(error.into(), item.name());
        match help {
            Some(help) => error.help(help),
            None => error,
        }
    })
}

/// Returns the command that shows a heartbeat as it is now.
fn list_them(session: &Session) -> Message {
    let options = quote_in_full(&session.server.typed_options);
    message!["`dibber heartbeat list", options, "` shows what it is now"]
}

/// Returns what to do about a heartbeat of `sprout.yaml` that another machine may have made.
fn compare_again(path: &str, session: &Session) -> Message {
    let argument = || quote_argument(path);
    let options = || quote_in_full(&session.server.typed_options);
    message![
        "`dibber pull ",
        argument(),
        options(),
        "` takes it over; `dibber push ",
        argument(),
        options(),
        "` compares it with sprout.yaml"
    ]
}

/// Returns what makes a heartbeat that was cancelled to take its place.
fn push_again(item: &HeartbeatItem, session: &Session) -> Message {
    let argument = quote_argument(item.path.as_deref().unwrap_or("PATH"));
    let options = quote_in_full(&session.server.typed_options);
    message!["when that is solved, run `dibber push ", argument, options, "` again to make it"]
}

/// Prints what was done with each, as JSON.
pub(super) fn print_json(
    items: &[HeartbeatItem],
    outcomes: &[Result<HeartbeatOutcome, CommandError>],
    roster: &Roster,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let both = items.iter().zip(outcomes);
    let items = both.map(|(item, outcome)| PlanV1::new(item, outcome, roster)).collect();
    ui.print_json(&PlansV1 { version: VERSION, items })
}
