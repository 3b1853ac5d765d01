//! `dibber heartbeat create`.

use super::arguments::{CreateArgs, HeartbeatSpec};
use super::json::{Outcome, PlanV1, PlansV1, VERSION};
use super::page::{self, Shown};
use super::plan::{Plan, Step, plan};
use super::sources::Access;
use super::{sources, write};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::remote::session::Session;
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::publish::LockFiles;
use dibber_skill::contract::HeartbeatCreate;
use dibber_skill::names::Roster;
use dibber_text::{ellipsize, escape_line};

/// What an update cannot change, and the way out.
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
    let mut locks = session.locks();
    let plans = survey(&typed.spec, Access::Write, &session, &mut locks, ui)?;
    let exit = plans.iter().map(Plan::exit).fold(Exit::Done, Exit::worst);
    if !typed.json {
        show(&plans, &roster, ui)?;
    }
    let is_agreed = typed.yes || is_agreed(&plans, typed.json, &roster, ui)?;
    let outcomes: Vec<_> = plans
        .iter()
        .map(|plan| if is_agreed { apply(plan, &session, &mut locks) } else { Ok(Outcome::Left) })
        .collect();
    let failed = outcomes.iter().filter_map(|outcome| outcome.as_ref().err());
    let exit = failed.map(CommandError::exit_code).fold(exit, Exit::worst);
    if typed.json {
        print_json(&plans, &outcomes, &roster, ui)?;
    } else if is_agreed {
        tell(&plans, &outcomes, &roster, ui);
    } else if plans.iter().any(Plan::writes) {
        ui.eprintln("Nothing was made.");
    }
    Ok(exit)
}

/// The error of somebody who cannot be asked.
fn no_terminal() -> CommandError {
    CommandError::new("there is no terminal to ask at, and --yes is missing").help(
        "`dibber heartbeat describe` with the same arguments shows what would be made; with `--yes` it \
         is made unasked",
    )
}

/// Asks the server about everything that was named.
pub(super) fn survey(
    typed: &HeartbeatSpec,
    access: Access,
    session: &Session,
    locks: &mut LockFiles,
    ui: &mut Ui,
) -> Result<Vec<Plan>, CommandError> {
    let wanted = sources::gather(typed, access, session, locks, ui)?;
    let is_known = wanted.iter().any(|wanted| wanted.known.is_some());
    let present =
        if is_known { session.wait(session.client.all_heartbeats())? } else { Vec::new() };
    let mut plans = Vec::new();
    for wanted in wanted {
        plans.push(session.block_on(plan(wanted, &present, &session.client)));
    }
    Ok(plans)
}

/// Shows each plan, and the errors between them.
pub(super) fn show(plans: &[Plan], roster: &Roster, ui: &mut Ui) -> Result<(), CommandError> {
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    for (index, plan) in plans.iter().enumerate() {
        let Some(description) = plan.description() else {
            if let Some(error) = plan.error() {
                ui.error(&error.clone().with_context(&ellipsize(&plan.name)));
            }
            continue;
        };
        let shown = Shown { heading: heading(plan), description, more: more(plan) };
        let gap = if index == 0 { "" } else { "\n" };
        let page = page::one(&shown, style, roster);
        ui.print(format!("{gap}{page}").as_bytes())?;
    }
    Ok(())
}

fn heading(plan: &Plan) -> String {
    let name = &plan.name;
    match &plan.step {
        Step::Create { .. } | Step::Stopped(_) => name.clone(),
        Step::Edit { .. } => format!("{name} (is there, and differs)"),
        Step::Nothing { .. } => format!("{name} (is there already)"),
    }
}

