//! `dibber pull`.

mod json;
mod moved;

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::conflict;
use super::damaged::warn_of_damaged;
use super::resolve;
use super::session::{self, Session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::flags::DryRun;
use crate::cli::mask::mask;
use crate::cli::term::diff;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::style::Color;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use dibber_client::Listed;
use dibber_client::publish::{
    LocalChanges, LockFiles, LockKey, PullError, PullPlan, PullTarget, PulledFileState, apply_pull,
    plan_pull,
};
use dibber_skill::contract::{SkillId, SkillListArguments, SkillListItem};
use dibber_skill::discover::shown_path;
use dibber_skill::names::Roster;
use dibber_text::{escape_line, message, quote_display, quote_in_full};
use json::{Outcome, PullV1};
use moved::MovedFolders;

/// The most skills that `--all` writes.
const SKILLS_MAX: usize = 200_000;

pub(super) const COMMAND: Command = Command { name: "pull", define, run };

/// Write skills of a server into files
///
/// Writes a SKILL.md and a sprout.yaml that a push would publish as the same skill. A folder that
/// was published as the skill is updated: its other files and all equivalent text stay. Changes of
/// the folder are kept where the server has not changed the same field. A file that would lose a
/// change is shown as a diff, and written only with `--force`.
#[derive(Args)]
struct PullArgs {
    /// The skills: ids, labels or names, or folders that were published
    #[arg(value_name = "SKILL", required_unless_present = "all")]
    skills: Vec<String>,

    /// Every skill of the server that is not archived
    #[arg(long, conflicts_with = "skills")]
    all: bool,

    /// The folder to make the folders of skills in
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,

    /// Overwrite files that have changes of their own
    #[arg(long)]
    force: bool,

    #[command(flatten)]
    dry_run: DryRun,

    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(PullArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: PullArgs = parse_args(matches);
    let roster = ui.names()?;
    if let Some(into) = arguments.into.as_deref().filter(|into| !into.is_dir()) {
        let shown = shown_path(into);
        let error = CommandError::new(message![quote_in_full(&shown), " is not a folder"]);
        return Err(error.help("create it first, or name another one with `--into`"));
    }
    let interrupt = Interrupt::watch()?;
    let session = Session::open(matches)?;
    let mut locks = session.locks()?;
    let mut exit = Exit::Done;
    let mut plans: Vec<PullPlan> = Vec::new();
    let moved = MovedFolders::find(&arguments.skills, &session, &mut locks)?;
    let requested = requested(&arguments, &moved, &session, &mut locks, &mut exit, ui)?;
    for (argument, skill_id) in requested {
        let argument = (argument.as_str(), &skill_id);
        match plan_of(argument, &arguments, &moved, &session, &mut locks, &plans) {
            Ok(plan) => plans.push(plan),
            Err(error) => {
                exit = exit.worst(error.exit_code());
                ui.error(&error);
            }
        }
    }
    if !arguments.dry_run.is_set() {
        let keys: Vec<_> = plans.iter().map(|plan| LockKey::new(&plan.directory)).collect();
        locks.lock_directories(&keys, |directory| session::show_wait(ui, directory))?;
    }
    let mut items = Vec::new();
    for plan in &plans {
        let context = (session.server.name(), &*roster);
        let outcome = carry_out(plan, &arguments, &mut locks, &interrupt, ui, context)?;
        exit = exit.worst(outcome.exit());
        items.push(json::item(plan, outcome, &roster));
    }
    if arguments.dry_run.is_set() && !plans.is_empty() {
        let counts = counts(&plans, arguments.force);
        let counts = quote_in_full(&counts);
        ui.eprintln(message!["Nothing was written: this was a dry-run (", counts, ")."]);
    }
    session::warn_of_bases(&mut locks, ui);
    let errors = ui.errors_json();
    if arguments.json && (errors.is_empty() || !items.is_empty()) {
        ui.print_json(&PullV1 {
            version: json::VERSION,
            server: ui.masked(session.server.name()).into_owned(),
            items,
            errors,
        })?;
    }
    Ok(exit)
}

/// Returns what a pull would do: `3 skills: 1 new, 1 changed, 1 up to date`.
fn counts(plans: &[PullPlan], is_forced: bool) -> String {
    let word = |plan: &PullPlan| {
        let mut states = plan.files.iter().map(|file| &file.state);
        if plan.loses_changes() && !is_forced {
            "blocked"
        } else if states.clone().any(|state| matches!(state, PulledFileState::Changed(_))) {
            "changed"
        } else if states.any(|state| *state == PulledFileState::New) {
            "new"
        } else {
            "up to date"
        }
    };
    let words: Vec<_> = plans.iter().map(word).collect();
    let counted = ["new", "changed", "up to date", "blocked"].into_iter().filter_map(|word| {
        let count = words.iter().filter(|found| **found == word).count();
        (count > 0).then(|| format!("{count} {word}"))
    });
    let counted: Vec<_> = counted.collect();
    format!("{}: {}", quantity(plans.len(), "skill", "skills"), counted.join(", "))
}

/// Returns what names each skill, and its id; each skill once.
fn requested(
    arguments: &PullArgs,
    moved: &MovedFolders,
    session: &Session,
    locks: &mut LockFiles,
    exit: &mut Exit,
    ui: &mut Ui,
) -> Result<Vec<(String, SkillId)>, CommandError> {
    let mut requested: Vec<(String, SkillId)> = Vec::new();
    if arguments.all {
        let every = SkillListArguments::default();
        let Listed { items, damaged } =
            session.wait(session.client.all_skills(&every, SKILLS_MAX))?;
        warn_of_damaged(damaged, ui);
        let named = |item: SkillListItem| (item.skill_id.to_string(), item.skill_id);
        return Ok(items.into_iter().map(named).collect());
    }
    for argument in &arguments.skills {
        let moved = moved.skill_at(argument).cloned();
        match moved.map_or_else(|| resolve::resolve(argument, session, locks), Ok) {
            Ok(id) if requested.iter().any(|(_, known)| *known == id) => {}
            Ok(id) => requested.push((argument.clone(), id)),
            Err(error) => {
                *exit = exit.worst(error.exit_code());
                ui.error(&error);
            }
        }
    }
    Ok(requested)
}

fn plan_of(
    (argument, skill_id): (&str, &SkillId),
    arguments: &PullArgs,
    moved: &MovedFolders,
    session: &Session,
    locks: &mut LockFiles,
    others: &[PullPlan],
) -> Result<PullPlan, CommandError> {
    let into = arguments.into.as_deref();
    let moved = if into.is_none() { moved.folder_of(skill_id, session)? } else { None };
    let found = session.wait(session.client.skill_get(skill_id))?;
    let taken: Vec<_> = others.iter().map(|plan| plan.directory.clone()).collect();
    let target = PullTarget {
        argument: moved.as_ref().map_or(argument, |(folder, _)| folder),
        into,
        moved_record: moved.as_ref().map(|(_, record)| *record),
        taken: &taken,
        keeps_changes: !arguments.force,
    };
    Ok(plan_pull(&found.skill, target, locks)?)
}

impl From<PullError> for CommandError {
    fn from(error: PullError) -> Self {
        match error {
            PullError::Discover(error) => (&error).into(),
            PullError::Lock(error) => error.into(),
            PullError::Create { path, cause } => {
                Self::io(message!["cannot create ", quote_in_full(&shown_path(&path))], cause)
            }
            PullError::Write { path, cause } => {
                Self::io(message!["cannot write ", quote_in_full(&shown_path(&path))], cause)
            }
            PullError::Read { path, cause } => Self::read(Path::new(&shown_path(&path)), cause),
            PullError::ChangedSince(_) => {
                Self::new(quote_display(&error)).help("run the same command again")
            }
            PullError::OtherSkill(_) => Self::new(quote_display(&error))
                .help("name another folder to write into with `--into`")
                .exit(Exit::Usage),
        }
    }
}

/// Returns the files that are new, and the changes of the others as diffs.
pub(super) fn show_files(plan: &PullPlan, color: Color, roster: &Roster) -> String {
    let mut out = String::new();
    for file in &plan.files {
        let path = shown_path(&plan.directory.join(&file.name));
        match &file.state {
            PulledFileState::Same => {}
            PulledFileState::New => {
                out += &format!("new       {}\n", escape_line(&mask(&path, roster)));
            }
            PulledFileState::Changed(before) => {
                out += &diff::unified(&path, before, &file.text, roster).rendered(color);
            }
        }
    }
    out
}

/// Returns the error of a pull that would overwrite changes of a folder.
fn loses_changes(plan: &PullPlan, folder: &str) -> CommandError {
    let path = quote_in_full(folder);
    let fields = match &plan.local_changes {
        LocalChanges::Lost(fields) if !fields.is_empty() => {
            format!(" in what the server has changed, too ({})", fields.join(", "))
        }
        _ => String::new(),
    };
    let changes = " has changes of its own";
    let message = message![path, changes, quote_in_full(&fields), ", and nothing was written"];
    let force = message!["`dibber pull --force ", path, "` overwrites them as shown"];
    CommandError::new(message).help(if fields.is_empty() {
        message!["push them or move them away first; ", force]
    } else {
        message!["`dibber push --force ", path, "` publishes those of the folder instead; ", force]
    })
}

/// Names what a push does not change or cancel any more.
fn warn_of_unlisted_heartbeats(plan: &PullPlan, folder: &str, ui: &mut Ui) {
    let (it_runs, it_is) = match plan.unlisted_heartbeats.len() {
        0 => return,
        1 => ("keeps running", "it is"),
        _ => ("keep running", "they are"),
    };
    let count = quantity(plan.unlisted_heartbeats.len(), "heartbeat", "heartbeats");
    ui.warning(message![
        quote_in_full(folder),
        ": its ",
        quote_in_full(&count),
        " ",
        it_runs,
        ", and ",
        it_is,
        " not in sprout.yaml: `dibber heartbeat list`"
    ]);
}

/// Shows the files of one skill, and writes them unless that would lose changes.
fn carry_out(
    plan: &PullPlan,
    arguments: &PullArgs,
    locks: &mut LockFiles,
    interrupt: &Interrupt,
    ui: &mut Ui,
    (server, roster): (&str, &Roster),
) -> Result<Outcome, CommandError> {
    let folder = shown_path(&plan.directory);
    let is_blocked = plan.loses_changes() && !arguments.force;
    if !arguments.json {
        let mut page = show_files(plan, ui.stdout_color(), roster);
        if let Some(conflict) = plan.conflict.as_ref().filter(|_| is_blocked) {
            let mut sheet = ui.sheet();
            conflict::write(&mut sheet, conflict, server, roster);
            page.insert_str(0, &sheet.finish());
        }
        ui.print(page.as_bytes())?;
    }
    if is_blocked {
        ui.error(&loses_changes(plan, &folder));
        return Ok(Outcome::Blocked);
    }
    if !plan.is_exact {
        ui.warning(message![
            quote_in_full(&folder),
            ": not all of the skill can be written in files, such as white space at the beginning \
             or end of a value; a push would change it"
        ]);
    }
    warn_of_unlisted_heartbeats(plan, &folder, ui);
    if arguments.dry_run.is_set() {
        return Ok(Outcome::DryRun);
    }
    let held = interrupt.hold();
    let is_written = apply_pull(plan, locks)?;
    drop(held);
    let (id, folder) = (quote_in_full(plan.skill_id.as_str()), quote_in_full(&folder));
    ui.eprintln(match (is_written, &plan.local_changes) {
        (true, LocalChanges::Merged) => {
            message![
                "Merged the changes of ",
                id,
                " into ",
                folder,
                ", which has changes of its own."
            ]
        }
        (true, _) => message!["Pulled ", id, " into ", folder],
        (false, LocalChanges::Merged) => {
            message!["Nothing to pull: ", folder, " has changes of its own, and ", id, " has none."]
        }
        (false, _) => message!["Nothing to pull: ", folder, " is up to date."],
    });
    Ok(if is_written { Outcome::Written } else { Outcome::Unchanged })
}
