//! `dibber skill archive` and `dibber skill unarchive`.

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
use dibber_client::ClientError;
use dibber_client::publish::{
    Archival, PublishError, check_can_archive, set_archival, settle_archival,
};
use dibber_skill::contract::{HeartbeatListItem, SkillId, StoredSkill};
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
/// An archived skill can be read, and no longer be run, scheduled or published to. `dibber skill
/// unarchive` reverses it.
#[derive(Args)]
struct ArchiveArgs {
    #[command(flatten)]
    skills: Skills,
}

/// Unarchive skills, so that they can be used again
#[derive(Args)]
struct UnarchiveArgs {
    #[command(flatten)]
    skills: Skills,
}

#[derive(Args)]
struct Skills {
    /// The skills: their folders, labels, names, or ids or the beginnings of ids
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
}

fn define_archive(command: ClapCommand) -> ClapCommand {
    session::define(ArchiveArgs::augment_args(command))
}

fn define_unarchive(command: ClapCommand) -> ClapCommand {
    session::define(UnarchiveArgs::augment_args(command))
}

fn archive(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: ArchiveArgs = parse_args(matches);
    run(&typed.skills, Archival::Archived, matches, ui)
}

fn unarchive(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let typed: UnarchiveArgs = parse_args(matches);
    run(&typed.skills, Archival::InUse, matches, ui)
}

/// Returns each of the named skills once, as the server has it, and shows why others are missing.
fn stored_skills(
    named: &[String],
    session: &Session,
    ui: &mut Ui,
) -> Result<(Vec<StoredSkill>, Exit), CommandError> {
    let mut locks = session.locks()?;
    resolve::read_records(named, &mut locks)?;
    let (mut skills, mut exit): (Vec<StoredSkill>, _) = (Vec::new(), Exit::Done);
    for name in named {
        let found = resolve::resolve_any(name, session, &mut locks).and_then(|id| {
            if skills.iter().any(|skill| skill.skill_id == id) {
                return Ok(None);
            }
            Ok(Some(session.wait(session.client.skill_get(&id))?.skill))
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
    matches: &ArgMatches,
    ui: &mut Ui,
) -> Result<Exit, CommandError> {
    let interrupt = Interrupt::watch()?;
    let session = Session::open(matches, ui)?;
    session.announce_interrupted_plan()?;
    session.wait(check_can_archive(&session.client))?;
    let (mut skills, mut exit) = stored_skills(&typed.named, &session, ui)?;
    if archival == Archival::Archived {
        let in_use = remove_in_use(&mut skills, &session)?;
        if let ([_], 1) = (&in_use[..], typed.named.len()) {
            return Err(in_use.into_iter().next().expect("there is one"));
        }
        for error in in_use {
            ui.error(&error);
            exit = exit.worst(error.exit_code());
        }
    }
    let is_dry_run = typed.dry_run.is_set();
    let is_agreed = typed.yes.is_set() || is_dry_run;
    if !is_agreed && !is_agreed_to(&skills, archival, &session, ui)? {
        ui.eprintln("Nothing was changed.");
        skills.clear();
    }
    // From here on, Ctrl-C ends the program at once, and the same command finishes the work.
    drop(interrupt);
    let mut items = Vec::new();
    for skill in skills {
        let set = if is_dry_run { Ok(()) } else { set(&skill, archival, &session) };
        match set {
            Ok(()) => items.push(report(skill, typed, archival, ui)),
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

/// Removes the skills that heartbeats run, and returns an error for each, as `push --prune` has.
/// Where the heartbeats are not listed, the server alone says so.
fn remove_in_use(
    skills: &mut Vec<StoredSkill>,
    session: &Session,
) -> Result<Vec<CommandError>, CommandError> {
    let listed = match session.block_on(session.client.all_heartbeats()) {
        Ok(listed) => listed.items,
        Err(ClientError::NoTool(_) | ClientError::Refused(_)) => return Ok(Vec::new()),
        Err(error) => return Err(call_errors::command_error(&error)),
    };
    let mut errors = Vec::new();
    skills.retain(|skill| {
        let is_it = |item: &&HeartbeatListItem| item.run_skill_id.as_ref() == Some(&skill.skill_id);
        let running: Vec<_> = listed.iter().filter(is_it).cloned().collect();
        let may_be_archived = skill.archived || running.is_empty();
        if !may_be_archived {
            errors.push(in_use(skill, &running, session));
        }
        may_be_archived
    });
    Ok(errors)
}

fn in_use(skill: &StoredSkill, running: &[HeartbeatListItem], session: &Session) -> CommandError {
    let options = quote_in_full(&session.server.typed_options);
    let reason = running_heartbeats::reason(running);
    CommandError::new(message!["cannot archive `", quote(&skill.name), "`: ", reason])
        .help(running_heartbeats::cancel_commands(running, options))
        .exit(Exit::BadInput)
}

/// Asks once for all skills that are to be changed.
fn is_agreed_to(
    skills: &[StoredSkill],
    archival: Archival,
    session: &Session,
    ui: &mut Ui,
) -> Result<bool, CommandError> {
    let roster = ui.names()?;
    let changed: Vec<_> = skills.iter().filter(|skill| is_changed(skill, archival)).collect();
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
    let question = message![verb, " ", names, " on ", server, "?"];
    Asker::new(ui, &roster).confirm(question, false)
}

/// Returns `true` if a skill is not yet as it is to be.
fn is_changed(skill: &StoredSkill, archival: Archival) -> bool {
    skill.archived != (archival == Archival::Archived)
}

/// Archives a skill or reverses that.
fn set(skill: &StoredSkill, archival: Archival, session: &Session) -> Result<(), CommandError> {
    if is_changed(skill, archival) {
        let set = set_archival(skill, archival, session.publisher()?);
        session.block_on(set).map_err(|error| failure(error, skill))?;
    } else {
        let settled = settle_archival(&skill.skill_id, session.publisher()?);
        settled.map_err(|error| failure(error, skill))?;
    }
    Ok(())
}

/// Reports what was done with a skill, or would be done.
fn report(skill: StoredSkill, typed: &Skills, archival: Archival, ui: &mut Ui) -> ItemV1 {
    let changed = is_changed(&skill, archival);
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
        ui.eprintln(message!["`", name, "` ", verb, done, already, ": ", id, "."]);
    }
    let archived = archival == Archival::Archived;
    ItemV1 { skill_id: skill.skill_id, name, archived, changed }
}

fn failure(error: PublishError, skill: &StoredSkill) -> CommandError {
    match error {
        PublishError::Call(error) => {
            call_errors::command_error(&error).with_context(quote_in_full(&skill.name))
        }
        error => error.into(),
    }
}
