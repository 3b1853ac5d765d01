//! `dibber pull`.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command as ClapCommand};

use jiff::Timestamp;

use super::resolve;
use super::session::{self, Session};
use crate::cli::command::{Command, parse_args};
use crate::cli::diff;
use crate::cli::error::CommandError;
use crate::cli::exit::Exit;
use crate::cli::term::interrupt::Interrupt;
use crate::cli::term::ui::Ui;
use dibber_client::publish::{
    LockFiles, PullError, PullPlan, PullTarget, PulledFileState, apply_pull, plan_pull,
};
use dibber_skill::discover::shown_path;
use dibber_skill::names::Roster;
use dibber_text::escape_line;

pub(super) const COMMAND: Command = Command { name: "pull", define, run };

/// Write skills of a server into files
///
/// Writes a SKILL.md and a sprout.yaml that a push would publish as the same skill. A folder that
/// was published as the skill is updated: its other files and all equivalent text stay. A file that
/// would lose a change is shown as a diff, and written only with `--force`.
#[derive(Args)]
struct PullArgs {
    /// The skills: ids, labels or names, or folders that were published
    #[arg(value_name = "SKILL", required = true)]
    skills: Vec<String>,

    /// The folder to make the folders of skills in
    #[arg(long, value_name = "DIR")]
    into: Option<PathBuf>,

    /// Overwrite files that have changes of their own
    #[arg(long)]
    force: bool,

    /// Show what would be written, and write nothing
    #[arg(long)]
    dry_run: bool,
}

fn define(command: ClapCommand) -> ClapCommand {
    session::define(PullArgs::augment_args(command))
}

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: PullArgs = parse_args(matches);
    let roster = ui.names()?;
    if let Some(into) = arguments.into.as_deref().filter(|into| !into.is_dir()) {
        let shown = shown_path(into);
        let error = CommandError::new(format!("{} is not a folder", escape_line(&shown)));
        return Err(error.help("create it first, or name another one with `--into`"));
    }
    let interrupt = Interrupt::watch()?;
    let session = Session::open(matches)?;
    let mut locks = session.locks();
    let mut plans: Vec<PullPlan> = Vec::new();
    let mut exit = Exit::Done;
    for skill in &arguments.skills {
        match plan_of(skill, &arguments, &session, &mut locks, &plans) {
            Ok(plan) if plans.iter().any(|known| known.skill_id == plan.skill_id) => {}
            Ok(plan) => plans.push(plan),
            Err(error) => {
                exit = exit.worst(error.exit_code());
                ui.error(&error);
            }
        }
    }
    if !arguments.dry_run {
        let keys: Vec<_> = plans.iter().map(|plan| locks.key(&plan.directory)).collect();
        locks.lock_directories(&keys, |directory| session::show_wait(ui, directory))?;
    }
    for plan in &plans {
        exit = exit.worst(carry_out(plan, &arguments, &mut locks, &interrupt, ui, &roster)?);
    }
    Ok(exit)
}

fn plan_of(
    skill: &str,
    arguments: &PullArgs,
    session: &Session,
    locks: &mut LockFiles,
    others: &[PullPlan],
) -> Result<PullPlan, CommandError> {
    let skill_id = resolve::resolve(skill, session, locks)?;
    let found = session.wait(session.client.skill_get(&skill_id))?;
    let taken: Vec<_> = others.iter().map(|plan| plan.directory.clone()).collect();
    let target = PullTarget { argument: skill, into: arguments.into.as_deref(), taken: &taken };
    Ok(plan_pull(&found.skill, target, locks)?)
}

impl From<PullError> for CommandError {
    fn from(error: PullError) -> Self {
        match error {
            PullError::Discover(error) => (&error).into(),
            PullError::Lock(error) => error.into(),
            PullError::Create { path, cause } => {
                let path = shown_path(&path);
                Self::io(format_args!("cannot create {}", escape_line(&path)), cause)
            }
            PullError::Write { path, cause } => {
                let path = shown_path(&path);
                Self::io(format_args!("cannot write {}", escape_line(&path)), cause)
            }
            PullError::Read { path, cause } => Self::read(&escape_line(&shown_path(&path)), cause),
            PullError::OtherSkill(_) => Self::new(error.to_string())
                .help("name another folder to write into with `--into`")
                .exit(Exit::Usage),
        }
    }
}

/// Shows the files of one skill, and writes them unless that would lose changes.
fn carry_out(
    plan: &PullPlan,
    arguments: &PullArgs,
    locks: &mut LockFiles,
    interrupt: &Interrupt,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<Exit, CommandError> {
    let folder = roster.mask(&shown_path(&plan.directory)).into_owned();
    let folder = escape_line(&folder);
    let mut out = String::new();
    for file in &plan.files {
        let path = shown_path(&plan.directory.join(&file.name));
        match &file.state {
            PulledFileState::Same => {}
            PulledFileState::New => {
                out += &format!("new       {}\n", escape_line(&roster.mask(&path)));
            }
            PulledFileState::Changed(before) => {
                out += &diff::unified(&path, before, &file.text, roster);
            }
        }
    }
    ui.print(out.as_bytes())?;
    if plan.loses_changes() && !arguments.force && !arguments.dry_run {
        let message = format!("{folder} has changes of its own, and nothing was written");
        ui.error(
            &CommandError::new(message)
                .help("push them or move them away first; `--force` overwrites them as shown"),
        );
        return Ok(Exit::Usage);
    }
    if !plan.is_exact {
        ui.warning(&format!(
            "{folder}: not all of the skill can be written in files, such as white space at the \
             beginning or end of a value; a push would change it"
        ));
    }
    if arguments.dry_run {
        ui.eprintln("Nothing was written: this was a dry-run.");
        return Ok(Exit::Done);
    }
    let held = interrupt.hold();
    let is_written = apply_pull(plan, Timestamp::now(), locks)?;
    drop(held);
    ui.eprintln(&if is_written {
        format!("Pulled {} into {folder}", escape_line(plan.skill_id.as_str()))
    } else {
        format!("Nothing to pull: {folder} is up to date.")
    });
    Ok(Exit::Done)
}
