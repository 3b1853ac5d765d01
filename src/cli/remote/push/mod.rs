//! `dibber push` and `dibber diff`.

mod apply;
mod arguments;
mod blocked;
mod carry_out;
mod conclusion;
mod duplicate_labels;
mod duplicate_skills;
mod existing_schedules;
mod heartbeat_page;
mod heartbeats;
mod json;
mod linked;
mod missing_directories;
mod new_heartbeats;
mod outcome;
mod page;
mod plan;
mod prepare;
mod prune;
mod prune_blocked;
mod question;
mod reason_place;
mod republished;
mod resolution;
mod resolved;
mod sent_again;
mod shared_skills;
mod write_files;

use std::mem;
use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::local_schedules;
use super::session::{self, Session};
use crate::cli::command::Command;
use crate::cli::dry_run::render::RenderContext;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::lint::configuration::settings_near;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::rendered::Rendered;
use crate::cli::term::style::Style;
use crate::cli::term::ui::Ui;
use arguments::{DiffArgs, MissingSkills, Options, PushArgs, PushMode};
use carry_out::carry_out;
use dibber_client::publish::{ListedSkills, LockFiles, LockKey, Records};
use dibber_skill::discover::{self, DiscoverError, Overlays};
use dibber_skill::names::Roster;
use dibber_text::{Message, message};
use heartbeats::SkillHeartbeats;
use outcome::Done;
use plan::PushItem;
use prune::MissingSkill;
use question::{is_agreed, left_out, question};
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

/// Returns the arguments of a push of this directory alone.
pub(super) fn arguments_of(directory: &Path) -> Result<ArgMatches, CommandError> {
    let command = define(ClapCommand::new(COMMAND.name));
    let arguments = [COMMAND.name.as_ref(), directory.as_os_str()];
    command
        .try_get_matches_from(arguments)
        .map_err(|_| CommandError::new("this folder cannot be published from here"))
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
    let settings = settings_near(&options.paths, &[], ui)?;
    let (mut found, problems) = discover::find(&options.paths);
    found.retain(|skill| !settings.is_excluded(&skill.shown_skill_file()));
    if found.len() > 1 && options.expect.is_some() {
        let message = message!["`--expect` is for one skill, and ", found.len(), " were found"];
        return Err(CommandError::new(message).help("name the folder of one of them"));
    }
    let is_pruned = options.missing_skills == MissingSkills::Archive;
    let mut exit = Exit::Done;
    if !is_pruned {
        exit = report(problems.iter().map(CommandError::from), ui);
    }
    let interrupt = Interrupt::watch()?;
    let session = Session::open(matches, ui)?;
    let roster = ui.names()?;
    let settings = settings.with_roster(Arc::clone(&roster));
    if options.mode == PushMode::Push {
        match options.records {
            Records::Use => session.announce_interrupted_plan()?,
            Records::Ignore => session.announce_interrupted_copies()?,
        }
    }
    let mut locks = session.locks()?;
    if is_pruned {
        missing_directories::check_paths(problems, options, &mut locks, ui)?;
    }
    if options.mode == PushMode::Push {
        let keys: Vec<_> = found.iter().map(|found| LockKey::new(&found.directory)).collect();
        locks.lock_directories(&keys, |directory| session::show_wait(ui, directory))?;
        if options.records == Records::Ignore {
            republished::check(&found, &session, &mut locks)?;
        }
    }
    let style = Style { color: ui.stdout_color(), width: ui.width() };
    let wording = options.wording(ui.can_ask());
    let render = RenderContext { wording, style, settings: &settings, roster: &roster };
    let skills = &ListedSkills::new(&session.client);
    let context =
        Context { options, session: &session, skills, interrupt: &interrupt, render: &render };
    let sources = (&found[..], &Overlays::default());
    let (reviews, prepared, unread) = prepare::prepare(sources, options, &settings, &roster);
    let none = Resolutions::default();
    let known = (&session, &mut locks, skills);
    let items = plan::plan(&reviews, prepared, options, known, &none, ui, started)?;
    let resolutions = resolution::resolve(&items, &context, &mut locks, ui)?;
    if resolutions.is_empty() {
        return publish(items, &unread, &context, &mut locks, exit, ui);
    }
    // What will be written is linted, planned and shown as if it were on disk.
    let overlays = resolutions.overlays(&mut found);
    let sources = (&found[..], &overlays);
    let (reviews, prepared, unread) = prepare::prepare(sources, options, &settings, &roster);
    let known = (&session, &mut locks, skills);
    let items = plan::plan(&reviews, prepared, options, known, &resolutions, ui, started)?;
    publish(items, &unread, &context, &mut locks, exit, ui)
}

