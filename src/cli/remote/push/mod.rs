//! `dibber push` and `dibber diff`.

mod apply;
mod arguments;
mod blocked;
mod duplicate_labels;
mod gone;
mod json;
mod page;
mod plan;
mod prepare;
mod question;
mod resolution;
mod resolved;

use std::time::Instant;

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::server_options::SelectedServer;
use super::session::{self, Session};
use crate::cli::command::Command;
use crate::cli::dry_run::render::Look;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::lint::configuration::settings_near;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use arguments::{DiffArgs, GoneSkills, Options, PushArgs, Want};
use dibber_client::publish::{LockFiles, LockKey, Records, UnusedRecord};
use dibber_skill::discover::{self, DiscoverError};
use dibber_skill::names::Roster;
use dibber_text::message;
use plan::PushItem;
use resolution::Context;
use resolved::Resolutions;

pub(super) const COMMAND: Command = Command { name: "push", define, run };
pub(super) const DIFF_COMMAND: Command =
    Command { name: "diff", define: define_diff, run: run_diff };

fn define(command: ClapCommand) -> ClapCommand {
    session::define(PushArgs::augment_args(command))
}

fn define_diff(command: ClapCommand) -> ClapCommand {
    session::define(DiffArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    execute(&Options::of_push(matches)?, matches, ui)
}

fn run_diff(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    execute(&Options::of_diff(matches), matches, ui)
}

/// Plans everything, shows it, asks, and does it.
fn execute(options: &Options, matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let started = Instant::now();
    let roster = ui.names()?;
    let settings = settings_near(&options.paths, &[], ui)?.with_roster(roster.clone());
    let (mut found, problems) = discover::find(&options.paths);
    found.retain(|skill| !settings.is_excluded(&skill.shown_skill_file()));
    if found.len() > 1 && options.expect.is_some() {
        let message = message!["`--expect` is for one skill, and ", found.len(), " were found"];
        return Err(CommandError::new(message).help("name the folder of one of them"));
    }
    let mut exit = Exit::Done;
    for problem in &problems {
        let error = CommandError::from(problem);
        ui.error(&error);
        exit = exit.worst(error.exit_code());
    }
    let interrupt = Interrupt::watch()?;
    let session = Session::open(matches)?;
    let mut locks = session.locks()?;
    if options.want == Want::Push {
        let keys: Vec<_> = found.iter().map(|found| LockKey::new(&found.directory)).collect();
        locks.lock_directories(&keys, |directory| session::show_wait(ui, directory))?;
    }
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    let look = Look { style, settings: &settings, roster: &roster };
    let context = Context { options, session: &session, interrupt: &interrupt, look: &look };
    let (reviews, prepared, unread) = prepare::prepare(&found, options, &settings, &roster);
    let none = Resolutions::default();
    let mut items =
        plan::plan(&reviews, prepared, options, (&session, &mut locks), &none, ui, started)?;
    let resolutions = resolution::resolve(&mut items, &context, &mut locks, ui)?;
    if resolutions.is_empty() || options.want != Want::Push {
        return publish(&items, &unread, &context, &mut locks, exit, ui);
    }
    // What was written has to be read and shown before it is published.
    let (reviews, prepared, unread) = prepare::prepare(&found, options, &settings, &roster);
    let known = (&session, &mut locks);
    let items = plan::plan(&reviews, prepared, options, known, &resolutions, ui, started)?;
    publish(&items, &unread, &context, &mut locks, exit, ui)
}

/// Shows a plan, asks, and carries it out.
fn publish(
    items: &[PushItem],
    unread: &[DiscoverError],
    context: &Context<'_>,
    locks: &mut LockFiles,
    mut exit: Exit,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let Context { options, session, interrupt, look } = context;
    let server = &session.server;
    for problem in unread {
        let error = CommandError::from(problem);
        ui.error(&error);
        exit = exit.worst(error.exit_code());
    }
    exit = items.iter().map(PushItem::exit).fold(exit, Exit::worst);
    show(options, items, ui, look, server.name())?;
    let gone = gone::find(options, items, locks)?;
    gone::show(&gone, options, session, ui)?;
    if options.records == Records::Use && !matches!(options.want, Want::Diff { .. }) {
        duplicate_labels::warn(items, session, ui);
    }
    if options.want == Want::Push {
        apply::record(items, session, locks, interrupt, ui)?;
    }
    let archived = match options.gone_skills {
        GoneSkills::Archive => &gone[..],
        GoneSkills::Report => &[],
    };
    let writes = items.iter().filter(|item| item.step.has_changes()).count();
    let (mut outcomes, mut errors) = (Vec::new(), Vec::new());
    if options.want == Want::Push && writes + archived.len() > 0 {
        let counts = (writes, archived.len());
        if !options.is_agreed && !question::is_agreed(counts, server.name(), ui, look.roster)? {
            ui.eprintln("Nothing was written.");
            return Ok(exit);
        }
        let applied = apply::apply(items, session, locks, interrupt, ui);
        outcomes = applied.0;
        errors.extend(applied.1);
        errors.extend(gone::prune(archived, session, locks, interrupt, ui));
    }
    let failed = outcomes.iter().flatten().filter_map(|outcome| outcome.as_ref().err());
    exit = failed.chain(&errors).map(CommandError::exit_code).fold(exit, Exit::worst);
    let exit = finish(options, items, &gone, &outcomes, exit, ui, (server, look.roster));
    for error in &errors {
        ui.error(error);
    }
    exit
}

/// Shows what would be done, and what is blocked.
fn show(
    options: &Options,
    items: &[PushItem],
    ui: &mut Ui,
    look: &Look,
    server: &str,
) -> Result<(), CommandError> {
    if !options.is_json {
        let text = page::pages(options, items, look, server);
        ui.print(text.as_bytes())?;
    }
    for item in items {
        if let Some(blocked) = item.reported() {
            let style = Style { color: ui.stderr_color(), width: ui.width() };
            let lines = page::findings(&blocked.findings, style);
            if !lines.is_empty() {
                ui.eprint_rendered(lines.trim_end_matches('\n'));
            }
            ui.error(&blocked.error);
        }
    }
    Ok(())
}

fn finish(
    options: &Options,
    items: &[PushItem],
    gone: &[UnusedRecord],
    outcomes: &[apply::Outcome],
    exit: Exit,
    ui: &mut Ui,
    (server, roster): (&SelectedServer, &Roster),
) -> Result<Exit, CommandError> {
    if options.is_json {
        json::print(options, items, outcomes, gone, server.name(), ui, roster)?;
    }
    for error in outcomes.iter().flatten().filter_map(|outcome| outcome.as_ref().err()) {
        ui.error(error);
    }
    match options.want {
        Want::Diff { fails } => {
            let differs = items.iter().any(|item| item.step.has_changes());
            return Ok(if fails && differs { exit.worst(Exit::Findings) } else { exit });
        }
        Want::Preview if items.iter().any(|item| item.step.has_changes()) => {
            ui.eprintln("Nothing was written: this was a dry-run.");
        }
        Want::Preview | Want::Push => {
            if items.len() > 1 && !options.is_json {
                let table = page::summary(options, items, outcomes);
                ui.print(table.as_bytes())?;
            }
            // The error says already why nothing was published.
            let is_reported = items.is_empty() && exit != Exit::Done;
            let lines = page::closing(items, outcomes, server).into_iter();
            let lines = lines.chain(page::unset_heartbeats(items, outcomes, server));
            for line in lines.filter(|_| !is_reported) {
                ui.eprintln(line);
            }
        }
    }
    Ok(exit)
}
