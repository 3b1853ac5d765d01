//! `dibber skill archive` and `dibber skill unarchive`.

use std::path::Path;

use clap::{ArgMatches, Args, Command as ClapCommand};
use serde::Serialize;

use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::error_json::ErrorV1;
use crate::cli::exit::Exit;
use crate::cli::flags::{DryRun, Yes};
use crate::cli::remote::call_errors;
use crate::cli::remote::resolve;
use crate::cli::remote::running_heartbeats;
use crate::cli::remote::session::{self, Session};
use crate::cli::term::ask::Asker;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    Archival, ArchivedSkill, CancelledHeartbeat, ListedSkills, LockFiles, PublishError,
    RunningHeartbeats, archive_skill, check_can_archive, set_archival,
};
use dibber_skill::contract::{HeartbeatId, HeartbeatListItem, SkillId, StoredSkill};
use dibber_text::{Message, escape_line, message, quote, quote_in_full};

pub(super) const ARCHIVE: Command =
    Command { name: "archive", define: define_archive, run: archive };
pub(super) const UNARCHIVE: Command =
    Command { name: "unarchive", define: define_unarchive, run: unarchive };

/// The version of the shape of `--json`; it goes up when a field changes its meaning or goes away.
const VERSION: u32 = 1;
/// The most skills that the question names.
const NAMES_SHOWN_MAX: usize = 5;

/// Archive skills of a server
///
/// An archived skill can be read, and no longer be run, scheduled or published to. Its heartbeats are
/// cancelled for good, once you have agreed. `dibber skill unarchive` brings back the skill alone. The
/// folder of a skill stays as it is.
#[derive(Args)]
struct ArchiveArgs {
    #[command(flatten)]
    skills: Skills,

    /// Cancel the heartbeats that run them without a question, too
    #[arg(long)]
    cancel_heartbeats: bool,
}

/// Unarchive skills, so that they can be used again
#[derive(Args)]
struct UnarchiveArgs {
    #[command(flatten)]
    skills: Skills,
}

#[derive(Args)]
struct Skills {
    /// The skills: their folders, names, ids, labels, or the beginnings of ids or labels
    #[arg(value_name = "SKILL", required = true)]
    named: Vec<String>,

    #[command(flatten)]
    yes: Yes,