/// Shows a plan, asks, and carries it out.
fn publish(
    mut items: Vec<PushItem>,
    unread: &[DiscoverError],
    context: &Context<'_>,
    locks: &mut LockFiles,
    mut exit: Exit,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let Context { options, session, interrupt, render, .. } = context;
    let server = &session.server;
    exit = exit.worst(report(unread.iter().map(CommandError::from), ui));
    exit = items.iter().map(PushItem::exit).fold(exit, Exit::worst);
    let heartbeats = plan_heartbeats(&items, context, locks, &mut exit, ui)?;
    exit = heartbeats.iter().map(SkillHeartbeats::exit).fold(exit, Exit::worst);
    show(options, (&items, &heartbeats), ui, render, server.name())?;
    let missing = missing_directories::find(options, &items, (session, &mut *locks), ui)?;
    missing_directories::show(&missing, options, session, ui)?;
    let (mut missing, errors) = prune::plan(missing, options, (&items, unread), (session, locks));
    if options.shows_plan(ui.is_quiet()) {
        prune::show(&missing, server.name(), render.roster, ui)?;
    }
    prune::warn_of_remaining(&missing, session, ui);
    exit = exit.worst(report(errors, ui));
    for error in missing.iter().filter_map(MissingSkill::error) {
        exit = exit.worst(error.exit_code());
        ui.item_error(error);
    }
    if options.records == Records::Ignore {
        republished::warn(&items, session, locks, ui)?;
    } else {
        duplicate_labels::warn(&items, context, locks, ui)?;
        shared_skills::warn(&items, ui);
        duplicate_skills::warn(&items, context, locks, ui)?;
    }
    if options.mode == PushMode::Preview {
        linked::announce(&items, options.mode, server.name(), ui);
    }
    let mut done = Done { heartbeats, ..Done::default() };
    if options.mode == PushMode::Push {
        let (resolved, others): (Vec<_>, Vec<_>) =
            items.iter().partition(|item| item.resolved_files().is_some());
        apply::record(&others, session, locks, interrupt, ui)?;
        linked::announce(&items, options.mode, server.name(), ui);
        heartbeats::record_unchanged(&items, &done.heartbeats, session, locks)?;
        let question = question(&items, &missing, &done.heartbeats, server.name());
        let is_needed = question.is_some() || !resolved.is_empty();
        if let Some(question) = question
            && !options.is_agreed
            && !is_agreed(
                (question, left_out(&items, &done.heartbeats)),
                &items,
                (render, server.name()),
                ui,
            )?
        {
            ui.eprintln(question::declined(&items));
            if options.is_json {
                json::print(options, &items, &done, &missing, server.name(), ui, render.roster)?;
            }
            return Ok(exit);
        }
        if is_needed {
            let plan = (&mut done, &mut items[..], &mut missing[..]);
            carry_out(plan, context, locks, ui)?;
            exit = items.iter().map(PushItem::exit).fold(exit, Exit::worst);
        }
    }
    exit = exit.worst(done.exit());
    session::warn_of_bases(locks, ui);
    report(mem::take(&mut done.errors), ui);
    finish(options, &items, &missing, &done, exit, ui, (session, render.roster))
}

/// Plans the heartbeats. If that fails, the rest is shown and published without them, unless the token
/// does not permit them: then nothing is published by half.
fn plan_heartbeats(
    items: &[PushItem],
    Context { options, session, .. }: &Context<'_>,
    locks: &mut LockFiles,
    exit: &mut Exit,
    ui: &mut Ui,
) -> Result<Vec<SkillHeartbeats>, CommandError> {
    let error = match heartbeats::plan(items, options, session, locks, ui) {
        Ok(heartbeats) => return Ok(heartbeats),
        Err(error) => error,
    };
    let is_permitted = error.exit_code() != Exit::PermissionDenied;
    match options.mode {
        PushMode::Push if !is_permitted => {
            let help = "nothing was published; `--no-heartbeats` publishes the skills alone";
            return Err(error.with_context("the heartbeats").more_help(help));
        }
        // The rest is shown, as it is without the previews that a token does not permit.
        PushMode::Diff { .. } if !is_permitted => {
            ui.warning(message!["the heartbeats are not compared: ", error.message().clone()]);
        }
        _ => {
            let help = "`--no-heartbeats` leaves the heartbeats out";
            *exit = exit.worst(report([error.with_context("the heartbeats").more_help(help)], ui));
        }
    }
    Ok(heartbeats::none(items))
}

