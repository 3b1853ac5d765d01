//! `dibber edit`.

mod arguments;
mod check;
mod questions;

use clap::{ArgMatches, Args};

use super::command::{Command, parse_args};
use super::default_zone::named_or_default;
use super::error::CommandError;
use super::exit::Exit;
use super::heartbeat::typed::wire_schedule;
use super::new::rhythm::is_never;
use super::term::ask::Asker;
use super::term::diff;
use super::term::interrupt::Interrupt;
use super::term::ui::Ui;
use super::write;
use arguments::EditArgs;
use dibber_skill::discover::{self, FoundSkill};
use dibber_skill::manifest::WireSchedule;
use dibber_skill::names::Roster;
use dibber_skill::revision::{RevisedFile, ScheduleChange, SkillAnswers, SkillChanges, revise};
use dibber_text::{Problem, message, quote_in_full};

pub(super) const COMMAND: Command = Command { name: "edit", define: EditArgs::augment_args, run };

const NOTHING_CHANGED: &str = "Nothing was changed.";

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: EditArgs = parse_args(matches);
    let roster = ui.names()?;
    let found = only_skill(&arguments)?;
    let skill = discover::load(&found).map_err(|problem| CommandError::from(&problem))?;
    let known = SkillAnswers::of(&skill);
    let _watched = Interrupt::watch()?;
    let changes = changes(&arguments, &known, ui, &roster)?.without_known(&known);
    let files = if changes.is_empty() {
        Vec::new()
    } else {
        revise(&skill, &changes).map_err(problem_error)?
    };
    if files.is_empty() {
        ui.eprintln(NOTHING_CHANGED);
        return Ok(Exit::Done);
    }
    let errors = check::new_errors(&found, skill, &files, &roster)?;
    if !errors.is_empty() {
        for error in errors {
            ui.error(&error);
        }
        ui.eprintln(NOTHING_CHANGED);
        return Ok(Exit::BadInput);
    }
    if !is_agreed(&arguments, &found, &files, ui, &roster)? {
        return Ok(Exit::Done);
    }
    for file in &files {
        write_file(&found, file)?;
        ui.eprintln(message!["Changed ", quote_in_full(&shown_path(&found, file)), "."]);
    }
    Ok(Exit::Done)
}

fn only_skill(arguments: &EditArgs) -> Result<FoundSkill, CommandError> {
    let path = discover::from_current_directory(arguments.skill.clone());
    let (mut found, problems) = discover::find(&[path]);
    if let Some(problem) = problems.first() {
        return Err(CommandError::from(problem));
    }
    match (found.pop(), found.len()) {
        (Some(only), 0) => Ok(only),
        (_, others) => {
            let message =
                message!["`dibber edit` takes one skill, but ", others + 1, " were found"];
            Err(CommandError::new(message).help("name the folder of one of them"))
        }
    }
}

/// Returns the answers of the options, or of a person at the terminal if there are none.
fn changes(
    arguments: &EditArgs,
    known: &SkillAnswers,
    ui: &mut Ui,
    roster: &Roster,
) -> Result<SkillChanges, CommandError> {
    let mut changes = arguments.changes()?;
    if let Some(schedule) = &arguments.schedule {
        changes.schedule = Some(if is_never(schedule) {
            ScheduleChange::Remove
        } else {
            let typed = wire_schedule(schedule, arguments.time_zone.as_deref(), ui, roster)?;
            set(typed, known, ui)
        });
    }
    if !changes.is_empty() {
        if !ui.can_ask() && !arguments.yes.is_set() && !arguments.dry_run.is_set() {
            return Err(CommandError::cannot_confirm(
                "add `--yes` to change it without asking, or `--dry-run` to see the changes",
            ));
        }
        return Ok(changes);
    }
    if !ui.can_ask() {
        return Err(CommandError::new("there is nothing to change, and this is not a terminal").help(
            "name what to change, such as `--label \"Bedtime story\"`; or run it in a terminal, \
             which asks",
        ));
    }
    questions::ask(known, ui, roster)
}

/// Returns a typed schedule, in the zone of the one before it unless it names another one.
fn set(typed: WireSchedule, known: &SkillAnswers, ui: &mut Ui) -> ScheduleChange {
    let time_zone = typed.time_zone.or_else(|| known.schedule.zone());
    let time_zone = named_or_default(time_zone, ui);
    ScheduleChange::Set { cron: typed.cron, time_zone }
}

/// Shows the changes. Returns `true` if they are to be written.
fn is_agreed(
    arguments: &EditArgs,
    found: &FoundSkill,
    files: &[RevisedFile],
    ui: &mut Ui,
    roster: &Roster,
) -> Result<bool, CommandError> {
    for file in files {
        let before = file.before.as_deref().unwrap_or_default();
        let diff = diff::unified(&shown_path(found, file), before, &file.after, roster);
        ui.print(diff.rendered(ui.stdout_color()).as_bytes())?;
    }
    if arguments.dry_run.is_set() {
        return Ok(false);
    }
    if arguments.yes.is_set() {
        return Ok(true);
    }
    let is_agreed = Asker::new(ui, roster).confirm("Write these changes?", true)?;
    if !is_agreed {
        ui.eprintln(NOTHING_CHANGED);
    }
    Ok(is_agreed)
}

fn shown_path(found: &FoundSkill, file: &RevisedFile) -> String {
    match found.shown.as_str() {
        "" | "." => file.path.clone(),
        shown => format!("{}/{}", shown.trim_end_matches('/'), file.path),
    }
}

/// Writes a file, unless another program has changed it since it was read.
fn write_file(found: &FoundSkill, file: &RevisedFile) -> Result<(), CommandError> {
    let path = found.directory.join(&file.path);
    let Some(before) = &file.before else { return write::replace(&path, file.after.as_bytes()) };
    if write::replace_if_unchanged(&path, before.as_bytes(), file.after.as_bytes())? {
        return Ok(());
    }
    let path = shown_path(found, file);
    let message = message![quote_in_full(&path), " has changed since it was read"];
    Err(CommandError::new(message).help("run the command again"))
}

fn problem_error(problem: Problem<()>) -> CommandError {
    let error = CommandError::new(problem.message).exit(Exit::BadInput);
    match problem.help {
        Some(help) => error.help(help),
        None => error,
    }
}
