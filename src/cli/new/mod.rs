//! `dibber new`.

mod arguments;
mod check;
mod listing;
mod render;
mod wizard;
mod write;

use clap::{ArgMatches, Args};

use super::command::{Command, parse_args};
use super::error::CommandError;
use super::exit::Exit;
use super::heartbeat::typed::wire_schedule;
use super::mask::mask;
use super::term::ask::Asker;
use super::term::interrupt::Interrupt;
use super::term::ui::Ui;
use arguments::NewArgs;
use dibber_skill::manifest::WireSchedule;
use dibber_skill::names::Roster;
use dibber_skill::scaffold::{self, Answers, Plan, Schedule};
use dibber_text::{message, quote_in_full};

pub(super) const COMMAND: Command = Command { name: "new", define: NewArgs::augment_args, run };

fn run(matches: &ArgMatches, ui: &mut Ui) -> Result<Exit, CommandError> {
    let arguments: NewArgs = parse_args(matches);
    if arguments.list {
        return listing::print(ui, arguments.json);
    }
    let roster = ui.names()?;
    let (mut answers, mut errors) = arguments.answers();
    if let Some(schedule) = answers.schedule.take() {
        match wire_schedule(&schedule.cron, schedule.time_zone.as_deref(), ui, &roster) {
            Ok(WireSchedule { cron, time_zone }) => {
                answers.schedule = Some(Schedule { cron, time_zone, ..schedule });
            }
            Err(error) => errors.push(error),
        }
    }
    errors.extend(argument_errors(ui, &arguments, &answers, &roster));
    if !errors.is_empty() {
        return Ok(show_errors(ui, &errors));
    }
    let interrupt = Interrupt::watch()?;
    let template = if let Some(template) = arguments.template() {
        template
    } else {
        let template = wizard::template(&mut Asker::new(ui, &roster))?;
        let errors = check::errors(template, &answers, &roster);
        if !errors.is_empty() {
            return Ok(show_errors(ui, &errors));
        }
        template
    };
    if ui.can_ask() {
        wizard::ask(&mut Asker::new(ui, &roster), template, &arguments, &mut answers)?;
    }
    let plan = scaffold::plan(template, &answers);
    if arguments.dry_run {
        render::print(ui, &roster, &plan, arguments.json)?;
        return Ok(Exit::Done);
    }
    if !arguments.yes && !render::is_agreed(&mut Asker::new(ui, &roster), &plan)? {
        ui.eprintln("Nothing was written.");
        return Ok(Exit::Done);
    }
    let folder = write::write(&arguments.into, &plan, &interrupt)?;
    if arguments.json {
        render::print(ui, &roster, &plan, true)?;
    }
    show_next_steps(ui, &plan, &mask(&folder, &roster));
    Ok(Exit::Done)
}

fn show_errors(ui: &mut Ui, errors: &[CommandError]) -> Exit {
    for error in errors {
        ui.error(error);
    }
    Exit::Usage
}

/// Returns the problems of the command line, before any question.
fn argument_errors(
    ui: &Ui,
    arguments: &NewArgs,
    answers: &Answers,
    roster: &Roster,
) -> Vec<CommandError> {
    let mut errors = match arguments.template() {
        Some(template) => check::errors(template, answers, roster),
        None => Vec::new(),
    };
    errors.extend(write::check_parent(&arguments.into));
    errors
        .extend(answers.name.as_deref().and_then(|name| write::check_free(&arguments.into, name)));
    if !ui.can_ask() {
        errors.extend(missing(arguments, answers));
    }
    errors
}

fn show_next_steps(ui: &mut Ui, plan: &Plan, folder: &str) {
    let (count, shown) = (plan.files.len(), quote_in_full(folder));
    ui.eprintln(message!["Made ", shown, " with ", count, " files. Next:"]);
    ui.eprintln(message!["  1. read ", shown, "/SKILL.md, and write the steps as you want them"]);
    ui.eprintln(message!["  2. dibber lint ", shown]);
    ui.eprintln(message!["  3. dibber dry-run ", shown]);
}

/// Returns an error about missing arguments, if no question can be asked.
fn missing(arguments: &NewArgs, answers: &Answers) -> Option<CommandError> {
    let flags = [
        ("NAME", answers.name.is_none()),
        ("--template", arguments.template.is_none()),
        ("--description", answers.description.is_none()),
        ("--yes", !arguments.yes && !arguments.dry_run),
    ];
    let missing: Vec<&str> =
        flags.into_iter().filter(|(_, is_missing)| *is_missing).map(|(flag, _)| flag).collect();
    let are = if missing.len() == 1 { "is" } else { "are" };
    (!missing.is_empty()).then(|| {
        let message = message![
            quote_in_full(&missing.join(", ")),
            " ",
            are,
            " missing, and cannot be asked for: this is not a terminal"
        ];
        CommandError::new(message).help(
            "dibber new NAME --template generic --description \"What it does. Use when …\" --yes; \
             or run it in a terminal",
        )
    })
}
