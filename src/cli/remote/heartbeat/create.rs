//! `dibber heartbeat create`.

use super::arguments::{CreateArgs, HeartbeatSpec};
use super::json::{PlanV1, PlansV1, VERSION};
use super::page::{self, Shown};
use super::plan::{self, HeartbeatItem};
use super::sources::{self, Access};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::publish::{
    HeartbeatCreation, HeartbeatEdit, HeartbeatOutcome, HeartbeatStep, HeartbeatUnchanged,
    LockFiles, apply_heartbeat,
};
use dibber_skill::contract::HeartbeatCreate;
use dibber_skill::names::Roster;
use dibber_text::{message, quote, quote_in_full};

/// What an update cannot change, and what to do instead.
const UNCHANGEABLE: &str = "inputs, the child and whether results are posted cannot be compared or \
                            changed: for those, cancel the heartbeat and make it again";

pub(super) fn run(
    typed: &CreateArgs,
    open: impl FnOnce() -> Result<Session, CommandError>,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    sources::check(&typed.spec)?;
    if !typed.yes && !ui.can_ask() {
        return Err(no_terminal());
    }
    let roster = ui.names()?;
    let session = open()?;
    let mut locks = session.locks()?;
    let items = plan(&typed.spec, Access::Write, &session, &mut locks, ui)?;
    let exit = items.iter().map(HeartbeatItem::exit).fold(Exit::Done, Exit::worst);
    if !typed.json {
        show(&items, &roster, ui)?;
    }
    let is_agreed = typed.yes || is_agreed(&items, typed.json, &roster, ui)?;
    let outcomes: Vec<_> = items
        .iter()
        .map(|item| {
            if is_agreed {
                apply(item, &session, &mut locks)
            } else {
                Ok(HeartbeatOutcome::Unchanged)
            }
        })
        .collect();
    let failed = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    let exit = failed.map(CommandError::exit_code).fold(exit, Exit::worst);
    if typed.json {
        print_json(&items, &outcomes, &roster, ui)?;
    } else if is_agreed {
        tell(&items, &outcomes, ui);
    } else if items.iter().any(|item| item.step.has_changes()) {
        ui.eprintln("Nothing was made.");
    }
    Ok(exit)
}

/// Returns the error for standard input that is not a terminal.
fn no_terminal() -> CommandError {
    CommandError::new("cannot ask for confirmation: this is not a terminal").help(
        "`dibber heartbeat describe` with the same arguments shows what would be made; `--yes` \
         makes it without asking",
    )
}