fn more(plan: &Plan) -> Vec<(&'static str, String)> {
    let mut more = Vec::new();
    match &plan.step {
        Step::Create { create, .. } => of_create(create, &mut more),
        Step::Edit { id, was, .. } => {
            more.push(("id", id.clone()));
            if was.name != plan.name {
                more.push(("was", format!("called {}", ellipsize(&was.name))));
            }
            more.push(("was", format!("{} (`{}`)", was.cadence_text, ellipsize(&was.cron))));
            more.push(("note", UNCHANGEABLE.to_owned()));
        }
        Step::Nothing { id, .. } => {
            more.push(("id", id.clone()));
            more.push(("note", UNCHANGEABLE.to_owned()));
        }
        Step::Stopped(_) => {}
    }
    if let Some(path) = &plan.path {
        more.push(("from", path.clone()));
    }
    more
}

/// What a heartbeat is told. The values of inputs may be a child's, so only their names show.
fn of_create(create: &HeartbeatCreate, more: &mut Vec<(&'static str, String)>) {
    more.push(("for", create.child_id.clone().unwrap_or_else(|| "the whole family".to_owned())));
    if let Some(inputs) = &create.skill_input {
        let names: Vec<&str> = inputs.keys().map(String::as_str).collect();
        more.push(("fills in", names.join(", ")));
    }
    if create.post_result_notify == Some(true) {
        more.push(("posts", "what comes of it to the family's inbox".to_owned()));
    }
}

/// Asks once for all plans.
fn is_agreed(
    plans: &[Plan],
    is_quiet: bool,
    roster: &Roster,
    ui: &mut Ui,
) -> Result<bool, CommandError> {
    let count = |is: fn(&Step) -> bool| plans.iter().filter(|plan| is(&plan.step)).count();
    let made = count(|step| matches!(step, Step::Create { .. }));
    let changed = count(|step| matches!(step, Step::Edit { .. }));
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
        for plan in plans {
            if let Some(description) = plan.description() {
                let shown = Shown { heading: heading(plan), description, more: more(plan) };
                ui.eprintln(&page::one(&shown, style, roster));
            }
        }
    }
    let _watched = Interrupt::watch()?;
    Asker::new(ui, roster).confirm(&question, true)
}

/// Does what was planned for one heartbeat.
fn apply(plan: &Plan, session: &Session, locks: &mut LockFiles) -> Result<Outcome, CommandError> {
    match &plan.step {
        Step::Create { create, .. } => {
            let place = plan.place();
            let made = write::create(create, place.as_ref(), session, locks)?;
            Ok(Outcome::Made(made.heartbeat_id))
        }
        Step::Edit { updates, was, .. } => {
            for update in updates {
                write::update(update, Some(was), session)?;
            }
            Ok(Outcome::Changed)
        }
        Step::Nothing { id, .. } => {
            session.discard_unfinished(&write::subject(id))?;
            Ok(Outcome::Left)
        }
        Step::Stopped(_) => Ok(Outcome::Left),
    }
}

/// Tells what became of each.
fn tell(plans: &[Plan], outcomes: &[Result<Outcome, CommandError>], roster: &Roster, ui: &mut Ui) {
    for (plan, outcome) in plans.iter().zip(outcomes) {
        let masked = roster.mask(&plan.name).into_owned();
        let name = escape_line(&ellipsize(&masked)).into_owned();
        match outcome {
            Ok(Outcome::Made(id)) => ui.eprintln(&format!("made `{name}`: {}", escape_line(id))),
            Ok(Outcome::Changed) => ui.eprintln(&format!("changed `{name}`")),
            Ok(Outcome::Left) if plan.error().is_none() => {
                ui.eprintln(&format!("`{name}` is unchanged"));
            }
            Ok(Outcome::Left) => {}
            Err(error) => ui.error(&error.clone().with_context(&name)),
        }
    }
}

/// Prints what became of each, as JSON.
pub(super) fn print_json(
    plans: &[Plan],
    outcomes: &[Result<Outcome, CommandError>],
    roster: &Roster,
    ui: &mut Ui,
) -> Result<(), CommandError> {
    let both = plans.iter().zip(outcomes);
    let heartbeats = both.map(|(plan, outcome)| PlanV1::new(plan, outcome, roster)).collect();
    ui.print_json(&PlansV1 { version: VERSION, heartbeats })
}