    #[command(flatten)]
    dry_run: DryRun,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Described by `schemas/skill-archive.schema.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ArchiveV1 {
    version: u32,
    dry_run: bool,
    server: String,
    items: Vec<ItemV1>,
    /// Why others are missing.
    errors: Vec<ErrorV1>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ItemV1 {
    skill_id: SkillId,
    name: String,
    archived: bool,
    /// Whether that was changed, or would be.
    changed: bool,
    /// Those that were cancelled, or would be.
    cancelled_heartbeats: Vec<HeartbeatId>,
}

/// A skill that is to be archived or unarchived.
struct Target {
    skill: StoredSkill,
    /// The heartbeats that run it, which are cancelled first.
    running: Vec<HeartbeatListItem>,
}

fn define_archive(command: ClapCommand) -> ClapCommand {
    session::define(ArchiveArgs::augment_args(command))
}

fn define_unarchive(command: ClapCommand) -> ClapCommand {
    session::define(UnarchiveArgs::augment_args(command))
}

fn archive(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: ArchiveArgs = parse_args(matches);
    run(&typed.skills, Archival::Archived, typed.cancel_heartbeats, matches, ui)
}

fn unarchive(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: UnarchiveArgs = parse_args(matches);
    run(&typed.skills, Archival::InUse, false, matches, ui)
}

/// Returns each of the named skills once, as the server has it, and shows why others are missing.
fn stored_skills(
    named: &[String],
    (session, locks): (&Session, &mut LockFiles),
    ui: &mut Ui,
) -> Result<(Vec<StoredSkill>, Exit), CommandError> {
    resolve::read_records(named, locks)?;
    let listed = ListedSkills::new(&session.client);
    let (mut skills, mut exit): (Vec<StoredSkill>, _) = (Vec::new(), Exit::Done);
    for name in named {
        let found = resolve::resolve_any(name, session, locks).and_then(|id| {
            if skills.iter().any(|skill| skill.skill_id == id) {
                return Ok(None);
            }
            Ok(Some(session.wait(listed.read(&id))?.skill))
        });
        match found {
            Ok(found) => skills.extend(found),
            Err(error) if named.len() == 1 => return Err(error),
            Err(error) => {
                ui.error(&error);
                exit = exit.worst(error.exit_code());
            }
        }
    }
    Ok((skills, exit))
}

fn run(
    typed: &Skills,
    archival: Archival,
    cancels_unasked: bool,
    matches: &ArgMatches,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let interrupt = Interrupt::watch()?;
    let session = Session::open(matches, ui)?;
    session.announce_interrupted_plan()?;
    session.wait(check_can_archive(&session.client))?;
    let mut locks = session.locks()?;
    let (skills, mut exit) = stored_skills(&typed.named, (&session, &mut locks), ui)?;
    let mut targets = targets(skills, archival, (&session, &mut locks), ui)?;
    // Without a question, a heartbeat could be lost that was never shown.
    let is_asked = ui.can_ask() && !typed.yes.is_set() && !typed.dry_run.is_set();
    if !is_asked && !cancels_unasked {
        let in_use = remove_in_use(&mut targets, &session);
        if let ([error], 1) = (&in_use[..], typed.named.len()) {
            return Err(error.clone());
        }
        for error in in_use {
            ui.error(&error);
            exit = exit.worst(error.exit_code());
        }
    }
    let is_dry_run = typed.dry_run.is_set();
    let is_agreed = typed.yes.is_set() || is_dry_run;
    if !is_agreed && !is_agreed_to(&targets, archival, &session, ui)? {
        ui.eprintln("Nothing was changed.");
        targets.clear();
    }
    // From here on, Ctrl-C ends the program at once, and the same command finishes the work.
    drop(interrupt);
    let mut items = Vec::new();
    for target in targets {
        match carry_out(target, typed, archival, &session, ui) {
            Ok(item) => items.push(item),
            Err(error) if typed.named.len() == 1 => return Err(error),
            Err(error) => {
                ui.error(&error);
                exit = exit.worst(error.exit_code());
            }
        }
    }
    if typed.json {
        let server = ui.masked(session.server.name()).into_owned();
        let errors = ui.errors_json();
        ui.print_json(&ArchiveV1 { version: VERSION, dry_run: is_dry_run, server, items, errors })?;
    }
    Ok(exit)
}

/// Returns the skills with the heartbeats that run those that are to be archived, and warns of others
/// that may run them.
fn targets(
    skills: Vec<StoredSkill>,
    archival: Archival,
    (session, locks): (&Session, &mut LockFiles),
    ui: &mut Ui,
) -> Result<Vec<Target>, CommandError> {
    let to_archive = skills.iter().filter(|it| archival == Archival::Archived && !it.is_archived());
    let ids: Vec<_> = to_archive.map(|skill| &skill.skill_id).collect();
    let mut running = RunningHeartbeats::default();
    if !ids.is_empty() {
        let listed = RunningHeartbeats::list(ids, Path::new("."), &session.client, locks);
        running = session.block_on(listed)?;
    }
    running_heartbeats::warn_of_unknown(&running.unknown, session, ui);
    let server = quote_in_full(session.server.name());
    for name in &running.unlisted {
        ui.warning(message![server, " does not list `", quote(name), "`: it is not cancelled"]);
    }
    let mut target = |skill: StoredSkill| {
        let running = running.take(&skill.skill_id);
        Target { skill, running }
    };
    Ok(skills.into_iter().map(&mut target).collect())
}

/// Removes the skills that heartbeats run, and returns an error for each, as `push --prune` has.
fn remove_in_use(targets: &mut Vec<Target>, session: &Session) -> Vec<CommandError> {
    let in_use = targets.extract_if(.., |target| !target.running.is_empty());
    in_use.map(|target| in_use_error(&target.skill, &target.running, session)).collect()
}

fn in_use_error(
    skill: &StoredSkill,
    running: &[HeartbeatListItem],
    session: &Session,
) -> CommandError {
    let options = quote_in_full(&session.server.typed_options);
    let reason = running_heartbeats::reason(running);
    CommandError::new(message!["cannot archive `", quote(&skill.name), "`: ", reason])
        .help(message![
            running_heartbeats::cancel_commands(running, options),
            "; `--cancel-heartbeats` does so before it archives the skill"
        ])
        .exit(Exit::BadInput)
}

/// Asks once for all skills that are to be changed.
fn is_agreed_to(
    targets: &[Target],
    archival: Archival,
    session: &Session,
    ui: &mut Ui,
) -> Result<bool, CommandError> {
    let roster = ui.names()?;
    let skills = targets.iter().map(|target| &target.skill);
    let changed: Vec<_> = skills.filter(|skill| !archival.is_state_of(skill)).collect();
    if changed.is_empty() {
        return Ok(true);
    }
    if !ui.can_ask() {
        return Err(CommandError::cannot_confirm("add `--yes` to do it without asking"));
    }
    let verb = match archival {
        Archival::Archived => "Archive",
        Archival::InUse => "Unarchive",
    };
    let names = changed.iter().take(NAMES_SHOWN_MAX);
    let mut names: Vec<_> = names.map(|skill| message!["`", quote(&skill.name), "`"]).collect();
    if changed.len() > NAMES_SHOWN_MAX {
        names.push(message![changed.len() - NAMES_SHOWN_MAX, " more skills"]);
    }
    let (names, server) = (Message::join(names, ", "), quote_in_full(session.server.name()));
    let running: Vec<_> = targets.iter().flat_map(|target| target.running.clone()).collect();
    let cancelled = if running.is_empty() {
        Message::default()
    } else {
        message![", and cancel ", running_heartbeats::named("the heartbeat", &running), " for good"]
    };
    let effect = match (archival, changed.len()) {
        (Archival::InUse, _) => "?",
        (Archival::Archived, 1) => {
            "? It is not run until it is unarchived. Its folder stays as it is."
        }
        (Archival::Archived, _) => {
            "? They are not run until they are unarchived. Their folders stay as they are."
        }
    };
    let question = message![verb, " ", names, " on ", server, cancelled, effect];
    Asker::new(ui, &roster).confirm(question, false)
}

/// Archives a skill after its heartbeats were cancelled, or reverses that, and reports it.
fn carry_out(
    target: Target,
    typed: &Skills,
    archival: Archival,
    session: &Session,
    ui: &mut Ui,
) -> Result<ItemV1, CommandError> {
    let Target { skill, running } = target;
    let mut cancelled_heartbeats = Vec::new();
    if typed.dry_run.is_set() {
        for item in &running {
            if !typed.json {
                let title = running_heartbeats::title(item);
                ui.eprintln(message![title, ": would be cancelled for good"]);
            }
            cancelled_heartbeats.push(item.heartbeat_id.clone());
        }
    } else if archival == Archival::Archived {
        let mut locks = session.locks()?;
        let archived = archive_skill(&skill, &running, session.publisher()?, &mut locks);
        let ArchivedSkill { cancelled, result } = session.block_on(archived);
        // What is cancelled for good is said even if the skill is not archived then.
        for done in cancelled {
            report_cancelled(&done, &running, session, ui);
            cancelled_heartbeats.push(done.heartbeat_id);
        }
        result.map_err(|error| failure(error, &skill))?;
    } else {
        let set = set_archival(&skill, archival, session.publisher()?);
        session.block_on(set).map_err(|error| failure(error, &skill))?;
    }
    let item = report(skill, typed, archival, ui);
    Ok(ItemV1 { cancelled_heartbeats, ..item })
}

/// Reports a heartbeat that was cancelled. The folder of the skill may still have it: an archived
/// skill is not published.
fn report_cancelled(
    done: &CancelledHeartbeat,
    running: &[HeartbeatListItem],
    session: &Session,
    ui: &mut Ui,
) {
    let item = running.iter().find(|item| item.heartbeat_id == done.heartbeat_id);
    let title = item.map(running_heartbeats::title).unwrap_or_default();
    let server = quote_in_full(session.server.name());
    ui.eprintln(if done.is_still_listed {
        message![title, ": cancelled; ", server, " still lists it, paused"]
    } else {
        message![title, ": cancelled"]
    });
}

/// Reports what was done with a skill, or would be done.
fn report(skill: StoredSkill, typed: &Skills, archival: Archival, ui: &mut Ui) -> ItemV1 {
    let changed = !archival.is_state_of(&skill);
    let name = ui.masked(&skill.name).into_owned();
    if !typed.json {
        let done = match archival {
            Archival::Archived => "archived",
            Archival::InUse => "in use",
        };
        let (verb, already) = match (changed, typed.dry_run.is_set()) {
            (true, true) => ("would be ", ""),
            (true, false) => ("is ", ""),
            (false, _) => ("is ", " already"),
        };
        let (name, id) = (escape_line(&name), escape_line(skill.skill_id.as_str()));
        let (name, id) = (quote_in_full(&name), quote_in_full(&id));
        let is_archived_now = changed && archival == Archival::Archived && !typed.dry_run.is_set();
        let folder = if is_archived_now { " Its folder stays as it is." } else { "" };
        ui.eprintln(message!["`", name, "` ", verb, done, already, ": ", id, ".", folder]);
    }
    let archived = archival == Archival::Archived;
    let cancelled_heartbeats = Vec::new();
    ItemV1 { skill_id: skill.skill_id, name, archived, changed, cancelled_heartbeats }
}

fn failure(error: PublishError, skill: &StoredSkill) -> CommandError {
    match error {
        PublishError::Call(error) => {
            call_errors::command_error(&error).with_context(quote_in_full(&skill.name))
        }
        error => error.into(),
    }
}
