//! `dibber update`.

use clap::{ArgMatches, Args};

use super::carry_out::{Consent, UPDATE, carry_out, security_error};
use super::choose::find;
use super::open::Sources;
use super::page;
use super::prepared::{Destination, Prepared, prepare_read, read};
use super::scope::{Scope, not_added, read_lock};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::flags::{DryRun, Yes};
use crate::cli::term::ui::Ui;
use dibber_catalog::added::{AddedLock, AddedSkill, PlaceState, is_generated, place_state};
use dibber_catalog::sources::pinned_revision;
use dibber_text::{message, quote};

pub(in crate::cli) const COMMAND: Command =
    Command { name: "update", define: UpdateArgs::augment_args, run };

/// Update skills that were added, with what their sources have now
///
/// The changes are shown first: requested tools, licence and description, then the files. A skill that
/// was edited here is left as it is, unless you say `--force`, which shows the edits and discards them.
#[derive(Args)]
struct UpdateArgs {
    /// The skills; all without one
    #[arg(value_name = "NAME")]
    names: Vec<String>,

    #[command(flatten)]
    scope: Scope,

    /// Update skills with hidden characters, secrets, or commands that run what they download
    #[arg(long)]
    allow_findings: bool,

    /// Overwrite local edits
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    yes: Yes,

    #[command(flatten)]
    dry_run: DryRun,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: UpdateArgs = parse_args(matches);
    let root = arguments.scope.root()?;
    let lock = read_lock(&root)?;
    let mut exit = Exit::Done;
    let mut prepared = Vec::new();
    let mut sources = Sources::new(&root);
    let destination = Destination {
        root: &root,
        lock: &lock,
        copies: &[],
        links: &[],
        is_forced: arguments.force,
        is_dry_run: arguments.dry_run.is_set(),
    };
    for skill in named(&lock, &arguments.names)? {
        match prepare_update(skill, &destination, &mut sources, ui) {
            Ok(Some(update)) => prepared.push(update),
            Ok(None) => {}
            Err(error) => {
                exit = exit.worst(error.exit_code());
                ui.error(&error);
            }
        }
    }
    prepared.retain(|update| !update.plan.is_done());
    if !arguments.allow_findings {
        exit = exit.worst(leave_out_harmful(&mut prepared, arguments.json, ui)?);
    }
    let consent = Consent {
        yes: arguments.yes,
        dry_run: arguments.dry_run,
        allows_findings: arguments.allow_findings,
        has_json: arguments.json,
    };
    if prepared.is_empty() && exit != Exit::Done {
        return Ok(exit);
    }
    Ok(exit.worst(carry_out(&prepared, &root, consent, UPDATE, ui)?))
}

/// Returns the skills of these names, or all.
pub(super) fn named<'a>(
    lock: &'a AddedLock,
    names: &[String],
) -> Result<Vec<&'a AddedSkill>, CommandError> {
    if names.is_empty() {
        return Ok(lock.skills().collect());
    }
    names.iter().map(|name| lock.get(name).ok_or_else(|| not_added(name, lock))).collect()
}

/// Leaves out the updates with security findings, after showing them: the others are carried out.
fn leave_out_harmful(
    prepared: &mut Vec<Prepared>,
    has_json: bool,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let is_harmful = |update: &mut Prepared| update.review.has_security_findings();
    let harmful: Vec<_> = prepared.extract_if(.., is_harmful).collect();
    if !has_json {
        page::print(&harmful, ui)?;
    }
    for update in &harmful {
        ui.error(&security_error(update));
    }
    Ok(if harmful.is_empty() { Exit::Done } else { Exit::BadInput })
}

/// Reads what the source of a skill has now, and plans the update; none if that is what was added.
fn prepare_update(
    skill: &AddedSkill,
    destination: &Destination,
    sources: &mut Sources,
    ui: &mut Ui,
) -> Result<Option<Prepared>, CommandError> {
    let root = destination.root;
    let about = |error: CommandError| error.with_context(message!["`", quote(&skill.name), "`"]);
    let source = sources.open(&skill.source, root.directory(), None, ui).map_err(about)?;
    let at =
        |path: &str| source.skills().iter().find(|it| it.path == path && it.name == skill.name);
    // A skill may have moved in its source.
    let offered = match at(&skill.path) {
        Some(offered) => offered.clone(),
        None => find(source.skills(), &skill.name).map_err(about)?,
    };
    let read = read(&*source, &offered)?;
    // Another commit with the same files is no update, and local edits are left as they are.
    let is_left = |state: &PlaceState| match state {
        PlaceState::Current => true,
        PlaceState::Edited(differences) => !destination.is_forced || is_generated(differences),
        PlaceState::Missing | PlaceState::Other => false,
    };
    let states: Vec<_> = skill.places().map(|place| place_state(root, skill, place)).collect();
    if skill.is(&read.contents) && states.iter().all(is_left) {
        let name = quote(&skill.name);
        let is_edit = |state: &PlaceState| matches!(state, PlaceState::Edited(differences) if !is_generated(differences));
        if states.iter().any(is_edit) {
            ui.eprintln(message!["`", name, "` was edited here, and its source has nothing new"]);
        }
        if let Some(revision) = pinned_revision(&skill.source) {
            ui.eprintln(message![
                "`",
                name,
                "` stays at `",
                quote(&revision),
                "`, as it was added"
            ]);
        }
        return Ok(None);
    }
    prepare_read(&*source, &offered, read, destination).map(Some)
}