/// Asks the server about everything that was named.
pub(super) fn plan(
    typed: &HeartbeatSpec,
    access: Access,
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<Vec<HeartbeatItem>, CommandError> {
    plan::plan(sources::gather(typed, access, session, locks, ui)?, session)
}

/// Shows each plan, and the errors between them.
pub(super) fn show(
    items: &[HeartbeatItem],
    roster: &Roster,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    for (index, item) in items.iter().enumerate() {
        let Some(description) = item.description() else {
            if let Some(error) = item.step.blocked() {
                ui.error(&error.clone().with_context(quote(&item.name)));
            }
            continue;
        };
        let shown = Shown { heading: heading(item), description, more: more(item) };
        let gap = if index == 0 { "" } else { "\n" };
        let page = page::one(&shown, style, roster);
        ui.print(format!("{gap}{page}").as_bytes())?;
    }
    Ok(())
}

fn heading(item: &HeartbeatItem) -> String {
    let name = &item.name;
    match &item.step {
        HeartbeatStep::Create(_) | HeartbeatStep::Blocked(_) => name.clone(),
        HeartbeatStep::Update(_) => format!("{name} (exists, and differs)"),
        HeartbeatStep::Unchanged(_) => format!("{name} (already exists)"),
    }
}

fn more(item: &HeartbeatItem) -> Vec<(&'static str, String)> {
    let mut more = Vec::new();
    match &item.step {
        HeartbeatStep::Create(HeartbeatCreation { create, .. }) => of_create(create, &mut more),
        HeartbeatStep::Update(HeartbeatEdit { id, listed, .. }) => {
            more.push(("id", id.to_string()));
            if listed.name != item.name {
                more.push((
                    "was",
                    format!("called {}", dibber_text::Shown::to_be_masked(&listed.name)),
                ));
            }
            more.push((
                "was",
                format!(
                    "{} (`{}`)",
                    listed.cadence_text,
                    dibber_text::Shown::to_be_masked(&listed.cron)
                ),
            ));
            more.push(("note", UNCHANGEABLE.to_owned()));
        }
        HeartbeatStep::Unchanged(HeartbeatUnchanged { id, .. }) => {
            more.push(("id", id.to_string()));
            more.push(("note", UNCHANGEABLE.to_owned()));
        }
        HeartbeatStep::Blocked(_) => {}
    }
    if let Some(path) = &item.path {
        more.push(("from", path.clone()));
    }
    more
}

/// Adds the rows of a new heartbeat. The values of inputs may be about a child, so only their names
/// are shown.
fn of_create(create: &HeartbeatCreate, more: &mut Vec<(&'static str, String)>) {
    more.push((
        "for",
        create.child_id.as_ref().map_or_else(|| "the whole family".to_owned(), ToString::to_string),
    ));
    if let Some(inputs) = &create.skill_input {
        let names: Vec<&str> = inputs.keys().map(String::as_str).collect();
        more.push(("fills in", names.join(", ")));
    }
    if create.post_result_notify == Some(true) {
        more.push(("posts", "the result of each run to the family's inbox".to_owned()));
    }
}

/// Asks once for all items.
fn is_agreed(
    items: &[HeartbeatItem],
    is_quiet: bool,
    roster: &Roster,
    ui: &mut Ui,
) -> Result<bool, CommandError> {
    let count = |is: fn(&HeartbeatStep<CommandError>) -> bool| {
        items.iter().filter(|item| is(&item.step)).count()
    };
    let made = count(|step| matches!(step, HeartbeatStep::Create(_)));
    let changed = count(|step| matches!(step, HeartbeatStep::Update(_)));
    let made_words = format!("Make {}", quantity(made, "heartbeat", "heartbeats"));
    let question = match (made, changed) {
        (0, 0) => return Ok(false),
        (_, 0) => format!("{made_words}?"),
        (0, _) => format!("Change {}?", quantity(changed, "heartbeat", "heartbeats")),
        _ => format!("{made_words}, and change {changed}?"),
    };
    if is_quiet {
        // Standard output is for a program; who is asked sees the same on the other stream.
        let style = Style { color: ui.stderr_color(), width: ui.width() };
        for item in items {
            if let Some(description) = item.description() {
                let shown = Shown { heading: heading(item), description, more: more(item) };
                ui.eprint_rendered(&page::one(&shown, style, roster));
            }
        }
    }
    let _watched = Interrupt::watch()?;
    Asker::new(ui, roster).confirm(&question, true)
}

/// Carries out the step of one heartbeat.
fn apply(
    item: &HeartbeatItem,
    session: &Session,
    locks: &mut LockFiles,
) -> Result<HeartbeatOutcome, CommandError> {
    let applied = apply_heartbeat(&item.step, session.publisher(), locks);
    match session.block_on(applied)? {
        HeartbeatOutcome::CreatedBefore(_) => {
            let message = "it was made by an interrupted run, and its schedule has changed since";
            Err(CommandError::new(message)
                .help("run the same command again to give it the schedule of sprout.yaml")
                .exit(Exit::BadInput))
        }
        outcome => Ok(outcome),
    }
}

/// Reports what was done with each.
fn tell(items: &[HeartbeatItem], outcomes: &[Result<HeartbeatOutcome, CommandError>], ui: &mut Ui) {
    for (item, outcome) in items.iter().zip(outcomes) {
        let name = quote(&item.name);
        match outcome {
            Ok(HeartbeatOutcome::Created(id) | HeartbeatOutcome::CreatedBefore(id)) => {
                ui.eprintln(message!["made `", name, "`: ", quote_in_full(id.as_str())]);
            }
            Ok(HeartbeatOutcome::Changed) => ui.eprintln(message!["changed `", name, "`"]),
            Ok(HeartbeatOutcome::Unchanged) if item.step.blocked().is_none() => {
                ui.eprintln(message!["`", name, "` is unchanged"]);
            }
            Ok(HeartbeatOutcome::Unchanged) => {}
            Err(error) => ui.error(&error.clone().with_context(name)),
        }
    }
}

/// Prints what was done with each, as JSON.
pub(super) fn print_json(
    items: &[HeartbeatItem],
    outcomes: &[Result<HeartbeatOutcome, CommandError>],
    roster: &Roster,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let both = items.iter().zip(outcomes);
    let heartbeats = both.map(|(item, outcome)| PlanV1::new(item, outcome, roster)).collect();
    ui.print_json(&PlansV1 { version: VERSION, heartbeats })
}