/// Shows errors, and returns how the run ends because of them.
fn report(errors: impl IntoIterator<Item = CommandError>, ui: &mut Ui) -> Exit {
    errors.into_iter().fold(Exit::Done, |exit, error| {
        ui.error(&error);
        exit.worst(error.exit_code())
    })
}

/// Shows what would be done, and what is blocked.
fn show(
    options: &Options,
    (items, heartbeats): (&[PushItem], &[SkillHeartbeats]),
    ui: &mut Ui,
    render: &RenderContext,
    server: &str,
) -> Result<(), CommandError> {
    if options.shows_plan(ui.is_quiet()) {
        let mut text = page::pages(options, items, render, server);
        heartbeat_page::add_pages(&mut text, heartbeats, render.style, render.roster);
        ui.print(text.as_bytes())?;
    }
    for item in items {
        for blocked in item.reasons_to_stop() {
            let style = Style { color: ui.stderr_color(), width: ui.width() };
            if !blocked.findings.is_empty() {
                ui.eprint_rendered(&Rendered::findings(&blocked.findings, style));
            }
            ui.item_error(&blocked.error);
        }
    }
    for heartbeat in heartbeats.iter().flat_map(|of_skill| &of_skill.items) {
        if let Some(error) = heartbeat.step().blocked() {
            ui.item_error(error);
        }
    }
    Ok(())
}

fn finish(
    options: &Options,
    items: &[PushItem],
    missing: &[MissingSkill],
    done: &Done,
    exit: Exit,
    ui: &mut Ui,
    (session, roster): (&Session, &Roster),
) -> Result<Exit, CommandError> {
    let server = &session.server;
    if options.is_json {
        json::print(options, items, done, missing, server.name(), ui, roster)?;
    }
    let Done { outcomes, heartbeats, .. } = done;
    let has_changes =
        items.iter().any(|item| item.step.has_changes() || item.resolved_files().is_some())
            || heartbeats.iter().any(SkillHeartbeats::have_changes)
            || missing.iter().any(MissingSkill::is_to_archive);
    for error in outcomes.iter().flatten().filter_map(|outcome| outcome.as_ref().err()) {
        ui.item_error(error);
    }
    match options.mode {
        PushMode::Diff { fails } => {
            return Ok(if fails && has_changes { exit.worst(Exit::Findings) } else { exit });
        }
        PushMode::Preview if has_changes => {
            ui.eprintln("Nothing was written: this was a dry-run.");
        }
        PushMode::Preview | PushMode::Push => {
            // Where nothing was done, the list of the plan says it already.
            let is_new = options.is_unlisted() || outcomes.iter().any(Option::is_some);
            if items.len() > 1 && !options.is_json && is_new {
                let table = page::summary(options, items, outcomes, roster);
                ui.print(table.as_bytes())?;
            }
            // The error, or what was archived, says already why nothing was published.
            let is_reported = items.is_empty() && (exit != Exit::Done || !missing.is_empty());
            let line = page::closing(items, done, server);
            let unset = heartbeat_page::unset_heartbeats(options, items, outcomes, session);
            let unchanged = heartbeat_page::unchanged_heartbeats(heartbeats);
            let has_set = heartbeats.iter().any(SkillHeartbeats::have_set);
            let note = local_schedules::note(server).filter(|_| has_set).map(Message::from);
            let lines = line.into_iter().chain(unchanged).chain(unset).chain(note);
            for line in lines.filter(|_| !is_reported) {
                ui.eprintln(line);
            }
            if let Some(command) = page::run_command(items, outcomes, ui.can_ask()) {
                ui.eprintln("An agent can run it now. This prints what the agent reads:");
                ui.eprint_command("  ", command);
            }
        }
    }
    Ok(exit)
}
