//! `dibber pull`.

mod arguments;
mod carry_out;
mod every;
pub(super) mod heartbeats;
mod interrupted;
mod json;
mod linked;
mod moved;

use std::path::{Path, PathBuf};

use clap::{ArgMatches, Args, Command as ClapCommand};

use super::resolve;
use super::session::{self, Session};
use crate::cli::command::{Command, parse_args};
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use crate::cli::term::wording::quantity;
use arguments::PullArgs;
use carry_out::is_blocked;
pub(super) use carry_out::show_files;
use dibber_client::publish::{
    ListedSkills, LocalChanges, LockFiles, LockKey, PullError, PullPlan, PullTarget,
    PulledFileState, plan_pull,
};
use dibber_skill::contract::SkillId;
use dibber_skill::discover::shown_path;
use dibber_skill::skill::INPUT_NAME_RULE;
use dibber_text::{message, quote, quote_display, quote_in_full};
use heartbeats::ServerHeartbeats;
use json::{Outcome, PullV1};
use moved::MovedFolders;

/// What is printed when Ctrl-C ends a pull before its first file.
const NOTHING_WRITTEN: &str = "error: interrupted; nothing was written";

pub(super) const COMMAND: Command = Command { name: "pull", define, run };

fn define(command: ClapCommand) -> ClapCommand {
    session::define(PullArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: PullArgs = parse_args(matches);
    if let Some(into) = arguments.into.as_deref().filter(|into| into.exists() && !into.is_dir()) {
        let shown = shown_path(into);
        let error = CommandError::new(message![quote_in_full(&shown), " is not a folder"]);
        return Err(error.help("name another one with `--into`"));
    }
    let interrupt = Interrupt::watch()?;
    let session = Session::open(matches, ui)?;
    let roster = ui.names()?;
    interrupt.set_last_message(|| Some(NOTHING_WRITTEN.into()));
    let mut locks = session.locks()?;
    let mut exit = Exit::Done;
    let into = arguments.into.as_deref();
    let projects = moved::projects(&arguments.skills, into);
    if !arguments.dry_run.is_set() {
        // Before anything is read: a plan that another process overtakes would write what is older.
        locks.lock_directories(&projects, |directory| session::show_wait(ui, directory))?;
    }
    let moved = MovedFolders::find(&projects, &session, &mut locks)?;
    let mut requested = requested(&arguments, &moved, &session, &mut locks, &mut exit, ui)?;
    interrupted::leave_out(&mut requested, &arguments, &projects, (&session, &mut locks), ui)?;
    let heartbeats = ServerHeartbeats::load(&session, ui);
    let known = (&session, &mut locks);
    let plans = plan_all(&requested, &arguments, (&moved, &heartbeats), known, &mut exit, ui);
    if arguments.into.is_some() {
        linked::announce(&plans, &mut locks, ui)?;
    }
    if !arguments.dry_run.is_set() {
        let keys: Vec<_> = plans.iter().map(|plan| LockKey::new(&plan.directory)).collect();
        locks.lock_directories(&keys, |directory| session::show_wait(ui, directory))?;
    }
    let (mut items, mut up_to_date) = (Vec::new(), 0);
    for plan in &plans {
        let context = (&session.server, &*roster);
        let outcome = match carry_out::review(plan, &arguments, ui, context)? {
            Some(outcome) => Ok(outcome),
            None => carry_out::write(plan, &arguments, &mut locks, &interrupt, ui),
        };
        let outcome = match outcome {
            Ok(outcome) => outcome,
            Err(error) => {
                exit = exit.worst(error.exit_code());
                ui.error(&error);
                continue;
            }
        };
        exit = exit.worst(outcome.exit());
        let is_merged = plan.local_changes == LocalChanges::Merged;
        up_to_date += usize::from(outcome == Outcome::Unchanged && !is_merged);
        items.push(json::item(plan, outcome, &roster));
    }
    if arguments.all && up_to_date > 0 {
        let count = quantity(up_to_date, "skill", "skills");
        ui.eprintln(message!["Nothing to pull of ", quote_in_full(&count), ": up to date."]);
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

/// Plans every skill, and reports those of which that is not possible.
fn plan_all(
    requested: &[(String, SkillId)],
    arguments: &PullArgs,
    (moved, heartbeats): (&MovedFolders, &ServerHeartbeats),
    (session, locks): (&Session, &mut LockFiles),
    exit: &mut Exit,
    ui: &mut Ui,
) -> Vec<PullPlan> {
    if !requested.is_empty() {
        heartbeats.warn_of_refusal(ui);
    }
    let listed = ListedSkills::new(&session.client);
    let (mut plans, mut taken) = (Vec::new(), Vec::new());
    for (argument, skill_id) in requested {
        let argument = (argument.as_str(), skill_id);
        let planned =
            plan_of(argument, arguments, moved, (session, &listed, &mut *locks), &taken, ui);
        let planned = planned.and_then(|mut plan| {
            heartbeats.add_to(&mut plan, !arguments.force, session, locks)?;
            Ok(plan)
        });
        match planned {
            Ok(plan) => {
                taken.push(plan.directory.clone());
                plans.push(plan);
            }
            Err(error) => {
                *exit = exit.worst(error.exit_code());
                ui.error(&error);
            }
        }
    }
    plans
}

/// Returns what a pull would do: `3 skills: 1 new, 1 changed, 1 up to date`.
fn counts(plans: &[PullPlan], is_forced: bool) -> String {
    let word = |plan: &PullPlan| {
        let mut states = plan.files.iter().map(|file| &file.state);
        if is_blocked(plan, is_forced) {
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
        return every::all_skills(session, ui);
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
    (session, listed, locks): (&Session, &ListedSkills<'_>, &mut LockFiles),
    taken: &[PathBuf],
    ui: &mut Ui,
) -> Result<PullPlan, CommandError> {
    let into = arguments.into.as_deref();
    let moved = match into {
        None => moved.folder_of(skill_id, session)?,
        Some(_) => moved.certain_folder_of(skill_id),
    };
    let found = session.wait(listed.read(skill_id))?;
    check_intact(skill_id, session)?;
    if found.skill.is_archived() {
        let (id, server) = (quote_in_full(skill_id.as_str()), &session.server);
        ui.warning(message![
            id,
            " is archived on ",
            quote_in_full(server.name()),
            "; `dibber skill unarchive ",
            id,
            quote_in_full(&server.typed_options),
            "` brings it back"
        ]);
    }
    let hides_label = ui.masked(&found.skill.name) != found.skill.name;
    let target = PullTarget {
        argument: moved.as_ref().map_or(argument, |(folder, _)| folder),
        into: into.filter(|_| moved.is_none()),
        hides_label,
        moved_record: moved.as_ref().map(|(_, record)| *record),
        taken,
        keeps_changes: !arguments.force,
    };
    let plan = plan_pull(&found.skill, target, locks)?;
    if hides_label
        && !plan.directory.exists()
        && locks.get(&LockKey::new(&plan.directory))?.is_none()
    {
        let (id, folder) = (quote_in_full(skill_id.as_str()), shown_path(&plan.directory));
        let reason = ": its label contains a child's name or a secret";
        ui.eprintln(message!["The folder of ", id, " is ", quote_in_full(&folder), reason, "."]);
    }
    Ok(plan)
}

/// Fails if a skill that was read contains a secret that is sent to the server: with a mask in its place,
/// the files would not be what the server has, and the next push would replace it.
pub(in crate::cli::remote) fn check_intact(
    skill_id: &SkillId,
    session: &Session,
) -> Result<(), CommandError> {
    if !session.client.has_masked(skill_id.as_str()) {
        return Ok(());
    }
    Err(CommandError::new(message![
        quote_in_full(skill_id.as_str()),
        " contains the token or another secret that is sent to ",
        quote_in_full(session.server.name()),
        ", and nothing was written"
    ])
    .help("remove it from the skill on the server, and replace it: who reads the skill can use it")
    .exit(Exit::BadInput))
}

impl From<PullError> for CommandError {
    fn from(error: PullError) -> Self {
        match error {
            PullError::Discover(error) => (&error).into(),
            PullError::Lock(error) => error.into(),
            PullError::InputName { path, name } => Self::new(message![
                quote_in_full(&shown_path(&path)),
                ": sprout.yaml can have no input with the name `",
                quote(&name),
                "`, and nothing was written"
            ])
            .help(message!["rename it on the server: ", INPUT_NAME_RULE])
            .exit(Exit::BadInput),
            PullError::TooLarge { .. } => {
                Self::new(message![quote_display(&error), ", and nothing was written"])
                    .help("shorten the skill on the server")
                    .exit(Exit::BadInput)
            }
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
